"""Stories of recorded games of every case describe every event and its actor."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludarium.platform.locale import LOCALES
from ludarium_engine.kernel import SPECTATOR, Event, State, evolve, redact_event
from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.describe import describe_facts
from ludarium_engine.kernel.facts import AnyFact, Counted, Moved, Said
from ludarium_engine.registry import titles
from ludarium_engine.story.lines import lines
from ludarium_engine.story.words import Words
from tests.engine.record import Recorded, paths, read
from tests.engine.stories import faults
from tests.engine.test_texts import AnyTitle

LIGHTS, KINGDOMS = titles()["lights-in-the-fog"], titles()["game-of-kingdoms"]


def of_today() -> list[Path]:
    """Return the recorded games under the current rules of every title."""
    return [path for path in paths() for game in [read(path)] if game.revision == game.title.revision]


def one_each() -> list[Path]:
    """Return the first recorded game of each title."""
    return [*{read(path).title.id: path for path in reversed(of_today())}.values()]


def test_every_title_is_told() -> None:
    assert {read(path).title.id for path in one_each()} == {*titles()}


def steps(game: Recorded) -> Iterator[tuple[State, Event]]:
    """Yield each event with the state before the event."""
    s: Any = game.title.blank(game.options, game.seats)
    for event in game.events:
        yield s, event
        evolve(s, event)


@pytest.mark.parametrize("path", of_today(), ids=lambda path: path.stem)
def test_all_that_happens_is_told(path: Path) -> None:
    game = read(path)
    assert not [fault for before, event in steps(game) for fault in faults(game.title, before, event)]


@pytest.mark.parametrize("path", one_each(), ids=lambda path: path.stem)
@pytest.mark.parametrize("locale", LOCALES)
def test_every_line_has_words(path: Path, locale: str) -> None:
    game = read(path)
    words = Words(game.title, locale)
    for event in game.events:
        for line in lines(game.title, redact_event(game.title.layout, event, 0)):
            said = words.message(line.message)
            assert said and not set("{}|#") & set(said)


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_every_line_of_a_supported_revision_is_declared(path: Path) -> None:
    """This includes earlier revisions, whose messages must remain declared."""
    game = read(path)
    for event in game.events:
        seen = redact_event(game.title.layout, event, SPECTATOR)
        assert {line.message.id for line in lines(game.title, seen)} <= game.title.texts["en"].keys()
        assert len(describe_facts(game.title, seen)) <= len(seen.facts)


# --- planted faults -----------------------------------------------------------------------------------------------------
def decision(of: str) -> tuple[AnyTitle, State, Event]:
    """Return the title, the state and the event for the first use of a sentence."""
    game = read(next(path for path in of_today() if path.stem == "game-of-kingdoms-ruthless-4.r4"))
    for before, event in steps(game):
        if any(isinstance(fact, Said) and fact.what == of for fact in event.facts):
            return game.title, clone(before), event
    raise AssertionError(of)


def without(facts: list[AnyFact], what: str) -> list[AnyFact]:
    return [fact for fact in facts if not (isinstance(fact, Said) and fact.what == what)]


def by_another(facts: list[AnyFact], what: str) -> list[AnyFact]:
    return [Said(what, (3, *fact.args[1:])) if isinstance(fact, Said) and fact.what == what else fact for fact in facts]


def twice(facts: list[AnyFact], what: str) -> list[AnyFact]:
    return [same for fact in facts for same in ([fact, fact] if isinstance(fact, Said) and fact.what == what else [fact])]


def with_a_change(facts: list[AnyFact], what: str) -> list[AnyFact]:
    return [Counted(KINGDOMS_TRUMP, 7), *facts]


KINGDOMS_TRUMP = [field.name for field in KINGDOMS.layout.fields].index("trump") << 6
PLANTED: list[tuple[str, Callable[[list[AnyFact], str], list[AnyFact]], str]] = [
    ("leads", without, "to 0 nothing is said of hand 0 → attack"),
    ("leads", by_another, "is not told first, under its name"),
    ("leads", twice, "is told of 2 times"),
    ("is_done", without, "is not told first, under its name"),
    ("throws_nothing", without, "nothing is said"),
    ("is_out", without, "nothing is said of"),
    ("is_done", with_a_change, "does not say that trump changes by 7"),
]


@pytest.mark.parametrize(("what", "spoil", "fault"), PLANTED, ids=lambda value: getattr(value, "__name__", value))
def test_what_is_wrong_is_found(what: str, spoil: Callable[[list[AnyFact], str], list[AnyFact]], fault: str) -> None:
    title, before, event = decision(what)
    assert not faults(title, before, event)
    assert any(fault in found for found in faults(title, before, Event(event.seat, event.action, spoil(event.facts, what))))


def test_a_title_that_says_nothing_yet_can_be_read() -> None:
    """Such a title uses the generic sentences that all titles share."""
    game = read(next(path for path in paths() if path.stem.startswith(LIGHTS.id)))
    words = {locale: Words(game.title, locale) for locale in LOCALES}
    told = [line for event in game.events for line in lines(game.title, redact_event(game.title.layout, event, 0))]
    assert {line.message.id.partition(".")[0] for line in told} <= {"story", "told", "admit", "said"}
    assert len([line for line in told if not line.turn]) > 10 and any(isinstance(fact, Moved) for fact in game.events[0].facts)
    assert all(each.message(line.message) for each in words.values() for line in told)

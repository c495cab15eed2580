"""Recorded games fold to their recorded end under any rules.

The current rules would also play them in the same way.
"""
from __future__ import annotations

from pathlib import Path

import pytest

from ludarium_engine.kernel import Event
from ludarium_engine.kernel.facts import Agenda, Rolled, Shuffled
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import cases, chance_of
from ludarium_engine.testkit.redacted_fold import fold
from ludarium_engine.testkit.rerun import first_difference, first_false_draw
from ludarium_engine.titles.game_of_kingdoms import rules
from tests.engine.record import digest, path_of, paths, read

every_game = pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
LONG = next(path for path in paths() if path.stem == "game-of-kingdoms-ruthless-4.r4")


def test_there_is_one_for_each_case_under_its_rules_of_today() -> None:
    missing = {path_of(case) for title in titles().values() for case in cases(title)} - {*paths()}
    assert not missing, f"run python -m tests.engine.record for {sorted(path.name for path in missing)}"


@every_game
def test_its_title_still_supports_its_revision(path: Path) -> None:
    game = read(path)
    assert game.title.oldest_revision <= game.revision <= game.title.revision


@every_game
def test_it_folds_to_its_end(path: Path) -> None:
    game = read(path)
    s = fold(game.title, game.options, game.seats, game.events)
    assert s.outcome == game.outcome and digest(s, game.fields) == game.state


@every_game
def test_its_seed_gives_its_draws_and_its_rules_its_facts(path: Path) -> None:
    game = read(path)
    about = game.title, game.options, chance_of(game.seed), game.seats
    assert first_false_draw(*about, game.events) is None
    assert game.revision != game.title.revision or first_difference(*about, game.events) is None


def test_a_changed_rule_breaks_no_fold_and_its_first_effect_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    game = read(LONG)
    monkeypatch.setattr(rules, "LIMIT", 1)
    assert digest(fold(game.title, game.options, game.seats, game.events), game.fields) == game.state
    nth = first_difference(game.title, game.options, chance_of(game.seed), game.seats, game.events)
    assert nth is not None and nth > 0
    assert first_difference(game.title, game.options, chance_of(game.seed), game.seats, game.events[:nth]) is None


def test_a_false_draw_is_named() -> None:
    game = read(LONG)
    for kind in (Shuffled, Rolled):
        about = game.title, game.options, chance_of(game.seed), game.seats
        assert first_false_draw(*about, [with_false_draw(game.events[0], kind), *game.events[1:]]) == 0
    assert first_difference(game.title, game.options, chance_of(game.seed + 1), game.seats, game.events) == 0


def with_false_draw(event: Event, kind: type) -> Event:
    return Event(event.seat, event.action, [falsified(fact) if isinstance(fact, kind) else fact for fact in event.facts])


def falsified(fact: object) -> Shuffled | Rolled:
    match fact:
        case Shuffled(slot, order):
            return Shuffled(slot, order[::-1])
        case Rolled(slot, int(value), among):
            return Rolled(slot, among[value - 1], among)
    raise AssertionError(fact)


def test_a_refused_action_is_named() -> None:
    game = read(LONG)
    other = [Event(event.seat, event.action, event.facts) for event in game.events]
    other[5] = Event((other[5].seat + 1) % game.seats, other[5].action, other[5].facts)
    assert first_difference(game.title, game.options, chance_of(game.seed), game.seats, other) == 5


def test_a_log_is_facts_and_at_most_one_splice_of_the_agenda_an_event() -> None:
    for event in read(LONG).events:
        assert sum(isinstance(fact, Agenda) for fact in event.facts) <= 1

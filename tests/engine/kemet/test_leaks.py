"""The non-interference proof finds leaks that a test builds into the rules.

Some of the leaks are in situations that random games reach too late.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from ludarium_engine.kernel import SPECTATOR, Frame, redact_event, view
from ludarium_engine.kernel.choices import Phrase
from ludarium_engine.kernel.facts import Moved
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.testkit.audiences import ZONE, Observer
from ludarium_engine.testkit.flips import Watch, go_along
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.noninterference import DIFFERS, MOST_EVENTS, trials_along, trials_of
from ludarium_engine.testkit.steps import steps_of
from ludarium_engine.titles.kemet import TITLE, rules, veto
from ludarium_engine.titles.kemet.cards import ID, card_of
from ludarium_engine.titles.kemet.interventions import playable
from ludarium_engine.titles.kemet.prompts import ASKS
from ludarium_engine.titles.kemet.state import Kemet, KemetOptions, T, blank
from tests.engine.kemet.language import Desert

SHORT = Case(TITLE, {}, 3)


def found() -> bool:
    return any(result == DIFFERS for seed in range(4) for result in trials_of(Observer(TITLE), SHORT, seed))


def test_asking_only_who_holds_a_veto(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(veto, "could_hold", lambda s, seat, name: bool(veto.holds(s, seat, name)))
    assert found()


def test_a_prompt_that_counts_the_vetoes_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def warned(s: Kemet, f: Frame, seat: int) -> Phrase:
        others = [card for other in range(s.seats) if other != seat for card in s.di[other]]
        return Phrase("prompt.take_turn", (sum(ID[card] == "veto" for card in others),))
    monkeypatch.setitem(ASKS, "take_turn", warned)
    assert found()


def test_a_sentence_that_tells_who_could_have_vetoed(monkeypatch: pytest.MonkeyPatch) -> None:
    def say_of_each(t: T, what: str, seats: Iterable[int]) -> None:
        for seat in seats:
            t.say("stays_secret" if veto.holds(t.s, seat, "veto") else what, seat)
    monkeypatch.setattr(veto, "say_of_all", say_of_each)
    assert found()


def test_ending_the_turn_of_who_has_nothing_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_cards_to_play(s: Kemet, f: Frame) -> list[int]:
        return [f.seat] if not s.acted or playable(s, f.seat) else []
    asks = Ask("take_turn", rules.turn_offers, rules.TURN, has_cards_to_play, repeat=True)
    monkeypatch.setattr(rules.turn, "rows", (rules.early_victory, asks, rules.next_turn))
    assert found()


def with_vision(options: KemetOptions, seats: int) -> Kemet:
    """Return a game in which seat 0 starts with a tile that random games buy too late."""
    s = blank(options, seats)
    tile = card_of("w3_vision")
    s.market.remove(tile)
    s.tiles[0].append(tile)
    return s


def test_opening_what_vision_shows() -> None:
    case, name = Case(replace(TITLE, blank=with_vision), {}, 2), ZONE + "looking"
    watch = Watch(case.title, [name])
    for seed in range(6):
        steps = [*steps_of(case, seed, MOST_EVENTS)]
        assert DIFFERS not in trials_along(Observer(case.title), steps, seed)
        go_along(watch, seed, steps)
        if not watch.waiting:
            break
    assert watch.used == {name}, "Vision was used"
    assert not watch.waiting


def test_only_its_owner_sees_what_vision_shows() -> None:
    d = Desert().tiles(0, "w3_vision").asks("nightfall", 0, 1)
    d.s.night = [[0, 5, 0], [0, 0, 0]]
    d.do(0, "look")
    assert [sorted(view(TITLE, d.s, 0).looking[0])] == [sorted(d.s.looking[0])] and len(d.s.looking[0]) == 5
    for audience in (1, SPECTATOR):
        assert view(TITLE, d.s, audience).looking[0] == [UNKNOWN] * 5
        moves = [fact for fact in redact_event(TITLE.layout, d.events[-1], audience).facts if isinstance(fact, Moved)]
        assert moves and all(set(fact.cards) == {UNKNOWN} for fact in moves)

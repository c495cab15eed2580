"""Planted mistakes that let a hidden number show, and the check that finds each of them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludarium_engine.kernel import Frame, Offer
from ludarium_engine.kernel.choices import NUMBER, Phrase
from ludarium_engine.kernel.facts import Became, NumbersRevealed, Rolled
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.fuzz import Case, Failure, play
from ludarium_engine.testkit.noninterference import DIFFERS, trials_of
from tests.engine.proof import cups as game
from tests.engine.proof.cups import NO_BID, Cups, T, at, cups

SEEDS = range(12)


def is_found(**words: Any) -> bool:
    """Return whether any trial finds a leak, stopping after the first one."""
    case = Case(cups(**words), {}, 3)
    return any(result == DIFFERS for seed in SEEDS for result in trials_of(Observer(case.title), case, seed))


def plant(monkeypatch: pytest.MonkeyPatch, verb: Any, handler: Callable[..., None]) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.take_turn({**game.HANDLERS, verb: handler}), *game.turn.rows[1:]))


def says_the_sum(t: T, f: Frame, seat: int) -> None:
    game.shake(t, f, seat)
    t.say("counts", sum(t.s.dice[seat]))


def marks_a_high_bid(t: T, f: Frame, seat: int, value: int) -> None:
    game.bid(t, f, seat, value)
    if value > 1100:
        t.add(at.coins[seat], 1)


def says_only_a_real_bid(t: T, f: Frame, seat: int, value: int) -> None:
    t.set(at.bid[seat], value)
    if value > NO_BID:
        t.say("has_bid", seat)


def hits_without_admitting(t: T, f: Frame, seat: int) -> None:
    other = (seat + 1) % t.s.seats
    if t.s.life[other] <= 11:
        t.add(at.coins[seat], 1)
        t.set(at.life[other], game.FULL_LIFE)
    else:
        t.add(at.life[other], -1)


def rolls_fewer_for_a_low_fate(t: T, f: Frame, seat: int) -> None:
    """Roll a number of dice that follows from a hidden number."""
    t.roll_several(3 if t.s.fate > 4 else 2, at.dice[seat], game.FACES)


def takes_the_bids_without_revealing(t: T, f: Frame, seat: int) -> None:
    t.add(at.coins[t.s.bid.index(max(t.s.bid))], 1)


MISTAKES: list[tuple[Any, Callable[..., None]]] = [
    (game.SHAKE, says_the_sum), (game.BID, marks_a_high_bid), (game.BID, says_only_a_real_bid),
    (game.HIT, hits_without_admitting), (game.SHAKE, rolls_fewer_for_a_low_fate), (game.OPEN, takes_the_bids_without_revealing),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "handler"), MISTAKES, ids=[handler.__name__ for _, handler in MISTAKES])
def test_a_rule_that_lets_a_hidden_number_show_is_found(
    verb: Any, handler: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch, verb, handler)
    assert is_found()


def test_a_window_that_is_asked_only_of_a_high_die_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def seats(s: Cups, f: Frame) -> list[int]:
        return [p for p in range(s.seats) if 6 in s.dice[p]] or [f.seat]

    row = Ask("take_turn", game.turns, lambda t, f, seat, action: None, seats)
    monkeypatch.setattr(game.turn, "rows", (row, *game.turn.rows[1:]))
    assert is_found()


def test_a_label_that_names_anothers_number_is_found() -> None:
    def label(s: Cups, f: Frame, seat: int) -> Phrase:
        return Phrase("verb.hit", (s.life[(seat + 1) % s.seats],))

    assert is_found(labels={"hit": label}, phrases={"verb.hit": (NUMBER,)})


def test_an_offer_that_depends_on_anothers_number_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def offers(s: Cups, f: Frame, seat: int) -> list[Offer]:
        return [offer for offer in game.turns(s, f, seat) if offer.verb != "open" or max(s.bid) > NO_BID]

    row = Ask("take_turn", offers, {**game.HANDLERS, game.HIT: game.ends_turn(game.hit)})
    monkeypatch.setattr(game.turn, "rows", (row, *game.turn.rows[1:]))
    assert is_found()


@pytest.mark.parametrize("kind", [Became, Rolled])
def test_a_fact_that_is_not_redacted_is_found(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "redacted", lambda self, layout, audience: self)
    assert is_found()


def test_a_number_revealed_to_the_wrong_seat_is_found_by_redaction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumbersRevealed, "redacted", lambda self, layout, audience: self)
    assert is_found()


def test_fuzz_finds_a_number_that_is_none_of_its_values() -> None:
    def wrong(options: Any, seats: int) -> Cups:
        s = game.blank(options, seats)
        s.life[0] = 9
        return s

    with pytest.raises(Failure, match=r"life\.0 is 9"):
        play(Case(cups(blank=wrong), {}, 2), 1)

"""The disclosures of a small game, and the lines that a declared leak changes.

The non-interference proof treats a declared leak as knowledge.
"""
from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ludarium_engine.kernel import Frame
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.slots import Piles, Public
from ludarium_engine.testkit.audiences import Observer
from ludarium_engine.testkit.disclosures import disclosures
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.noninterference import DIFFERS, trials_of
from tests.engine.kernel.tiny import T, Tiny
from tests.engine.proof import peek as game
from tests.engine.proof.peek import peek

SEEDS = range(20)
LINES = [
    "peeked: ask keep: move deck to hand -> its new owner",
    "set-up: move deck to hand -> its new owner",
    "turn: ask play: move deck to hand -> its new owner",
    "turn: ask play: move hand to deck -> its owner",
    "turn: ask play: move hand to discard -> its owner; one card: everybody else",
    "turn: ask play: move hand to discard -> everybody",
    "turn: ask play: move hand to shown -> everybody",
    "turn: ask play: move hand to shown -> its owner; one card: everybody else",
    "turn: ask play: move shown to hand -> everybody",
    "turn: ask play: reveal deck -> the seat that acts",
    "turn: ask play: reveal hand -> its owner and one other seat",
    "turn: ask play: tell paid(seat, card) -> the seat that acts and one other seat",
    "turn: ask play: uncover shown -> everybody",
]


def said(**words: Any) -> list[str]:
    return disclosures([Case(peek(**words), {}, 3)], SEEDS)


def changed(now: list[str]) -> tuple[set[str], set[str]]:
    """Return the lines that are gone, and the lines that are new."""
    return {*LINES} - {*now}, {*now} - {*LINES}


def differs() -> bool:
    case = Case(peek(), {}, 3)
    return any(result == DIFFERS for seed in SEEDS for result in trials_of(Observer(case.title), case, seed))


def test_each_row_says_what_reaches_whom() -> None:
    assert said() == sorted(LINES)


def test_a_peeked_card_shown_to_all_is_one_changed_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "lookers", lambda seat: EVERYBODY)
    gone, new = changed(said())
    assert gone == {"turn: ask play: reveal deck -> the seat that acts"}
    assert new == {"turn: ask play: reveal deck -> everybody"} and not differs()


def tells_a_rank(t: T, f: Frame) -> None:
    t.disclose("ranked", f.seat, max(t.s.hand[f.seat], default=0), to=EVERYBODY)
    game.next_turn(t, f)


def test_a_rank_told_as_a_number_is_a_new_line_and_fails_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game.turn, "rows", (game.turn.rows[0], tells_a_rank))
    assert changed(said()) == (set(), {"turn: tells_a_rank: tell ranked(seat, number) -> everybody"})
    assert differs()


def test_a_hand_declared_public_changes_what_all_are_dealt() -> None:
    gone, new = changed(said(state=with_public_hands()))
    assert "set-up: move deck to hand -> its new owner" in gone and "set-up: move deck to hand -> everybody" in new


def with_public_hands() -> type[msgspec.Struct]:
    return msgspec.defstruct("Bare", [("hand", Public[Piles], [])], bases=(Tiny,), array_like=True)

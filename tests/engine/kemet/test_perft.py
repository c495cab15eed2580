"""Counts of action sequences from positions in mid-game.

A different number means that a rule has changed.
"""
from __future__ import annotations

import pytest

from ludarium_engine.testkit.perft import perft
from ludarium_engine.testkit.scene import CHANCE
from ludarium_engine.titles.kemet import TITLE
from tests.engine.kemet.language import Desert, charge, war

TURN = Desert().troop(0, "A_d1", 3).pyramid("A_d1", "red", 2).cards(0, "prayer").cards(1, "veto")
MOVE = Desert().troop(0, "A_front", 3, "phoenix").troop(1, "T_SMALL_W", 1).cards(0, "swiftness")
MOVE.go(0, "act move", "lead A_front")
BATTLE = charge(war().cards(0, "war_rage", "war_fury"))
RECRUIT = Desert().troop(1, "A_d1", 2).points(0, 3).go(0, "act recruit", "muster 3")


@pytest.mark.parametrize("desert, counts", [
    (TURN, [10, 38, 167, 833, 3699]),
    (MOVE, [13, 135, 1659, 10997]),
    (BATTLE, [120, 3600, 7300]),
    (RECRUIT, [9, 75, 1437, 13326, 67206]),
], ids=["turn", "move", "battle", "recruit"])  # fmt: skip
def test_as_many_ways_lead_on_as_ever(desert: Desert, counts: list[int]) -> None:
    assert [perft(TITLE, desert.s, CHANCE, depth) for depth in range(1, len(counts) + 1)] == counts


def test_a_battle_counted_by_hand() -> None:
    """Thirty pairs of cards and four subsets of help meet thirty pairs."""
    assert [perft(TITLE, BATTLE.s, CHANCE, depth) for depth in (1, 2)] == [120, 3600]

"""Slay monsters."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Offer
from ludarium_engine.kernel.slots import Frame

from . import verbs
from .cards import AREA, BY_NAME, MONSTER
from .centre import note_if_exhausted, top
from .rewards import give
from .state import T, Valeria, at
from .tokens import bring, payments, works


def slay_offers(s: Valeria, seat: int) -> list[Offer]:
    """Return offers to slay the available monsters that the seat can pay for.

    The printed magic must be paid. Further magic may replace strength.
    """
    found: list[Offer] = []
    for card in top(s.monsters):
        monster = MONSTER[card]
        if s.magic[seat] >= monster.magic:
            found += payments(verbs.slay, card, monster.strength, s.strength[seat], s.magic[seat] - monster.magic)
    return found


def slay(t: T, f: Frame, seat: int, card: int, magic: int) -> None:
    """Slay a monster and give the reward.

    The Violet Thorn gives 1 magic for each monster that its owner slays in the action phase.

    Args:
        t: the table.
        f: the frame of the prompt.
        seat: the seat that slays the monster.
        card: the monster.
        magic: the amount of magic that replaces strength.
    """
    monster, stack = MONSTER[card], t.s.areas.index(AREA[card])
    t.add(at.strength[seat], magic - monster.strength)
    t.add(at.magic[seat], -magic - monster.magic)
    slain = t.move(card, at.monsters[stack], at.slain[seat])
    t.say("slays", seat, slain, monster.strength - magic, monster.magic + magic)
    note_if_exhausted(t, t.s.monsters[stack])
    if works(t.s, seat, "the_violet_thorn"):
        bring(t, seat, BY_NAME["the_violet_thorn"], {"magic": 1})
    give(t, seat, card, monster.reward)

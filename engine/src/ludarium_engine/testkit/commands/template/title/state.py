"""Where the cards lie, and who sees them there."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK


class NewTitleOptions(Options, frozen=True):
    """What a table may choose: nothing yet."""


class NewTitle(State, array_like=True):
    options: NewTitleOptions
    hand: Owner[Piles] = []                     # by seat
    deck: Hidden[Pile] = []
    played: Public[Piles] = []                  # by seat


at = slots_of(NewTitle)
T = Table[NewTitle]


def blank(options: NewTitleOptions, seats: int) -> NewTitle:
    """Before the set-up: every card lies somewhere."""
    return NewTitle(seats, options, hand=empty_piles(seats), deck=[*DECK], played=empty_piles(seats))

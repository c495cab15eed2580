"""Zones of the game and their visibility."""
from __future__ import annotations

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK


class NewTitleOptions(Options, frozen=True):
    """Options of a table: none yet."""


class NewTitle(State, array_like=True):
    options: NewTitleOptions
    hand: Owner[Piles] = []                     # by seat
    deck: Hidden[Pile] = []
    played: Public[Piles] = []                  # by seat


at = slots_of(NewTitle)
T = Table[NewTitle]


def blank(options: NewTitleOptions, seats: int) -> NewTitle:
    """Return the state before the set-up, with all cards in the deck."""
    return NewTitle(seats, options, hand=empty_piles(seats), deck=[*DECK], played=empty_piles(seats))

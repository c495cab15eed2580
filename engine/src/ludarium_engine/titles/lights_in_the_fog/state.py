"""The game's zones and options, and the public answers about ships' lamps."""
from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK, FACTS


class FogOptions(Options, frozen=True):
    """The options of Lights in the Fog.

    `bells` is the number of rounds.
    """

    bells: Annotated[int, Meta(ge=2, le=20)] = FACTS.bells


class Fog(State, array_like=True):
    options: FogOptions
    hand: Owner[Piles] = []                     # by ship: its masked lamps
    deck: Hidden[Pile] = []
    log: Public[Piles] = []                     # by ship: the lamps in its logbook
    yes: Public[list[list[int]]] = []           # by ship: signs that it certainly has, by its answers
    no: Public[list[list[int]]] = []            # by ship: signs that it certainly does not have
    missed: Public[list[list[int]]] = []        # by ship: lamps that were named wrongly
    first: Public[int] = 0                      # the ship that begins each round
    bells: Public[int] = 0                      # rounds still to play, including this one


at = slots_of(Fog)
T = Table[Fog]


def blank(options: FogOptions, seats: int) -> Fog:
    """Return the state before the set-up, with all lamps in the hold."""
    return Fog(
        seats, options, hand=empty_piles(seats), deck=[*DECK], log=empty_piles(seats), yes=empty_piles(seats),
        no=empty_piles(seats), missed=empty_piles(seats), bells=options.bells,
    )  # fmt: skip

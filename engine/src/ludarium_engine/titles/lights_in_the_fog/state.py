"""Where the lamps are, and what everybody has heard of them."""
from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK, FACTS


class FogOptions(Options, frozen=True):
    """bells: how many rounds are played."""

    bells: Annotated[int, Meta(ge=2, le=20)] = FACTS.bells


class Fog(State, array_like=True):
    options: FogOptions
    hand: Owner[Piles] = []                     # by ship: its masked lamps
    deck: Hidden[Pile] = []
    log: Public[Piles] = []                     # by ship: the lamps in its logbook
    yes: Public[list[list[int]]] = []           # by ship: signs that it certainly carries, by what it admitted
    no: Public[list[list[int]]] = []            # by ship: signs that it certainly does not carry
    missed: Public[list[list[int]]] = []        # by ship: lamps that were named there in vain
    first: Public[int] = 0                      # the ship that each round begins with
    bells: Public[int] = 0                      # how many rounds are still to come, this one among them


at = slots_of(Fog)
T = Table[Fog]


def blank(options: FogOptions, seats: int) -> Fog:
    """Before the set-up all lamps lie in the hold."""
    return Fog(
        seats, options, hand=empty_piles(seats), deck=[*DECK], log=empty_piles(seats), yes=empty_piles(seats),
        no=empty_piles(seats), missed=empty_piles(seats), bells=options.bells,
    )  # fmt: skip

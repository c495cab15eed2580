"""The game's zones, numbers and options."""
from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Covered, Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK, LIMIT


class KingdomsOptions(Options, frozen=True):
    """The options of Game of Kingdoms.

    `dealer` is the seat that deals; by default it is chosen at random.
    """

    version: Literal["standard", "ruthless"] = "standard"
    pile_on_take: bool = True
    dealer: Annotated[int, Meta(ge=0, le=5)] | None = None


class Kingdoms(State, array_like=True):
    options: KingdomsOptions
    hand: Owner[Piles] = []
    deck: Hidden[Pile] = []
    turned: Public[Pile] = []                   # the turned-up card: drawn last
    attack: Public[Pile] = []                   # the attacking cards in the order played
    defence: Public[Piles] = []                 # for each attacking card, the card that beats it
    pile: Covered[Pile] = []
    layer: Public[list[int]] = []               # ruthless: the seat that played each attacking card
    dealer: Public[int] = 0
    trump: Public[int] = 0
    attacker: Public[int] = 0
    defender: Public[int] = 0
    taking: Public[bool] = False
    opened: Public[bool] = False                # whether the first attack was beaten, so that all may throw in
    place: Public[list[int]] = []               # 0 while in the game
    known: Public[list[list[int]]] = []         # by seat: the publicly known cards of its hand
    positions: Public[list[int]] = []           # progress, then the positions of rounds since


at = slots_of(Kingdoms)
T = Table[Kingdoms]


def blank(options: KingdomsOptions, seats: int) -> Kingdoms:
    return Kingdoms(
        seats,
        options,
        hand=empty_piles(seats),
        deck=[*DECK],
        defence=empty_piles(LIMIT),
        place=[0] * seats,
        known=empty_piles(seats),
    )

"""Where the cards lie and whose word it is."""
from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Covered, Hidden, Owner, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK, LIMIT


class KingdomsOptions(Options, frozen=True):
    """dealer: the seat that deals; without one chance names it."""

    version: Literal["standard", "ruthless"] = "standard"
    pile_on_take: bool = True
    dealer: Annotated[int, Meta(ge=0, le=5)] | None = None


class Kingdoms(State, array_like=True):
    options: KingdomsOptions
    hand: Owner[Piles] = []
    deck: Hidden[Pile] = []
    turned: Public[Pile] = []                   # the turned-up card: drawn last
    attack: Public[Pile] = []                   # the attacking cards in the order in which they came
    defence: Public[Piles] = []                 # the card that beat each of them
    pile: Covered[Pile] = []
    layer: Public[list[int]] = []               # ruthless: who laid each attacking card
    dealer: Public[int] = 0
    trump: Public[int] = 0
    attacker: Public[int] = 0
    defender: Public[int] = 0
    taking: Public[bool] = False
    opened: Public[bool] = False                # the first attack has been beaten: everybody may throw in
    place: Public[list[int]] = []               # 0 while in the game
    known: Public[list[list[int]]] = []         # by seat: the cards that everybody knows to be in its hand
    positions: Public[list[int]] = []           # progress, then the rounds' positions since


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

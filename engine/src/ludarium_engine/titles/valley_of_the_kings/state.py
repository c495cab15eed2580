"""The game's zones, numbers and options."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from ludarium_engine.kernel.choices import Options
from ludarium_engine.kernel.slots import Heap, Hidden, Owner, OwnerTop, Pile, Piles, Public, State, empty_piles, slots_of
from ludarium_engine.kernel.table import Table

from .cards import DECK

SETS_IN_A_POOL = 5                              # one of each size; five and six seats add one and two sets of seven


class ValleyOptions(Options, frozen=True):
    """The options of Valley of the Kings.

    `edition` determines the cards in the stock. The editions other than Premium seat up to four players.

    These options apply only to Premium:

    - `sets` has the ids of the sets: one of each size from 3 to 7. With five seats there is another set of 7, with six
      seats there are two more. By default they are chosen at random.
    - `uniques` is the edition whose unique cards are used; by default it is chosen at random.
    - `extra_uniques` adds the unique cards of Premium.
    - `pharaohs` adds the pharaohs.

    These options apply to all editions:

    - `starters` is the family of starting decks; by default that of the edition.
    - `first` is the seat that begins; by default it is chosen at random.
    - `strict_discard_view` means that players see only the top card of their discard pile on their own turn.
    - `bastet` selects the reading of Statue of Bastet (docs/decisions/121).
    """

    edition: Literal["base", "afterlife", "last_rites", "premium"] = "base"
    sets: tuple[Annotated[str, Meta(max_length=40)], ...] = ()
    uniques: Literal["base", "afterlife", "last_rites"] | None = None
    extra_uniques: bool = False
    starters: Literal["base", "last_rites"] | None = None
    pharaohs: bool = False
    first: Annotated[int, Meta(ge=0, le=5)] | None = None
    bastet: Literal["own_pile", "english"] = "english"
    inner_sarcophagus: Literal["everybody", "opponents"] = "everybody"
    strict_discard_view: bool = False


class Valley(State, array_like=True):
    options: ValleyOptions
    box: Public[Pile] = []                      # cards that are not in this game
    stock: Hidden[Pile] = []                    # level II at first
    under: Hidden[Pile] = []                    # the cards under the stock, the last one lowest; level III at first
    pyramid: Public[Piles] = []                 # by space; see pyramid.py
    boneyard: Heap[Pile] = []
    deck: Hidden[Piles] = []
    hand: Owner[Piles] = []
    discard: OwnerTop[Piles] = []
    played: Public[Piles] = []
    tomb: Public[Piles] = []
    revealed: Public[Pile] = []                 # revealed to all players, and not yet moved on
    book: Public[Pile] = []                     # the card that a Book of Gates revealed, while its action is under way
    looked: Owner[Piles] = []                   # by seat: cards that only this seat is looking at
    pharaohs: Hidden[Pile] = []                 # pharaohs that were not dealt, or were given back
    dealt: Owner[Piles] = []                    # pharaohs to choose from
    pharaoh: Public[Piles] = []
    pool: Public[list[int]] = []                # the groups of cards in the stock
    covered: Public[list[list[int]]] = []       # by seat: the pyramid cards that it turned face down
    first: Public[int] = 0
    entombed: Public[bool] = False              # whether the seat has entombed its one card this turn
    changed: Public[bool] = False               # a card left the pyramid, fell or was swapped this turn
    quiet_turns: Public[int] = 0                # turns in a row in which no card left stock or pyramid
    ability: Public[bool] = False               # whether the pharaoh's ability was used this turn
    gold_set: Public[int] = 0                   # the gold of every card; 0 means as printed
    gold_add: Public[int] = 0                   # added to the gold of each card
    gold_starter: Public[int] = 0               # added to the gold of each starter
    gold_once: Public[int] = 0                  # added to the next payment
    discount: Public[int] = 0                   # gold off the next purchase
    reach: Public[int] = 0                      # of the next purchase: 0 base, 1 also middle row, 2 whole pyramid
    to_deck: Public[int] = 0                    # the next purchase goes onto the deck
    bonus: Public[int] = 0                      # extra cards to draw for the new hand
    bought: Public[int] = 0                     # printed cost of the dearest card bought this turn
    executed: Public[list[int]] = []            # cards whose action was executed this turn
    struck: Public[list[int]] = []              # the seats that discarded or sacrificed because of the current demand
    lacks: Public[list[list[int]]] = []         # by seat: cards that react but cannot be in its hand or deck; see memory.py
    buried: Public[list[list[int]]] = []        # by seat: cards that react and are publicly known to be in its discard pile


at = slots_of(Valley)
T = Table[Valley]
# The values at the beginning of a turn. FOR_A_PURCHASE are reset by the next purchase as well.
FOR_A_PURCHASE = ("discount", "reach", "to_deck")
NUMBERS = (*FOR_A_PURCHASE, "gold_set", "gold_add", "gold_starter", "gold_once", "bonus", "bought")
FRESH: dict[str, int | list[int]] = {
    **dict.fromkeys(NUMBERS, 0), "entombed": False, "changed": False, "ability": False, "executed": [], "struck": [],
}  # fmt: skip


def freshen(t: T, names: Iterable[str]) -> None:
    """Reset these numbers and lists to their values at the beginning of a turn."""
    for name in names:
        if getattr(t.s, name) != FRESH[name]:
            t.set(getattr(at, name), FRESH[name])


def blank(options: ValleyOptions, seats: int) -> Valley:
    further = max(0, seats - 4)
    return Valley(
        seats,
        options,
        box=[*DECK],
        pyramid=empty_piles(6),
        deck=empty_piles(seats),
        hand=empty_piles(seats),
        discard=empty_piles(seats),
        played=empty_piles(seats),
        tomb=empty_piles(seats),
        looked=empty_piles(seats),
        dealt=empty_piles(seats),
        pharaoh=empty_piles(seats),
        pool=[-1] * (SETS_IN_A_POOL + further + 1 + options.extra_uniques),
        covered=empty_piles(seats),
        lacks=empty_piles(seats),
        buried=empty_piles(seats),
    )

"""The forty cards, whose ids are rank * 4 + colour.

Rank 0 is squire 5, and rank 9 is hero.
"""
from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card, DataFile

Few = Annotated[int, Meta(ge=1, le=10)]
Seats = Annotated[int, Meta(ge=2, le=6)]


class Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
    name: dict[str, str]


class File(DataFile, frozen=True):
    """The data file.

    Attributes:
        hand: the number of cards up to which players draw.
        limit: the maximum number of attacking cards in a round.
        seats: the minimum and maximum number of seats.
        ranks: the ranks, lowest first.
        colours: the colours.
    """

    hand: Few
    limit: Few
    seats: tuple[Seats, Seats]
    ranks: list[Named]
    colours: list[Named]


DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
RANKS, COLOURS = FACTS.ranks, FACTS.colours
HAND, LIMIT = FACTS.hand, FACTS.limit
COPIES = len(COLOURS)                           # of each rank
DECK = range(len(RANKS) * COPIES)


RANK = tuple(card // COPIES for card in DECK)
COLOUR = tuple(card % COPIES for card in DECK)


def card_of(rank_id: str, colour_id: str) -> int:
    """Return the card with this rank and colour, as in `card_of("queen", "blue")`."""
    ranks, colours = [rank.id for rank in RANKS], [colour.id for colour in COLOURS]
    return ranks.index(rank_id) * COPIES + colours.index(colour_id)


def kind_of(card: int) -> str:
    return f"{RANKS[RANK[card]].id}_{COLOURS[COLOUR[card]].id}"


def described(card: int) -> Card:
    rank, colour = RANKS[RANK[card]].id, COLOURS[COLOUR[card]].id
    return Card(card, kind_of(card), {"rank": rank, "colour": colour, "strength": RANK[card]})


CARDS = tuple(described(card) for card in DECK)

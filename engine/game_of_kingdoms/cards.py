"""The forty cards. A card is rank * 4 + colour; rank 0 is squire 5, rank 9 the hero."""
from __future__ import annotations

import json

from engine.kernel.data import data_of
from engine.kernel.title import Card

DATA = data_of(__package__)
FACTS = json.loads(DATA)
RANKS, COLOURS = FACTS["ranks"], FACTS["colours"]
HAND: int = FACTS["hand"]
LIMIT: int = FACTS["limit"]
COPIES = len(COLOURS)                           # of each rank
DECK = range(len(RANKS) * COPIES)


RANK = tuple(card // COPIES for card in DECK)
COLOUR = tuple(card % COPIES for card in DECK)


def card_of(rank_id: str, colour_id: str) -> int:
    """The card by the names of its rank and colour: card_of("queen", "blue")."""
    ranks, colours = [r["id"] for r in RANKS], [c["id"] for c in COLOURS]
    return ranks.index(rank_id) * COPIES + colours.index(colour_id)


def kind_of(card: int) -> str:
    return f"{RANKS[RANK[card]]['id']}_{COLOURS[COLOUR[card]]['id']}"


def described(card: int) -> Card:
    rank, colour = RANKS[RANK[card]]["id"], COLOURS[COLOUR[card]]["id"]
    return Card(card, kind_of(card), {"rank": rank, "colour": colour, "strength": RANK[card]})


CARDS = tuple(described(card) for card in DECK)

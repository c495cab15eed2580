"""The data file and the cards, where card 0 is worth 1 point, card 1 is worth 2, etc."""
from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card, DataFile


class File(DataFile, frozen=True):
    """The data file.

    Attributes:
        cards: the number of cards in the deck.
        hand: the number of cards dealt to each player.
        turns: the number of cards that each player plays.
    """

    cards: Annotated[int, Meta(ge=1, le=60)]
    hand: Annotated[int, Meta(ge=1, le=9)]
    turns: Annotated[int, Meta(ge=1, le=9)]


DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
DECK = range(FACTS.cards)
POINTS = [card + 1 for card in DECK]
CARDS = [Card(card, f"card_{POINTS[card]}", {"points": POINTS[card]}) for card in DECK]

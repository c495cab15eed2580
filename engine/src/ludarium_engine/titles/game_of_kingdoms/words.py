"""Texts from the data file, and the names of the forty cards in each locale."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_rulings, texts_of

from .cards import COLOUR, COLOURS, DECK, FACTS, RANK, RANKS, kind_of

PRINTED = {
    "name": FACTS.name,
    **{f"rank.{i}": rank.name for i, rank in enumerate(RANKS)},
    **{f"colour.{i}": colour.name for i, colour in enumerate(COLOURS)},
    **printed_rulings(FACTS),
}


def cards(texts: Catalogue) -> Catalogue:
    named = {f"card.{kind_of(card)}": f"{texts[f'rank.{RANK[card]}']}, {texts[f'colour.{COLOUR[card]}']}" for card in DECK}
    return named | {f"{name}.text": texts["made.beats"] for name in named}


TEXTS = texts_of(__package__, PRINTED, cards)

"""Texts from the data file, and the names of the cards in each locale."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_rulings, texts_of

from .cards import CARDS, FACTS, POINTS

PRINTED = {"name": FACTS.name, **printed_rulings(FACTS)}


def cards(texts: Catalogue) -> Catalogue:
    names = {f"card.{card.kind}": texts["made.card"].format(POINTS[card.id]) for card in CARDS}
    return names | {f"card.{card.kind}.text": texts["made.worth"].format(POINTS[card.id]) for card in CARDS}


TEXTS = texts_of(__package__, PRINTED, cards)

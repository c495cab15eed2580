"""Texts from the data file, and the names of lamps by colour and number."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, printed_rulings, texts_of

from .cards import CARDS, FACTS, NUMBER, NUMBERS, POINTS, SIGNED, sign_of

PRINTED = {
    "name": FACTS.name,
    **{f"sign.{i}": colour.name for i, colour in enumerate(FACTS.colours)},
    **{f"fact.colour.{colour.id}": colour.name for colour in FACTS.colours},
    **printed_rulings(FACTS),
}


def numbers(texts: Catalogue) -> Catalogue:
    return {f"sign.{sign_of(number)}": texts["made.number"].format(number) for number in NUMBERS}


def lamps(texts: Catalogue) -> Catalogue:
    names = {f"card.{card.kind}": f"{texts[f'sign.{SIGNED[card.id][0]}']} {NUMBER[card.id]}" for card in CARDS}
    return names | {f"card.{card.kind}.text": texts["made.worth"].format(POINTS[card.id]) for card in CARDS}


TEXTS = texts_of(__package__, PRINTED, numbers, lamps)

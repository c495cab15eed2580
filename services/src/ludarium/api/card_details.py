"""The details of cards in one language, for clients that have no formatter.

See docs/decisions/135.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from ludarium.tables.model.events import AnyTitle
from ludarium_engine.kernel.bodies import Message
from ludarium_engine.kernel.title import Card
from ludarium_engine.story.words import Words


class FactText(msgspec.Struct, frozen=True):
    """A printed fact of a card in words. `fact` is its name in `facts` of the card."""

    fact: str
    name: str
    value: str


class CardDetails(msgspec.Struct, frozen=True):
    """A card's name, its effect and its named facts, in the requested language.

    `house` is a sentence about which values are our own instead of printed; null if all are printed.
    """

    name: str
    text: str
    facts: list[FactText]
    house: str | None


def card_details(title: AnyTitle, card: Card, locale: str) -> CardDetails:
    words = Words(title, locale)
    return CardDetails(
        name=words.said(f"card.{card.kind}"),
        text=words.message(Message(f"card.{card.kind}.text")),
        facts=[*facts_of(words, card)],
        house=house_of(words, card),
    )


def facts_of(words: Words, card: Card) -> Iterator[FactText]:
    for fact, value in card.facts.items():
        if (name := f"fact.{fact}") in words.texts:
            values = value if isinstance(value, list | tuple) else [value]
            yield FactText(fact, words.said(name), ", ".join(value_text(words, name, each) for each in values))


def value_text(words: Words, name: str, value: Any) -> str:
    return words.said(f"{name}.{value}") if f"{name}.{value}" in words.texts else str(value)


def house_of(words: Words, card: Card) -> str | None:
    if not card.house:
        return None
    return words.said("house.card", ", ".join(words.said(f"house.field.{field}") for field in card.house))

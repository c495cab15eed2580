"""Count house values: values of cards that are our own and not printed on them.

A title marks them in its data, for each card and field: `name`, `effect`, `copies`, or a fact of the card.

See docs/decisions/113.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from ludarium_engine.kernel.folder import Catalogue
from ludarium_engine.kernel.title import Board, Card, Title

Extent = Literal["none", "values", "cards"]
CardsOfOptions = Mapping[str, Mapping[str, Collection[str]]]
NO_OPTIONS: CardsOfOptions = MappingProxyType({})
PARTS = "name", "effect", "copies"
"""Fields of a card besides its facts."""


class HouseValues(msgspec.Struct, frozen=True):
    """How many kinds of cards have values that are our own instead of printed.

    - `extent` is `cards` if most effects are our own, `values` if only other values are, and `none` if all values are
      printed.
    - `kinds` is the number of all kinds.
    - `fields` maps each field (`name`, `effect`, `copies` or a fact) to the number of kinds whose value is our own.
    """

    extent: Extent
    kinds: int
    fields: dict[str, int]


def counted(cards: Iterable[Card]) -> HouseValues:
    """Count the house values in cards; copies of a kind count once.

    The counts by field are in descending order.
    """
    kinds = {card.kind: card.house for card in cards}
    fields = dict(Counter(field for house in kinds.values() for field in house).most_common())
    return HouseValues(extent_of(fields, len(kinds)), len(kinds), fields)


def extent_of(fields: Mapping[str, int], kinds: int) -> Extent:
    if 2 * fields.get("effect", 0) > kinds:
        return "cards"
    return "values" if fields else "none"


def extent_of_title(title: Title[Any, Any]) -> Extent:
    """Return the extent of house values in a title's cards.

    If only a map is our own, the result is `values`.
    """
    found = counted(title.cards).extent
    return "values" if found == "none" and any(board.house for board in title.boards) else found


def counted_by_option(cards: Collection[Card], cards_of_options: CardsOfOptions) -> dict[str, dict[str, HouseValues]]:
    """Count the house values of the cards that each value of an option adds."""
    return {
        option: {value: counted(card for card in cards if card.kind in kinds) for value, kinds in values.items()}
        for option, values in cards_of_options.items()
    }


# --- sentences --------------------------------------------------------------------------------------------------------
def house_texts(
    cards: Collection[Card], cards_of_options: CardsOfOptions = NO_OPTIONS, boards: Collection[Board] = ()
) -> Callable[[Catalogue], Catalogue]:
    """Return a function that derives the texts about house values from a catalogue.

    These are `house`, `house.<option>.<value>`, `house.card`, `house.extent.…` and `house.field.…`. If all values of the title
    are printed, there are none.
    """
    whole, by_option = counted(cards), counted_by_option(cards, cards_of_options)
    maps = ["map"] if any(board.house for board in boards) else []

    def compose(texts: Catalogue) -> Catalogue:
        if not (maps or whole.fields):
            return {}
        named = {f"house.field.{field}": field_name(texts, field) for field in whole.fields}
        return {
            "house": sentence(texts, texts["name"], "", whole, maps),
            "house.card": texts["made.house.card"],
            **{f"house.extent.{extent}": texts[f"made.house.extent.{extent}"] for extent in ("values", "cards")},
            **named,
            **dict(of_options(texts, by_option)),
        }

    return compose


def of_options(texts: Catalogue, by_option: Mapping[str, Mapping[str, HouseValues]]) -> Iterator[tuple[str, str]]:
    """Yield (message id, text) for option values that add house values."""
    for option, values in by_option.items():
        for value, found in values.items():
            if found.extent != "none":
                yield f"house.{option}.{value}", sentence(texts, label(texts, option, value), f"{option}.", found)


def sentence(texts: Catalogue, named: str, option: str, found: HouseValues, maps: Collection[str] = ()) -> str:
    """Compose the sentence about house values.

    A title can override it for an option: `made.house.<option>.cards`.
    """
    extent = "values" if found.extent == "none" else found.extent
    pattern = texts.get(f"made.house.{option}{extent}") or texts[f"made.house.{extent}"]
    return pattern.format(named, ", ".join(field_name(texts, field) for field in (*maps, *found.fields)))


def label(texts: Catalogue, option: str, value: str) -> str:
    """Return a short name for a value of an option.

    The result is the title's own short name, or the name that forms show.
    """
    return texts.get(f"made.house.{option}.{value}") or texts.get(f"option.{option}.{value}") or texts[f"option.{option}"]


def field_name(texts: Catalogue, field: str) -> str:
    return texts[f"made.house.field.{field}"]

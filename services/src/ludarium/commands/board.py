"""The zones of a table as text for the terminal, with the names of the ruleset."""
from __future__ import annotations

from typing import Any

from rich.table import Table

from ludarium.platform.locale import ENGLISH

HIDDEN = -1
Json = dict[str, Any]


class TextBoard:
    """A renderer of zones as text.

    `rules` is the response of `GET /rulesets/{id}`.
    """

    def __init__(self, rules: Json, locale: str = ENGLISH) -> None:
        self.zones: list[Json] = rules["zones"]
        self.locale = locale
        self.texts: dict[str, str] = rules["texts"][locale]
        self.cards: dict[int, str] = {card["id"]: card["name"][locale] for card in rules["cards"]}

    def table(self, zones: Json) -> Table:
        """Return a table with one row for each zone of a view."""
        shown = Table(show_header=False, box=None)
        for zone in self.zones:
            shown.add_row(self.texts[f"zone.{zone['name']}"], self.value(zone, zones[zone["name"]]))
        return shown

    def value(self, zone: Json, value: Any) -> str:
        match zone["kind"]:
            case "pile":
                return self.pile(value)
            case "piles":
                return " | ".join(map(self.pile, value))
            case "numbers":
                return ", ".join(self.number(zone["of"], number) for number in value)
            case "flag":
                return "yes" if value else "no"
            case _:
                return self.number(zone["of"], value)

    def pile(self, cards: list[int]) -> str:
        """Return the names of face-up cards and the number of face-down cards."""
        hidden = cards.count(HIDDEN)
        return ", ".join([self.cards[card] for card in cards if card != HIDDEN] + ([f"{hidden} ▮"] if hidden else []))

    def number(self, of: str | None, value: int) -> str:
        return f"seat {value}" if of == "seat" else self.texts[f"{of}{value}"] if of else str(value)

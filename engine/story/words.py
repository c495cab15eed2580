"""Messages become sentences: the small language in which texts are written, and the words of one table.

A text has blanks. `{1}` is the parameter of that number (the first is 0). `{1?card|cards}` chooses by it: the first form for
one, the last for any other number; of three forms the first is for none. `#` in a form is the number; that of cards is how
many they are. clients/web/src/table/filling.ts is the same, held to the same examples.
"""
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.kernel.bodies import Message, Piece
from engine.kernel.drawing import BY_SEAT
from engine.kernel.title import Space, Title

BLANK = re.compile(r"\{(\d+)(?:\?([^{}]*))?\}")
NOT_SEEN = -1
MINUS = "\N{MINUS SIGN}"


class Filling(NamedTuple):
    """What stands in a blank, and the number by which its forms are chosen."""

    text: str
    number: int = 0


def filled(text: str, fillings: Sequence[Filling]) -> str:
    def blank(found: re.Match[str]) -> str:
        filling = fillings[int(found[1])]
        return filling.text if found[2] is None else form(found[2].split("|"), filling.number)

    return BLANK.sub(blank, text)


def form(forms: Sequence[str], number: int) -> str:
    """Of two: one, other; of three: none, one, other."""
    nth = -2 if number == 1 else -3 if number == 0 and len(forms) > 2 else -1
    return forms[nth].replace("#", str(number))


class Words:
    """The words of a title in one language, with the names of those who play."""

    def __init__(self, title: Title[Any, Any], locale: str, names: Sequence[str] = (), spaces: Sequence[Space] = ()) -> None:
        self.locale, self.texts = locale, title.texts[locale]
        self.cards = {card.id: f"card.{card.kind}" for card in title.cards}
        self.at = {spot.zone: spot.at for spot in title.spots}
        self.names, self.spaces = names, spaces

    def message(self, message: Message) -> str:
        """A message that has no text is told by its id and its parameters."""
        fillings = [self.filling(piece) for piece in message.params]
        if message.id in self.texts:
            return filled(self.texts[message.id], fillings)
        said = message.id.rpartition(".")[2].replace("_", " ")
        return ": ".join([said, *([", ".join(filling.text for filling in fillings)] if fillings else [])])

    def filling(self, piece: Piece) -> Filling:
        match piece.kind, piece.value:
            case "cards", list(cards):
                return Filling(self.listed(cards), len(cards))
            case "number", int(number):
                return Filling(str(number).replace("-", MINUS), number)
            case "card", int(card):
                return Filling(self.card(card))
            case "seat", int(seat):
                return Filling(self.seat(seat))
            case "place", int(index):
                return Filling(self.place(str(piece.zone), index))
            case _:
                return Filling(self.texts.get(str(piece.value), str(piece.value)))

    def said(self, message: str, *texts: str, number: int = 0) -> str:
        return filled(self.texts[message], [Filling(text, number) for text in texts] or [Filling("", number)])

    def card(self, card: int) -> str:
        return self.texts[self.cards[card]] if card in self.cards else self.said("story.cards", number=1)

    def listed(self, cards: Sequence[int]) -> str:
        """Those that are seen by name, alike ones together; of the others, how many they are."""
        names = [self.card(card) for card in cards if card != NOT_SEEN]
        parts = [self.times(name, names.count(name)) for name in dict.fromkeys(names)]
        if len(names) < len(cards) or not cards:
            parts.append(self.said("story.cards", number=len(cards) - len(names)))
        return self.joined(parts)

    def times(self, name: str, count: int) -> str:
        return name if count == 1 else self.said("story.times", name, str(count))

    def joined(self, parts: Sequence[str]) -> str:
        *before, last = parts
        if not before:
            return last
        more = before[0]
        for part in before[1:]:
            more = self.said("story.list", more, part)
        return self.said("story.last", more, last)

    def seat(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else self.said("story.seat", str(seat + 1))

    def place(self, zone: str, index: int) -> str:
        """An entry of a zone, by its space or its seat, else by its number."""
        at = self.at.get(zone, "")
        if self.spaces and "board" in (at, self.at.get(at)) and index < len(self.spaces):
            return self.texts[f"space.{self.spaces[index].id}"]
        which = self.seat(index) if at == BY_SEAT else str(index + 1)
        return self.said("story.place", self.texts[f"zone.{zone}"], which)

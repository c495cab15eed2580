"""Convert messages to text, with the names of one table and in one language."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.kernel.drawing import BY_SEAT, BY_SPACE
from ludarium_engine.kernel.slots import UNKNOWN
from ludarium_engine.kernel.title import Space, Title
from ludarium_engine.story.formatting import Argument, card_list, formatted

MINUS = "\N{MINUS SIGN}"


class Words:
    """The texts of a title in one language, with the names of a table's players."""

    def __init__(self, title: Title[Any, Any], locale: str, names: Sequence[str] = (), spaces: Sequence[Space] = ()) -> None:
        """Prepare the texts.

        Args:
            title: the title.
            locale: one of the title's locales.
            names: the names of the players, by seat; seats without one are numbered.
            spaces: the spaces of the board in play.
        """
        self.locale, self.texts = locale, title.texts[locale]
        self.cards = {card.id: f"card.{card.kind}" for card in title.cards}
        self.at = {spot.zone: spot.at for spot in title.spots}
        self.names, self.spaces = names, spaces

    def message(self, message: Message) -> str:
        """Format a message.

        A message without a text is shown by its id and its parameters.
        """
        arguments = [self.argument(piece) for piece in message.params]
        if message.id in self.texts:
            return formatted(self.locale, self.texts[message.id], arguments)
        return ": ".join([message.id.rpartition(".")[2].replace("_", " "), *(argument.text for argument in arguments)])

    def argument(self, piece: Piece) -> Argument:
        """Convert a piece to an argument of a message.

        The number of a list of cards is its length.
        """
        match piece.kind, piece.value:
            case "cards", list(cards):
                return Argument(self.listed(cards), len(cards))
            case "number", int(number):
                return Argument(str(number).replace("-", MINUS), number)
            case "card", int(card):
                return Argument(self.listed([card]), 1)
            case "seat", int(seat):
                return Argument(self.seat(seat))
            case "slot", int(index):
                return Argument(self.slot(str(piece.zone), index))
            case _:
                return Argument(self.texts.get(str(piece.value), str(piece.value)))

    def said(self, message: str, *texts: str) -> str:
        """Format the text with this id, with plain strings as arguments."""
        return formatted(self.locale, self.texts[message], [Argument(text) for text in texts])

    def listed(self, cards: Sequence[int]) -> str:
        """List cards by name, and hidden ones (UNKNOWN) by their number."""
        names = [self.texts[self.cards[card]] for card in cards if card != UNKNOWN]
        return card_list(self.locale, self.texts, names, len(cards) - len(names))

    def seat(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else self.said("story.seat", str(seat + 1))

    def slot(self, zone: str, index: int) -> str:
        """Name an entry of a zone.

        It is named by its space, or by the zone and the entry's seat or number.
        """
        at = self.at.get(zone, BY_SPACE)
        if BY_SPACE in (at, self.at.get(at)) and index < len(self.spaces):
            return self.texts[f"space.{self.spaces[index].id}"]
        which = self.seat(index) if at == BY_SEAT else str(index + 1)
        return self.said("story.slot", self.texts[f"zone.{zone}"], which)

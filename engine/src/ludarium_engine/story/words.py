"""Convert messages to text in one language with the names of a table's players."""
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
    """A title's texts in one language, with the names of a table's players."""

    def __init__(self, title: Title[Any, Any], locale: str, names: Sequence[str] = (), spaces: Sequence[Space] = ()) -> None:
        """Prepare the texts.

        Args:
            title: the title.
            locale: one of the title's locales.
            names: the players' names in seat order; seats without a name are numbered.
            spaces: the spaces of the board in play.
        """
        self.locale, self.texts = locale, title.texts[locale]
        self.cards = {card.id: f"card.{card.kind}" for card in title.cards}
        self.at = {spot.zone: spot.at for spot in title.spots}
        self.names, self.spaces = names, spaces

    def message(self, message: Message) -> str:
        """Return the text of a message.

        If the title has no text for the message, its id and parameters are returned.
        """
        arguments = [self.argument(piece) for piece in message.params]
        if message.id in self.texts:
            return formatted(self.locale, self.texts[message.id], arguments)
        return ": ".join([message.id.rpartition(".")[2].replace("_", " "), *(argument.text for argument in arguments)])

    def argument(self, piece: Piece) -> Argument:
        """Convert a message parameter to an argument for formatting.

        For a list of cards, the argument's number is the length of the list.
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
        """Return the text with this message id, formatted with string arguments."""
        return formatted(self.locale, self.texts[message], [Argument(text) for text in texts])

    def listed(self, cards: Sequence[int]) -> str:
        """Return a list of card names, ending with the number of hidden cards."""
        names = [self.texts[self.cards[card]] for card in cards if card != UNKNOWN]
        return card_list(self.locale, self.texts, names, len(cards) - len(names))

    def seat(self, seat: int) -> str:
        return self.names[seat] if seat < len(self.names) else self.said("story.seat", str(seat + 1))

    def slot(self, zone: str, index: int) -> str:
        """Return the name of a zone's entry.

        An entry drawn on a space of the board has the name of the space. Any other entry is named by the zone and by its seat
        or its number, counting from 1.
        """
        at = self.at.get(zone, BY_SPACE)
        if BY_SPACE in (at, self.at.get(at)) and index < len(self.spaces):
            return self.texts[f"space.{self.spaces[index].id}"]
        which = self.seat(index) if at == BY_SEAT else str(index + 1)
        return self.said("story.slot", self.texts[f"zone.{zone}"], which)

"""Define hints for clients that draw any title, such as where zones are drawn.

Rules do not read them. A title's folder `icons` has two files. `names.json` is written by hand and maps a kind of card, or a
word printed on cards, to the name of an icon at game-icons.net. `make icons` generates `paths.json` from it: the SVG path
data (512 by 512 units) of each icon, by name.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

Shape = Literal["stack", "row", "hand", "dice", "amount", "mark", "standing", "places"]
Icon = Literal["coin", "sword", "shield", "drop", "star", "spark", "step", "layers", "crown", "token", "number"]
CENTRE, BY_SEAT, BY_SPACE = "centre", "seat", "board"


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A zone that is shown; those that no spot names are not. They are drawn in the order in which they are declared.

    shape: a stack shows its top card and how many there are; a row all its cards; a hand is a row that belongs to its
    owner; dice; an amount is shown as it is, a mark only where it is set (true, or some seat or text); a standing is the
    place at which a seat has finished while others play on, 0 until then. Places are what each seat's numbers stand for, all of
    them in `rows`, with the seats that have one there: a board of actions that all see.
    at: `centre` of the table, beside each `seat`, on each space of the `board`, or the name of a zone drawn so, with
    whose entries this one's go.
    rows: how many entries each row of a zone with several piles has, from the top. entries: which go where in
    these rows, if not in their order.
    fold: of use now and then; shown when asked for, or when something in it can be chosen.
    groups: the printed facts by which its cards are told apart and ordered, the first one first: tiles by colour and level.
    whose: the zone whose entries say which seat each of these belongs to: units are drawn as that seat's.
    purse: what one pays with; one's own is shown where one chooses, too.
    """

    zone: str
    shape: Shape
    at: str = CENTRE
    icon: Icon | None = None
    rows: list[int] = []
    entries: list[int] = []
    fold: bool = False
    groups: list[str] = []
    whose: str | None = None
    purse: bool = False


class Badge(msgspec.Struct, frozen=True):
    """A printed fact that shows on a card however small, if the card has it."""

    fact: str
    icon: Icon


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """tint: the fact by which cards are coloured. Facts are told in words where the texts have `fact.<name>`.

    pictured: facts whose words have icons, which a card shows if its kind has none.
    """

    tint: str | None = None
    badges: list[Badge] = []
    pictured: list[str] = []


class Icons(msgspec.Struct, frozen=True):
    names: Mapping[str, str] = {}
    paths: Mapping[str, str] = {}

    def of(self, kind: str, facts: Mapping[str, Any], pictured: Iterable[str]) -> list[str]:
        """Return the names of a card's icons.

        The icon belongs to the kind of card or, if the kind has none, to its printed words.

        Args:
            kind: the kind of card.
            facts: its printed facts.
            pictured: the names of the facts whose words have icons.
        """
        words = [kind] if kind in self.names else [str(facts[fact]) for fact in pictured if fact in facts]
        return [*dict.fromkeys(self.names[word] for word in words if word in self.names)]

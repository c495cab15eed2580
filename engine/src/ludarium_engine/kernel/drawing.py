"""Define hints for clients that draw any title, such as where zones are drawn.

The rules do not use these hints. A title's folder `icons` has two files. `names.json` is written by hand and maps a
kind of card, or a word printed on cards, to the name of an icon at game-icons.net. `make icons` generates `paths.json`
from it: the SVG path data (512 by 512 units) of each icon, by name.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

Shape = Literal["stack", "row", "hand", "dice", "amount", "mark", "standing", "places"]
Icon = Literal["coin", "sword", "shield", "drop", "star", "spark", "step", "layers", "crown", "token", "number"]
CENTRE, BY_SEAT, BY_SPACE = "centre", "seat", "board"


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A zone that clients draw, and how to draw it.

    Draw zones in the order of their spots. Do not draw zones that no spot names.

    - `shape`: a `stack` shows its top card and its size. A `row` shows all its cards. A `hand` is a row that belongs to
      its owner. `dice` show their numbers. An `amount` shows a number. A `mark` appears only if it is set: true, or a
      seat or text. A `standing` shows the rank at which a seat has finished while others play on, or 0. `places` show a
      board of actions in `rows`: each place shows the seats that have its number.
    - `at` is the `centre` of the table, each `seat`, each space of the `board`, or a zone whose entries this zone is
      drawn with.
    - `rows` has the number of entries in each row, from the top. `entries` lists the entries in these rows, if they are
      not in order.
    - `fold` means that the zone is shown on request, or if something in it can be chosen.
    - `groups` lists the printed facts by which its cards are grouped and sorted, most important first.
    - `whose` names a zone whose entries say which seat each entry belongs to.
    - `purse` means that the zone is used to pay. Also show the player's own amount where they choose.
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
    """A printed fact to show on cards of every size, if the card has it."""

    fact: str
    icon: Icon


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """How clients draw the faces of cards.

    - `tint` is the fact that determines a card's colour.
    - `badges` are facts to show on cards of every size.
    - `pictured` lists facts whose words have icons. A card shows these icons if its kind has none.

    Show facts in words where the texts have `fact.<name>`.
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

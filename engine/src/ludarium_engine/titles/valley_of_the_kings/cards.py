"""The kinds of cards in the data file, and tables of their facts by card id.

A kind is a row of the data file; a card id stands for one physical card. The ids are those of the largest box. It has six
times as many starters as one player gets, and as many of all other cards as are printed. A card therefore has the same id in
all editions.
"""
from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card, DataFile

Small = Annotated[int, Meta(ge=0, le=99)]
Id = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$", max_length=40)]
MOST_SEATS = 6


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of card.

    Attributes:
        copies: the copies in a box; for a starter, the copies that each player gets.
        house: fields whose values are our own and not printed.
    """

    id: Id
    name: dict[str, str]
    edition: Literal["base", "afterlife", "last_rites", "premium"]
    type: Literal["starter", "set", "unique", "pharaoh"]
    text: str
    level: Annotated[int, Meta(ge=0, le=3)] = 0
    set: str | None = None
    gold: Small = 0
    cost: Small = 0
    points: Small = 0
    copies: Annotated[int, Meta(ge=1, le=6)] = 1
    steps: msgspec.Raw = msgspec.Raw(b"[]")
    reaction: Literal["ward", "cat", "boat", "physician", "headrest"] | None = None
    house: list[Annotated[str, Meta(pattern="^(name|edition|level|set|gold|cost|points|copies|effect)$")]] = []

    def __post_init__(self) -> None:
        if (self.type == "set") != (self.set is not None):
            raise ValueError("set cards, and only they, belong to a set")
        if self.type == "set" and self.points:
            raise ValueError("set cards have no points of their own")
        if (self.type in ("starter", "pharaoh")) != (self.level < 2):
            raise ValueError("starters are level 1, pharaohs 0, all others 2 or 3")
        if self.type != "pharaoh" and not self.gold:
            raise ValueError("every card is worth at least 1 gold")
        if self.type == "pharaoh" and self.reaction:
            raise ValueError("a pharaoh does not react")


class SetRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    edition: Literal["base", "afterlife", "last_rites"]
    size: Annotated[int, Meta(ge=3, le=7)]
    name: dict[str, str]


class File(DataFile, frozen=True, kw_only=True):
    """The data file.

    Attributes:
        stock: by edition, how many cards of level II and of level III the rulebooks count.
    """

    known: ClassVar = ("sets",)
    hand: Annotated[int, Meta(ge=1, le=10)]
    stall_rounds: Annotated[int, Meta(ge=1, le=9)]
    stock: dict[str, tuple[int, int]]
    sets: list[SetRow]
    cards: list[Row]


DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
ROWS = FACTS.cards
KINDS = {row.id: kind for kind, row in enumerate(ROWS)}
EDITIONS = ("base", "afterlife", "last_rites")
STARTERS = ("base", "last_rites")               # the editions that have starting decks of their own
# A group of cards comes into a stock as a whole: a set, or the uniques of an edition, the last of which is Premium.
GROUPS = [*(row.id for row in FACTS.sets), *(f"uniques_{edition}" for edition in (*EDITIONS, "premium"))]


def group_of(row: Row) -> int:
    """Return the group to which a kind of card belongs.

    Starters and pharaohs belong to none, because they are dealt separately; for them the result is -1.
    """
    if row.type == "set" and row.set in GROUPS:
        return GROUPS.index(row.set)
    return GROUPS.index(f"uniques_{row.edition}") if row.type == "unique" else -1


def printed(row: Row) -> int:
    return row.copies * MOST_SEATS if row.type == "starter" else row.copies


KIND = tuple(kind for kind, row in enumerate(ROWS) for _ in range(printed(row)))
DECK = range(len(KIND))
HIDDEN = -1                                     # an unknown card; some tables have a value for it at their end
FREE = 99                                       # a limit that every card is below
COST = (*(ROWS[kind].cost for kind in KIND), FREE)
GOLD = tuple(ROWS[kind].gold for kind in KIND)
POINTS = tuple(ROWS[kind].points for kind in KIND)
TYPE = (*(ROWS[kind].type for kind in KIND), "")
SET = (*(1 + group_of(ROWS[kind]) if TYPE[card] == "set" else 0 for card, kind in enumerate(KIND)), 0)    # 0: none
GROUP = tuple(group_of(ROWS[kind]) for kind in KIND)
LEVEL = tuple(ROWS[kind].level for kind in KIND)
REACTION = tuple(ROWS[kind].reaction for kind in KIND)
PHARAOHS = tuple(card for card in DECK if TYPE[card] == "pharaoh")


def starters(family: str, seat: int) -> tuple[int, ...]:
    """Return the starting deck of a seat.

    Args:
        family: the edition of the deck.
        seat: the seat.
    """
    kinds = [(kind, row) for kind, row in enumerate(ROWS) if row.type == "starter" and row.edition == family]
    return tuple(card for kind, row in kinds for card in copies_of(kind)[seat * row.copies : (seat + 1) * row.copies])


def copies_of(kind: int) -> tuple[int, ...]:
    """Return the card ids of a kind."""
    first = KIND.index(kind)
    return tuple(range(first, first + printed(ROWS[kind])))


def card_of(name: str, nth: int = 0) -> int:
    """Return the card id of a copy of a kind, for example `card_of("boat")`.

    Args:
        name: the id of the kind.
        nth: the index of the copy.
    """
    return copies_of(KINDS[name])[nth]


def described(card: int) -> Card:
    row = ROWS[KIND[card]]
    facts: dict[str, int | str | list[int] | list[str]] = {
        "kind": row.id, "edition": row.edition, "type": row.type, "level": row.level, "gold": row.gold,
        "cost": row.cost, "points": row.points,
    }  # fmt: skip
    return Card(card, row.id, {**facts, "set": row.set} if row.set else facts, row.house)


def kinds(type_: str, edition: str | None = None) -> list[str]:
    return [row.id for row in ROWS if row.type == type_ and edition in (None, row.edition)]


CARDS = tuple(described(card) for card in DECK)
CARDS_OF_OPTIONS = {
    "edition": {
        **{edition: [row.id for row in ROWS if row.edition == edition] for edition in EDITIONS},
        "premium": list(KINDS),
    },
    "uniques": {edition: kinds("unique", edition) for edition in EDITIONS},
    "extra_uniques": {"true": kinds("unique", "premium")},
    "starters": {family: kinds("starter", family) for family in STARTERS},
    "pharaohs": {"true": kinds("pharaoh")},
}
"""option -> value -> the kinds of cards that this value adds to the game"""

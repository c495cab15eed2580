"""Valeria's cards, read from data.json; tables by card id.

Citizens come first, then starters, monsters (area by area, the weakest first), domains and dukes, each in the order of
the data file with its copies side by side.
"""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from engine.kernel.data import data_of
from engine.kernel.title import Card

DATA = data_of(__package__)
FACTS = json.loads(DATA)
SLOTS: list[list[str]] = FACTS["slots"]         # the kinds of citizens that can lie in each of the ten stacks
AREAS: list[str] = [area["id"] for area in FACTS["areas"]]
ROLES = ("worker", "soldier", "shadow", "holy")
COLUMNS = 5
AT_FIVE = 5                                     # so many seats play with every card of a stack, and one of them rests

Small = Annotated[int, Meta(ge=0, le=99)]
Tokens = dict[str, Small]                       # gold, strength, magic, vp


class Filter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which citizens a reward allows: of a role, a name, up to a printed cost."""

    role: str | None = None
    named: str | None = None
    cost: int = 99


class Effect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a card does: the words that ordinary cards are written in.

    gain: tokens from the bank. each, per: tokens for every card counted. pay: optional, what the gain costs.
    choose: one of these. citizen: take one that fits. take: up to so much of one kind of token from one opponent.
    """

    gain: Tokens = {}
    each: Tokens = {}
    per: tuple[str, str] = ("", "")
    pay: Tokens = {}
    choose: tuple[Effect, ...] = ()
    citizen: Filter | None = None
    take: Tokens = {}

    @property
    def asks(self) -> bool:
        """Whether it leaves its owner anything to decide."""
        return bool(self.pay or self.choose or self.take or self.citizen is not None)


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """name: by locale."""

    id: str
    name: dict[str, str]


class Citizen(Row, frozen=True):
    """A starter has no role; it shares its `named` with the citizens that it makes dearer."""

    named: str
    activation: tuple[Annotated[int, Meta(ge=1, le=12)], ...]
    gold: Small
    role: str | None
    copies: Small
    on_turn: Effect
    off_turn: Effect
    text_on_turn: str
    text_off_turn: str


class Monster(Row, frozen=True):
    area: str
    type: str
    copies: Small
    only_at_five: Small
    strength: Small
    magic: Small
    vp: Small
    reward: Effect
    text: str


class Domain(Row, frozen=True):
    """built, start, finish: what it does when built, and at the start and the end of its owner's action phase.

    Domains with none of these have rules of their own, told by their names.
    """

    gold: Small
    roles: Tokens
    vp: Small
    text: str
    built: Effect = Effect()
    start: Effect = Effect()
    finish: Effect = Effect()


class Duke(Row, frozen=True):
    """vp_per: points for each role icon, card or titan; resources: how many left tokens make a point."""

    vp_per: Tokens
    resources: Annotated[int, Meta(ge=1, le=99)]
    text: str


class Setup(Row, frozen=True):
    """A recommended one; removed: the domains that are left out."""

    areas: tuple[str, ...]
    citizens: tuple[str, ...]
    removed: tuple[str, ...]


C = TypeVar("C")


def numbered(first: int, rows: Sequence[C], copies: Sequence[int]) -> dict[int, C]:
    """Ids from `first` on, the copies of a row side by side."""
    every = [row for row, n in zip(rows, copies, strict=True) for _ in range(n)]
    return dict(enumerate(every, first))


CITIZEN_KINDS = msgspec.convert(FACTS["citizens"], list[Citizen])
STARTER_KINDS = msgspec.convert(FACTS["starters"], list[Citizen])
MONSTER_KINDS = msgspec.convert(FACTS["monsters"], list[Monster])
DOMAIN_KINDS = msgspec.convert(FACTS["domains"], list[Domain])
DUKE_KINDS = msgspec.convert(FACTS["dukes"], list[Duke])

CITIZEN = numbered(0, CITIZEN_KINDS, [kind.copies for kind in CITIZEN_KINDS])
STARTER = numbered(len(CITIZEN), STARTER_KINDS, [kind.copies for kind in STARTER_KINDS])
MONSTER = numbered(len(CITIZEN | STARTER), MONSTER_KINDS, [kind.copies for kind in MONSTER_KINDS])
DOMAIN = numbered(len(CITIZEN | STARTER | MONSTER), DOMAIN_KINDS, [1] * len(DOMAIN_KINDS))
DUKE = numbered(len(CITIZEN | STARTER | MONSTER | DOMAIN), DUKE_KINDS, [1] * len(DUKE_KINDS))
TABLEAU = CITIZEN | STARTER                     # the cards that activate
FACES = CITIZEN | STARTER | MONSTER | DOMAIN | DUKE
COPIES = {kind: [card for card, face in FACES.items() if face.id == kind] for kind in {f.id for f in FACES.values()}}
BY_NAME = {kind.id: card for card, kind in DOMAIN.items()}
SETUPS = {named.id: named for named in msgspec.convert(FACTS["setups"], list[Setup])}
KIND = {kind.id: i for i, kind in enumerate(CITIZEN_KINDS)}
SLOT = {kind: i for i, slot in enumerate(SLOTS) for kind in slot}
AREA = {card: AREAS.index(kind.area) for card, kind in MONSTER.items()}


def cards_of(kind: str) -> list[int]:
    """Every copy of a card by the id of its kind: cards_of("archer")."""
    return COPIES[kind]


def weakest(area: int) -> tuple[int, int]:
    """Strength and magic of the monster that lies on top of an area's stack: what the stacks are sorted by."""
    return min((MONSTER[card].strength, MONSTER[card].magic) for card in MONSTER if AREA[card] == area)


def stack_of(area: int, seats: int) -> list[int]:
    """The monsters of an area, the strongest first; cards for five players only are left out below five."""
    kinds = [kind for kind in MONSTER_KINDS if kind.area == AREAS[area]]
    used = {kind.id: kind.copies - (kind.only_at_five if seats < AT_FIVE else 0) for kind in kinds}
    return [card for kind in reversed(kinds) for card in cards_of(kind.id)[: used[kind.id]]]


def back(card: int) -> int:
    """Cards of different backs, or of stacks that are never mixed, can't be taken for one another."""
    if card in CITIZEN:
        return SLOT[CITIZEN[card].id]
    return len(SLOTS) + (card in MONSTER) + 2 * (card in DOMAIN) + 3 * (card in DUKE)


def described() -> Iterator[Card]:
    """The cards as clients get them."""
    for kind, faces in (("citizen", TABLEAU), ("monster", MONSTER), ("domain", DOMAIN), ("duke", DUKE)):
        for card, face in faces.items():
            yield Card(card, face.id, {"kind": kind, **printed(face)})


def printed(face: Any) -> dict[str, Any]:
    match face:
        case Citizen():
            return {
                "activation": [*face.activation], "gold": face.gold, "roles": [face.role] if face.role else [],
                "starter": int(face.role is None),
            }  # fmt: skip
        case Monster():
            return {
                "area": face.area, "type": face.type, "strength": face.strength, "magic": face.magic, "vp": face.vp,
            }  # fmt: skip
        case Domain():
            roles = [role for role, n in face.roles.items() for _ in range(n)]
            return {"gold": face.gold, "roles": roles, "vp": face.vp}
        case _:
            return {}


CARDS = tuple(described())

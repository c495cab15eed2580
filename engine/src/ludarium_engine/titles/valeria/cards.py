"""The cards of Valeria, read from data.json, and tables keyed by card id.

Ids are assigned to citizens first, then to starters, monsters (by area, with the weakest first), domains and dukes, in the
order of the data file. Copies of a card have consecutive ids.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card

from .data_file import Citizen, Domain, File, Monster

DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
STACKS = FACTS.stacks                           # the possible kinds of citizens of each of the ten stacks
AREAS = [area.id for area in FACTS.areas]
COLUMNS = 5
AT_FIVE = 5                                     # the number of seats with which all cards are used and one seat rests
C = TypeVar("C")


def numbered(first: int, rows: Sequence[C], copies: Sequence[int]) -> dict[int, C]:
    """Assign consecutive ids, beginning with `first`, to all copies of each row."""
    every = [row for row, n in zip(rows, copies, strict=True) for _ in range(n)]
    return dict(enumerate(every, first))


CITIZEN_KINDS = FACTS.citizens
STARTER_KINDS = FACTS.starters
MONSTER_KINDS = FACTS.monsters
DOMAIN_KINDS = FACTS.domains
DUKE_KINDS = FACTS.dukes

CITIZEN = numbered(0, CITIZEN_KINDS, [kind.copies for kind in CITIZEN_KINDS])
STARTER = numbered(len(CITIZEN), STARTER_KINDS, [kind.copies for kind in STARTER_KINDS])
MONSTER = numbered(len(CITIZEN | STARTER), MONSTER_KINDS, [kind.copies for kind in MONSTER_KINDS])
DOMAIN = numbered(len(CITIZEN | STARTER | MONSTER), DOMAIN_KINDS, [1] * len(DOMAIN_KINDS))
DUKE = numbered(len(CITIZEN | STARTER | MONSTER | DOMAIN), DUKE_KINDS, [1] * len(DUKE_KINDS))
TABLEAU = CITIZEN | STARTER                     # cards that dice can activate
FACES = CITIZEN | STARTER | MONSTER | DOMAIN | DUKE
COPIES = {kind: [card for card, face in FACES.items() if face.id == kind] for kind in {f.id for f in FACES.values()}}
BY_NAME = {kind.id: card for card, kind in DOMAIN.items()}
SETUPS = {named.id: named for named in FACTS.setups}
KIND = {kind.id: i for i, kind in enumerate(CITIZEN_KINDS)}
STACK = {kind: i for i, stack in enumerate(STACKS) for kind in stack}
AREA = {card: AREAS.index(kind.area) for card, kind in MONSTER.items()}


def cards_of(kind: str) -> list[int]:
    """Return all copies of a card given the id of its kind, as in `cards_of("archer")`."""
    return COPIES[kind]


def weakest(area: int) -> tuple[int, int]:
    """Return the strength and magic of an area's weakest monster, for sorting stacks."""
    return min((MONSTER[card].strength, MONSTER[card].magic) for card in MONSTER if AREA[card] == area)


def stack_of(area: int, seats: int) -> list[int]:
    """Return an area's monsters from strongest to weakest, so that the weakest is on top.

    With fewer than five seats, the cards meant for five players are left out.
    """
    kinds = sorted((kind for kind in MONSTER_KINDS if kind.area == AREAS[area]), key=lambda kind: (kind.strength, kind.magic))
    used = {kind.id: kind.copies - (kind.only_at_five if seats < AT_FIVE else 0) for kind in kinds}
    return [card for kind in reversed(kinds) for card in cards_of(kind.id)[: used[kind.id]]]


def back(card: int) -> int:
    """Return the number of a card's back; hidden cards with the same back look alike.

    Citizens from different stacks are never mixed, so they count as having different backs.
    """
    if card in CITIZEN:
        return STACK[CITIZEN[card].id]
    return len(STACKS) + (card in MONSTER) + 2 * (card in DOMAIN) + 3 * (card in DUKE)


def described() -> Iterator[Card]:
    """Yield the cards as published to clients."""
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

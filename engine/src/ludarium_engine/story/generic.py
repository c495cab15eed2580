"""Sentences for what no rule says anything about, so that a new title can be read from its first day."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.kernel.choices import NUMBER
from ludarium_engine.kernel.describe import piece
from ludarium_engine.kernel.drawing import BY_SEAT
from ludarium_engine.kernel.facts import AnyFact, Became, Counted, Moved, Revealed, Rolled, Shuffled
from ludarium_engine.kernel.slots import entry_index, field_number
from ludarium_engine.kernel.title import Title

AnyTitle = Title[Any, Any]
Cards = Moved | Revealed                        # facts that move or show cards
Generic = tuple[Message, int | None]            # and whose doing it seems to be


def generic(title: AnyTitle, facts: Iterable[AnyFact]) -> Iterator[Generic]:
    """One sentence for what happened between the same slots; none of zones that no client draws."""
    there = drawn(title)
    for group in alike(facts):
        slots = slots_of(group[0])
        if any(field_number(slot) in there for slot in slots):
            yield from ((message, owner(title, slots)) for message in messages_about(title, group))


@lru_cache
def drawn(title: AnyTitle) -> frozenset[int]:
    """The numbers of the fields that clients draw: of all, where the title does not say which."""
    zones = {spot.zone for spot in title.spots}
    return frozenset(n for n, field in enumerate(title.layout.fields) if not zones or field.name in zones)


@lru_cache
def beside_seats(title: AnyTitle) -> frozenset[int]:
    """The numbers of those that are drawn before each seat."""
    zones = {spot.zone for spot in title.spots if spot.at == BY_SEAT}
    return frozenset(n for n, field in enumerate(title.layout.fields) if field.name in zones)


def alike(facts: Iterable[AnyFact]) -> list[list[Any]]:
    groups: dict[object, list[AnyFact]] = {}
    for fact in facts:
        groups.setdefault((type(fact), *slots_of(fact)), []).append(fact)
    return [*groups.values()]


def slots_of(fact: Any) -> tuple[int, ...]:
    return (fact.src, fact.dst) if isinstance(fact, Moved) else (fact.slot,)


def messages_about(title: AnyTitle, group: list[Any]) -> Iterator[Message]:
    last = group[-1]
    there = [slot(title, where) for where in slots_of(last)]
    match last:
        case Moved() | Revealed():
            cards = Piece("cards", [card for fact in group for card in fact.cards])
            yield Message("story.moved" if isinstance(last, Moved) else "story.shown", [cards, *there])
        case Counted():
            by = sum(fact.by for fact in group)
            yield from [Message("story.more" if by > 0 else "story.less", [*there, Piece("number", abs(by))])] if by else []
        case Became(where, value) | Rolled(where, value) if type(value) is int:
            of = title.numbers.get(title.layout.fields[field_number(where)].name, NUMBER)
            yield from [Message("story.became", [*there, piece(of, value)])] if value >= 0 else []
        case Shuffled():
            yield Message("story.shuffled", there)


def slot(title: AnyTitle, where: int) -> Piece:
    """A zone by its name, or an entry of it."""
    name, index = title.layout.fields[field_number(where)].name, entry_index(where)
    return Piece("text", f"zone.{name}") if index < 0 else Piece("slot", index, name)


def owner(title: AnyTitle, slots: Iterable[int]) -> int | None:
    """The seat before which one of these slots lies."""
    owned = [entry_index(where) for where in slots if field_number(where) in beside_seats(title)]
    return owned[0] if owned and owned[0] >= 0 else None

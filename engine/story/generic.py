"""Sentences for what no rule says anything about, so that a new title can be read from its first day."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.kernel.bodies import Message, Piece
from engine.kernel.describe import piece
from engine.kernel.drawing import BY_SEAT
from engine.kernel.facts import AnyFact, Became, Counted, Moved, Revealed, Rolled, Shuffled
from engine.kernel.places import field_of, index_of
from engine.kernel.title import NUMBER, Title

AnyTitle = Title[Any, Any]
Cards = Moved | Revealed                        # facts that move or show cards
Generic = tuple[Message, int | None]            # and whose doing it seems to be


def generic(title: AnyTitle, facts: Iterable[AnyFact]) -> Iterator[Generic]:
    """One sentence for what happened between the same places; none of zones that no client draws."""
    drawn = {spot.zone for spot in title.spots} or {field.name for field in title.layout.fields}
    for group in alike(facts):
        places = places_of(group[0])
        if any(title.layout.fields[field_of(place)].name in drawn for place in places):
            yield from ((message, owner(title, places)) for message in told(title, group))


def alike(facts: Iterable[AnyFact]) -> list[list[Any]]:
    groups: dict[object, list[AnyFact]] = {}
    for fact in facts:
        groups.setdefault((type(fact), *places_of(fact)), []).append(fact)
    return [*groups.values()]


def places_of(fact: Any) -> tuple[int, ...]:
    return (fact.src, fact.dst) if isinstance(fact, Moved) else (fact.place,)


def told(title: AnyTitle, group: list[Any]) -> Iterator[Message]:
    last = group[-1]
    there = [place(title, where) for where in places_of(last)]
    match last:
        case Moved() | Revealed():
            cards = Piece("cards", [card for fact in group for card in fact.cards])
            yield Message("story.moved" if isinstance(last, Moved) else "story.shown", [cards, *there])
        case Counted():
            by = sum(fact.by for fact in group)
            yield from [Message("story.more" if by > 0 else "story.less", [*there, Piece("number", abs(by))])] if by else []
        case Became(where, value) | Rolled(where, value) if type(value) is int:
            of = title.numbers.get(title.layout.fields[field_of(where)].name, NUMBER)
            yield from [Message("story.became", [*there, piece(title.layout, of, value)])] if value >= 0 else []
        case Shuffled():
            yield Message("story.shuffled", there)


def place(title: AnyTitle, where: int) -> Piece:
    """A zone by its name, or an entry of it."""
    name, index = title.layout.fields[field_of(where)].name, index_of(where)
    return Piece("text", f"zone.{name}") if index < 0 else Piece("place", index, name)


def owner(title: AnyTitle, places: Iterable[int]) -> int | None:
    """The seat before which one of these places lies."""
    beside = {spot.zone for spot in title.spots if spot.at == BY_SEAT}
    owned = [index_of(where) for where in places if title.layout.fields[field_of(where)].name in beside]
    return owned[0] if owned and owned[0] >= 0 else None

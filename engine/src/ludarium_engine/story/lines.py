"""The lines of an event: what its rules say, and sentences of everybody's for what they say nothing about.

A sentence is about the facts that stand before it in its turn, up to the sentence before; of cards, about those that it
points to.

See docs/decisions/028.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.kernel.choices import NUMBER, SEAT
from ludarium_engine.kernel.describe import piece
from ludarium_engine.kernel.drawing import BY_SEAT
from ludarium_engine.kernel.facts import (
    Admitted,
    AnyFact,
    Became,
    Counted,
    Ended,
    Event,
    Moved,
    Revealed,
    Rolled,
    Said,
    Shuffled,
    Told,
    TurnPassed,
)
from ludarium_engine.kernel.slots import entry_index, field_number
from ludarium_engine.kernel.title import Title

AnyTitle = Title[Any, Any]
Sentence = Said | Told | Admitted
CARDS = frozenset({Moved, Revealed})
SEEN = CARDS | {Counted, Became, Rolled, Shuffled}
"""What a sentence can be about."""


class LineBody(msgspec.Struct, frozen=True):
    """What happened, in one sentence. seat: whose doing it is, where it is somebody's; turn: here that seat's turn begins."""

    message: Message
    seat: int | None
    turn: bool = False


def lines(title: AnyTitle, event: Event) -> list[LineBody]:
    """Of an event that was redacted before (`redact_event`)."""
    told: list[LineBody] = []
    left: list[AnyFact] = []
    pointed = pointed_to(event.facts)
    for nth, fact in enumerate(event.facts):
        kind = type(fact)
        if kind in SEEN:
            if nth not in pointed:
                left.append(fact)
        elif isinstance(fact, Sentence):
            if left:                            # it is about the rest
                told += lines_without_sentence(title, [fact for fact in left if type(fact) in CARDS])
                left.clear()
            told.append(sentence(title, event.facts, fact))
        elif isinstance(fact, TurnPassed | Ended):
            told += [*lines_without_sentence(title, left), turn_or_end(fact)]
            left.clear()
    return told + lines_without_sentence(title, left)


def pointed_to(facts: Iterable[AnyFact]) -> set[int]:
    """Which facts sentences name the cards of."""
    return {nth for fact in facts if type(fact) is Said for arg in fact.args if type(arg) is tuple for nth in arg}


def pointers(fact: AnyFact) -> list[tuple[int, ...]]:
    """To the facts whose cards a sentence names."""
    return [arg for arg in fact.args if isinstance(arg, tuple)] if isinstance(fact, Said) else []


def lines_without_sentence(title: AnyTitle, left: Sequence[AnyFact]) -> list[LineBody]:
    """Of what no sentence has been about."""
    return [LineBody(message, seat) for message, seat in generic(title, left)] if left else []


def turn_or_end(fact: TurnPassed | Ended) -> LineBody:
    if isinstance(fact, Ended):
        return LineBody(Message("story.over"), None)
    return LineBody(Message("story.turn", [Piece("seat", fact.seat)]), fact.seat, turn=True)


def sentence(title: AnyTitle, facts: Sequence[AnyFact], fact: Sentence) -> LineBody:
    return plain(title, fact) or with_cards(title, facts, fact)


@lru_cache(maxsize=1 << 12)
def plain(title: AnyTitle, fact: Sentence) -> LineBody | None:
    """Of one that names no cards of facts: it says the same wherever it stands."""
    return None if pointers(fact) else with_cards(title, (), fact)


def with_cards(title: AnyTitle, facts: Sequence[AnyFact], fact: Sentence) -> LineBody:
    message, kinds = spoken(title, fact)
    pieces: list[Piece] = []
    seat = None
    for kind, arg in zip(kinds, fact.args, strict=True):
        if isinstance(arg, tuple):
            pieces.append(Piece("cards", cards_of(facts, arg)))
            continue
        pieces.append(piece(kind, arg))
        if kind == SEAT and seat is None:
            seat = arg
    return LineBody(Message(message, pieces), seat)


def spoken(title: AnyTitle, fact: Sentence) -> tuple[str, Sequence[str]]:
    """The message id, and what its parameters are."""
    match fact:
        case Said(what):
            return f"said.{what}", title.sentences[what]
        case Told(what):
            return f"told.{what}", title.disclosures[what]
        case Admitted(what, _, answer):
            predicate = title.predicates[what]
            return f"admit.{what}.{predicate.words[answer]}", predicate.args


def cards_of(facts: Sequence[AnyFact], which: Iterable[int]) -> list[int]:
    """The cards of the facts that a sentence points to."""
    return [card for nth in which for card in facts[nth].cards]  # type: ignore[union-attr]


# --- sentences for what no rule says anything about, so that a new title can be read from its first day ---------------
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

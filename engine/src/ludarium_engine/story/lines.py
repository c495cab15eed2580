"""Create the game log lines of an event.

A line is a sentence that the title's rules wrote or, for facts that no such sentence covers, a generic sentence. A sentence
covers the facts since the previous sentence of the turn, except that it covers facts with cards only if it points to them.

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
"""The types of facts that a sentence can be about."""


class LineBody(msgspec.Struct, frozen=True):
    """A sentence of the game log.

    `seat` is the seat that acted, or null if no seat did. `turn` says whether this sentence begins the seat's turn.
    """

    message: Message
    seat: int | None
    turn: bool = False


def lines(title: AnyTitle, event: Event) -> list[LineBody]:
    """Return the log lines of an event that was redacted by `redact_event`."""
    told: list[LineBody] = []
    left: list[AnyFact] = []
    pointed = pointed_to(event.facts)
    for nth, fact in enumerate(event.facts):
        kind = type(fact)
        if kind in SEEN:
            if nth not in pointed:
                left.append(fact)
        elif isinstance(fact, Sentence):
            if left:                            # the sentence covers the facts without cards
                told += lines_without_sentence(title, [fact for fact in left if type(fact) in CARDS])
                left.clear()
            told.append(sentence(title, event.facts, fact))
        elif isinstance(fact, TurnPassed | Ended):
            told += [*lines_without_sentence(title, left), turn_or_end(fact)]
            left.clear()
    return told + lines_without_sentence(title, left)


def pointed_to(facts: Iterable[AnyFact]) -> set[int]:
    """Return the indices of the facts whose cards are named in sentences."""
    return {nth for fact in facts if type(fact) is Said for arg in fact.args if type(arg) is tuple for nth in arg}


def pointers(fact: AnyFact) -> list[tuple[int, ...]]:
    """Return the sentence parameters that point to facts, as tuples of fact indices."""
    return [arg for arg in fact.args if isinstance(arg, tuple)] if isinstance(fact, Said) else []


def lines_without_sentence(title: AnyTitle, left: Sequence[AnyFact]) -> list[LineBody]:
    """Return generic lines for facts that no sentence covers."""
    return [LineBody(message, seat) for message, seat in generic(title, left)] if left else []


def turn_or_end(fact: TurnPassed | Ended) -> LineBody:
    if isinstance(fact, Ended):
        return LineBody(Message("story.over"), None)
    return LineBody(Message("story.turn", [Piece("seat", fact.seat)]), fact.seat, turn=True)


def sentence(title: AnyTitle, facts: Sequence[AnyFact], fact: Sentence) -> LineBody:
    return plain(title, fact) or with_cards(title, facts, fact)


@lru_cache(maxsize=1 << 12)
def plain(title: AnyTitle, fact: Sentence) -> LineBody | None:
    """Return a sentence's line, or None if the sentence points to facts.

    The lines are cached.
    """
    return None if pointers(fact) else with_cards(title, (), fact)


def with_cards(title: AnyTitle, facts: Sequence[AnyFact], fact: Sentence) -> LineBody:
    """Return a sentence's line with the cards to which the sentence points.

    The first seat that the sentence names is the actor.
    """
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
    """Return a sentence's message id and the kinds of its parameters."""
    match fact:
        case Said(what):
            return f"said.{what}", title.sentences[what]
        case Told(what):
            return f"told.{what}", title.disclosures[what]
        case Admitted(what, _, answer):
            predicate = title.predicates[what]
            return f"admit.{what}.{predicate.words[answer]}", predicate.args


def cards_of(facts: Sequence[AnyFact], which: Iterable[int]) -> list[int]:
    """Return the cards of the facts with these indices."""
    return [card for nth in which for card in facts[nth].cards]  # type: ignore[union-attr]


# --- generic sentences for facts without one, so that a new title has a readable game log from the start ---------------------
Cards = Moved | Revealed                        # facts that move or reveal cards
Generic = tuple[Message, int | None]            # a message, and the seat that it is probably about


def generic(title: AnyTitle, facts: Iterable[AnyFact]) -> Iterator[Generic]:
    """Yield a generic sentence for each group of facts with the same slots.

    A slot is a zone or one entry of a zone. Facts about zones that clients do not draw are left out.
    """
    there = drawn(title)
    for group in alike(facts):
        slots = slots_of(group[0])
        if any(field_number(slot) in there for slot in slots):
            yield from ((message, owner(title, slots)) for message in messages_about(title, group))


@lru_cache
def drawn(title: AnyTitle) -> frozenset[int]:
    """Return the numbers of the fields that clients draw.

    Clients draw all fields if the title declares no spots, which are the places where zones are drawn.
    """
    zones = {spot.zone for spot in title.spots}
    return frozenset(n for n, field in enumerate(title.layout.fields) if not zones or field.name in zones)


@lru_cache
def beside_seats(title: AnyTitle) -> frozenset[int]:
    """Return the numbers of the fields that clients draw next to each seat."""
    zones = {spot.zone for spot in title.spots if spot.at == BY_SEAT}
    return frozenset(n for n, field in enumerate(title.layout.fields) if field.name in zones)


def alike(facts: Iterable[AnyFact]) -> list[list[Any]]:
    """Group facts by type and slots, in order of first appearance."""
    groups: dict[object, list[AnyFact]] = {}
    for fact in facts:
        groups.setdefault((type(fact), *slots_of(fact)), []).append(fact)
    return [*groups.values()]


def slots_of(fact: Any) -> tuple[int, ...]:
    return (fact.src, fact.dst) if isinstance(fact, Moved) else (fact.slot,)


def messages_about(title: AnyTitle, group: list[Any]) -> Iterator[Message]:
    """Yield the generic message about a group of facts, if there is one.

    There is no message for hidden numbers, lists of numbers, or changes whose sum is 0.
    """
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
    """Return the message parameter that names a slot, i.e. a zone or one of its entries."""
    name, index = title.layout.fields[field_number(where)].name, entry_index(where)
    return Piece("text", f"zone.{name}") if index < 0 else Piece("slot", index, name)


def owner(title: AnyTitle, slots: Iterable[int]) -> int | None:
    """Return the seat whose area contains the first slot drawn next to a seat, if any."""
    owned = [entry_index(where) for where in slots if field_number(where) in beside_seats(title)]
    return owned[0] if owned and owned[0] >= 0 else None

"""The lines of an event: what its rules say, and sentences of everybody's for what they say nothing about.

A sentence is about the facts that stand before it in its turn, up to the sentence before; of cards, about those that it
points to.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engine.kernel.bodies import Message, Piece
from engine.kernel.describe import piece
from engine.kernel.facts import (
    Admitted,
    AnyFact,
    Became,
    Counted,
    Ended,
    Event,
    Rolled,
    Said,
    Shuffled,
    Told,
    TurnPassed,
)
from engine.kernel.title import SEAT, Title
from engine.story.generic import Cards, generic

AnyTitle = Title[Any, Any]
Sentence = Said | Told | Admitted


class LineBody(msgspec.Struct, frozen=True):
    """What happened, in one sentence. seat: whose doing it is, where it is somebody's; turn: here that seat's turn begins."""

    message: Message
    seat: int | None
    turn: bool = False


def lines(title: AnyTitle, event: Event) -> list[LineBody]:
    """Of an event that was redacted before (`facts_for`)."""
    told, left = [], Left(title, event.facts)
    for nth, fact in enumerate(event.facts):
        match fact:
            case Said() | Told() | Admitted():
                told += [*left.cards(), sentence(title, event.facts, fact)]
            case TurnPassed(seat):
                told += [*left.all(), LineBody(Message("story.turn", [Piece("seat", seat)]), seat, turn=True)]
            case Ended():
                told += [*left.all(), LineBody(Message("story.over"), None)]
            case _:
                left.take_in(nth, fact)
    return [*told, *left.all()]


class Left:
    """What no sentence has been about yet."""

    def __init__(self, title: AnyTitle, facts: Iterable[AnyFact]) -> None:
        self.title, self.facts = title, list[AnyFact]()
        self.pointed = {nth for fact in facts for cards in pointers(fact) for nth in cards}

    def take_in(self, nth: int, fact: AnyFact) -> None:
        if isinstance(fact, Cards | Counted | Became | Rolled | Shuffled) and nth not in self.pointed:
            self.facts.append(fact)

    def cards(self) -> list[LineBody]:
        """A sentence comes: it is about the rest."""
        self.facts = [fact for fact in self.facts if isinstance(fact, Cards)]
        return self.all()

    def all(self) -> list[LineBody]:
        found = [LineBody(message, seat) for message, seat in generic(self.title, self.facts)]
        self.facts.clear()
        return found


def pointers(fact: AnyFact) -> list[tuple[int, ...]]:
    return [arg for arg in fact.args if isinstance(arg, tuple)] if isinstance(fact, Said) else []


def sentence(title: AnyTitle, facts: Sequence[AnyFact], fact: Sentence) -> LineBody:
    message, kinds = spoken(title, fact)
    pieces = [
        Piece("cards", cards_of(facts, arg)) if isinstance(arg, tuple) else piece(title.layout, kind, arg)
        for kind, arg in zip(kinds, fact.args, strict=True)
    ]
    seat = next((arg for kind, arg in zip(kinds, fact.args, strict=True) if kind == SEAT and isinstance(arg, int)), None)
    return LineBody(Message(message, pieces), seat)


def spoken(title: AnyTitle, fact: Sentence) -> tuple[str, Sequence[str]]:
    """The message id, and what its parameters are."""
    match fact:
        case Said(what):
            return f"said.{what}", title.says[what]
        case Told(what):
            return f"told.{what}", title.told[what]
        case Admitted(what, _, answer):
            predicate = title.predicates[what]
            return f"admit.{what}.{predicate.words[answer]}", predicate.args


def cards_of(facts: Sequence[AnyFact], which: Iterable[int]) -> list[int]:
    """The cards of the facts that a sentence points to."""
    return [card for nth in which for card in facts[nth].cards]  # type: ignore[union-attr]

"""A game decided again: would the rules of today come to the facts that are stored, and the seed to the draws in them?"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel import Chance, Event, Illegal, RulesError, State, Title, decide, evolve, new_game
from ludarium_engine.kernel.draws import matches_seed

AnyTitle = Title[Any, Any]


def first_difference(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """The number of the first event that the rules would not have made; None if they would make them all.

    events: the set-up and what followed, commands of seats only (no preferences).
    """
    s, setup = new_game(title, options, seats, chance)
    if setup.facts != events[0].facts:
        return 0
    for nth, event in enumerate(events[1:], 1):
        if facts_again(title, s, event, chance) != event.facts:
            return nth
        evolve(s, event)
    return None


def facts_again(title: AnyTitle, s: State, event: Event, chance: Chance) -> list[Any] | None:
    """What the rules make of the event's action; None if they refuse it."""
    try:
        return [*decide(title, s, event.seat, event.action, chance)[1].facts]
    except (Illegal, RulesError):
        return None


def first_false_draw(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """The number of the first event with a shuffle or a die that the seed does not give. Folds; runs no rule."""
    s = title.blank(options, seats)
    for nth, event in enumerate(events):
        for fact in event.facts:
            if not matches_seed(s, fact, chance):
                return nth
            fact.apply(s)
    return None

"""Compare stored facts and draws with those of the present rules and the seed."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel import Chance, Event, Illegal, RulesError, State, Title, decide, evolve, new_game
from ludarium_engine.kernel.draws import matches_seed

AnyTitle = Title[Any, Any]


def first_difference(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """Return the index of the first event that the rules decide differently, or None.

    Args:
        events: the set-up and the commands of seats that followed, without preferences.
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
    """Return the facts that the rules give for the event; None if they reject it."""
    try:
        return [*decide(title, s, event.seat, event.action, chance)[1].facts]
    except (Illegal, RulesError):
        return None


def first_false_draw(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """Return the index of the first event with a draw that the seed does not give.

    None if there is no such event. No rule is run.
    """
    s = title.blank(options, seats)
    for nth, event in enumerate(events):
        for fact in event.facts:
            if not matches_seed(s, fact, chance):
                return nth
            fact.apply(s)
    return None

"""Compare stored facts and draws with those that the current rules and the seed give."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ludarium_engine.kernel import Chance, Event, Illegal, RulesError, State, Title, decide, evolve, new_game
from ludarium_engine.kernel.draws import matches_seed

AnyTitle = Title[Any, Any]


def first_difference(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """Return the index of the first event that the rules decide differently, or None.

    Args:
        title: the title with the current rules.
        options: the options of the game.
        chance: the random numbers from the game's seed.
        seats: the number of seats.
        events: the set-up and all later commands of seats, except changed preferences.
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
    """Return the facts that the rules give for an event's command, or None if illegal."""
    try:
        return [*decide(title, s, event.seat, event.action, chance)[1].facts]
    except (Illegal, RulesError):
        return None


def first_false_draw(title: AnyTitle, options: Any, chance: Chance, seats: int, events: Sequence[Event]) -> int | None:
    """Return the index of the first event with a draw that does not follow from the seed.

    Returns:
        None if there is no such event. No rules are run.
    """
    s = title.blank(options, seats)
    for nth, event in enumerate(events):
        for fact in event.facts:
            if not matches_seed(s, fact, chance):
                return nth
            fact.apply(s)
    return None

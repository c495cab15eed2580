"""Check that folding redacted events, as clients do, produces the server's view."""
from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from ludarium_engine.kernel import SPECTATOR, Event, State, decide, legal_offers, new_game, redact_event, seats_to_act
from ludarium_engine.kernel.contract import set_preference
from ludarium_engine.kernel.observations import evolve_seen
from ludarium_engine.kernel.scripts import all_pass_names, windows
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of
from ludarium_engine.testkit.sample import random_action

PREFERENCES = 0.02
"""The probability that a seat changes a preference to pass instead of answering."""


class Seen(NamedTuple):
    """An event as sent to an audience, with the audience's view after the event."""

    audience: int
    event: Event
    view: State


def audiences(seats: int) -> list[int]:
    return [SPECTATOR, *range(seats)]


def seen_game(case: Case, seed: int) -> Iterator[list[Seen]]:
    """Play a random game and yield, for each event, what every audience sees.

    The first event is the set-up.
    """
    title, random, chance = case.title, Random(seed), chance_of(seed)
    s, event = new_game(title, case.options, case.seats, chance)
    while True:
        yield [shown(title, s, event, audience) for audience in audiences(case.seats)]
        if not seats_to_act(s):
            return
        s, event = random_event(title, s, random, chance)


def shown(title: AnyTitle, s: State, event: Event, audience: int) -> Seen:
    return Seen(audience, redact_event(title.layout, event, audience), title.layout.view(s, audience))


def random_event(title: AnyTitle, s: State, random: Random, chance: Any) -> tuple[State, Event]:
    seat = random.choice(seats_to_act(s))
    if windows(title) and random.random() < PREFERENCES:
        name = random.choice(all_pass_names(title, random.choice(windows(title))))
        return set_preference(title, s, seat, name, random.random() < 0.7)
    return decide(title, s, seat, random_action(legal_offers(title, s, seat), random), chance)


def check(case: Case, seed: int) -> int:
    """Play a random game, check all folded views and return how many were checked.

    Raises:
        AssertionError: a folded view differs from the server's; the message names the event, the audience and the fields.
    """
    checked, before = 0, {a: case.title.layout.view(blank(case), a) for a in audiences(case.seats)}
    for n, looks in enumerate(seen_game(case, seed)):
        for audience, event, view in looks:
            folded = evolve_seen(case.title.layout, before[audience], event, audience)
            wrong = differences(case.title, folded, view)
            assert not wrong, f"{case.command('fuzz', seed)}: event {n}, audience {audience}: {wrong}"
            before[audience], checked = folded, checked + 1
    return checked


def blank(case: Case) -> State:
    state: State = case.title.blank(case.options, case.seats)
    return state


def differences(title: AnyTitle, folded: State, view: State) -> list[str]:
    """Return the names of the fields that differ between two views."""
    names = [*(f.name for f in title.layout.fields), "turn", "outcome", "always_passes"]
    return [name for name in names if getattr(folded, name) != getattr(view, name)]

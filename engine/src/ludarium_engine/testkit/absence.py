"""Play random games in which absent seats give the title's default answers."""
from __future__ import annotations

from collections.abc import Collection
from random import Random

from ludarium_engine.kernel import Action, State, decide, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of
from ludarium_engine.testkit.sample import random_action

MOST = 5000
"""The most events that a game may have if every seat is absent."""


def by_default(title: AnyTitle, s: State, seat: int) -> Action:
    """Return the title's default answer for an absent seat."""
    choice = describe_choice(title, s, seat)
    assert choice is not None
    offer, subset = title.default_answer(describe_view(title, s, seat), choice)
    return action_of(offer, subset)


def is_new(kinds: set[str], title: AnyTitle, s: State, seat: int) -> bool:
    """Add the seat's current prompt to `kinds` and return whether it was missing."""
    choice = describe_choice(title, s, seat)
    assert choice is not None
    new = choice.prompt.id not in kinds
    kinds.add(choice.prompt.id)
    return new


def play(
    case: Case, seed: int, away: Collection[int], leave: float = 0.0, kinds: set[str] | None = None
) -> tuple[int, list[int]]:
    """Play a game in which seats leave, and return (number of events, outcome).

    The title's standing is checked before each answer.

    Args:
        case: the title with its options and the number of seats.
        seed: the seed of the game and of the players' decisions.
        away: seats that are absent from the beginning.
        leave: the probability that the next seat to answer leaves for good.
        kinds: ids of prompts. A seat also leaves when it gets a prompt that is not in this set; the prompt's id is then added.

    Raises:
        Illegal: a default answer is not legal.
    """
    title, chance, rng = case.title, chance_of(seed), Random(seed)
    s, _ = new_game(title, case.options, case.seats, chance)
    gone, events = {*away}, 1
    while s.outcome is None:
        check_places(title.standing(s), case.seats)
        seat = rng.choice(seats_to_act(s))
        if rng.random() < leave or (kinds is not None and seat not in gone and is_new(kinds, title, s, seat)):
            gone.add(seat)
        action = by_default(title, s, seat) if seat in gone else random_action(legal_offers(title, s, seat), rng)
        s, _ = decide(title, s, seat, action, chance)
        events += 1
        assert events < (MOST if len(gone) == case.seats else title.most_events + MOST), "the game does not end"
    return events, [*s.outcome]


def check_places(places: object, seats: int) -> None:
    """Assert that each seat's place is one more than the number of seats ahead.

    In a solo game, the place may be any number.
    """
    assert isinstance(places, list) and len(places) == seats
    if seats > 1:
        assert places == [1 + sum(other < own for other in places) for own in places], places

"""Count the possible action sequences from a position, to detect changed rules.

Chess programmers call such a count perft (performance test).
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from ludarium_engine.kernel import Action, Chance, Offer, State, Title, act_in_place, clone, legal_offers, seats_to_act


def actions(offer: Offer) -> Iterator[Action]:
    """Yield every action that the offer allows, with each subset in one order only."""
    pool = offer.pool
    subsets = (c for n in range(len(pool) + 1) for c in combinations(pool, n)) if pool else [()]
    return (Action(offer.verb, offer.args + subset) for subset in subsets if not pool or offer.allows_subset(subset))


def answers(title: Title[Any, Any], s: State, seat: int) -> list[Action]:
    """Return all legal actions of a seat, with each subset in one order only."""
    return [action for offer in legal_offers(title, s, seat) for action in actions(offer)]


def perft(title: Title[Any, Any], s: State, chance: Chance, depth: int) -> int:
    """Count the sequences of `depth` actions.

    If several seats must act, the lowest seat goes first.
    """
    if depth == 0:
        return 1
    asked = seats_to_act(s)
    if not asked:
        return 0
    seat = min(asked)
    if depth == 1:
        return len(answers(title, s, seat))
    return sum(perft(title, after(title, s, seat, action, chance), chance, depth - 1)
               for action in answers(title, s, seat))


def after(title: Title[Any, Any], s: State, seat: int, action: Action, chance: Chance) -> State:
    copy = clone(s)
    act_in_place(title, copy, seat, action, chance)
    return copy

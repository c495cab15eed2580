"""Pick random legal actions."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from ludarium_engine.kernel import Action, Offer, State, Title, legal_offers, seats_to_act


def random_action_of(offer: Offer, rng: Random) -> Action:
    """Return a random action that the offer allows.

    Raises:
        ValueError: no subset is within the offer's bounds.
    """
    pieces = rng.sample(offer.pool, len(offer.pool))
    greed = rng.random() if pieces else 0
    return Action(offer.verb, offer.args + tuple(subset(offer, pieces, lambda: rng.random() < greed)))


def subset(offer: Offer, pieces: Sequence[int], wants: Callable[[], bool]) -> Iterator[int]:
    """Yield the pieces of a subset that is within the offer's bounds.

    Args:
        offer: the offer.
        pieces: the pieces to choose from.
        wants: called for each piece that may be either taken or left; the piece is taken if the function returns True.

    Raises:
        ValueError: no subset is within the bounds.
    """
    if not pieces:
        return
    worth = [offer.worth_of(piece) for piece in pieces]
    rest, total = reachable(worth), 0
    if not within(offer, total, rest[0]):
        raise ValueError(f"{offer.id}: no subset is worth {offer.least} to {offer.most}")
    for piece, value, left in zip(pieces, worth, rest[1:], strict=True):
        may_take, may_leave = within(offer, total + value, left), within(offer, total, left)
        if may_take and (not may_leave or wants()):
            total += value
            yield piece


def reachable(worth: Sequence[int]) -> list[int]:
    """Return the subset sums of each suffix as bit sets, in which bit k means sum k."""
    sums = [1]
    for value in reversed(worth):
        sums.append(sums[-1] | sums[-1] << value)
    return sums[::-1]


def within(offer: Offer, total: int, sums: int) -> bool:
    """Return whether the total plus one of the sums is within the offer's bounds.

    Args:
        offer: the offer.
        total: the worth of the pieces taken so far.
        sums: the sums that the remaining pieces can add, as a bit set.
    """
    least, most = max(0, offer.least - total), offer.most - total
    return most >= least and (sums >> least) & ((1 << (most - least + 1)) - 1) != 0


def random_move(title: Title[Any, Any], s: State, rng: Random) -> tuple[int, Action]:
    """Return a random seat that must act, and a random legal action of this seat."""
    seat = rng.choice(seats_to_act(s))
    return seat, random_action(legal_offers(title, s, seat), rng)


def random_action(offers: Sequence[Offer], rng: Random) -> Action:
    return random_action_of(rng.choice(offers), rng)

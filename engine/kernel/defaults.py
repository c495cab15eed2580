"""What is answered for a seat whose player is away: the least that may be, found in its view and its choice alone."""
from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from engine.kernel.bodies import ChoiceBody, Subset, ViewBody

DEFAULT = "default"                             # its name, where a bot's would stand


class Reply(NamedTuple):
    """An offer by its id, and a subset of its pool where it has one."""

    offer: str
    subset: tuple[int, ...] = ()


Default = Callable[[ViewBody, ChoiceBody], Reply]


def reluctant(*verbs: str) -> Default:
    """The first offer of the verb that is named first, else the last one of all; with the smallest subset that it allows."""

    def reply(view: ViewBody, choice: ChoiceBody) -> Reply:
        named = (offer for verb in verbs for offer in choice.offers if offer.verb == verb)
        offer = next(named, choice.offers[-1])
        return Reply(offer.id, smallest(offer.subset) if offer.subset else ())

    return reply


def smallest(subset: Subset) -> tuple[int, ...]:
    """Of as few pieces as can be."""
    worth = dict(zip(subset.pool, subset.worth, strict=True)) if subset.worth else dict.fromkeys(subset.pool, 1)
    subsets = (pieces for size in range(len(subset.pool) + 1) for pieces in combinations(subset.pool, size))
    return next(pieces for pieces in subsets if subset.least <= sum(worth[piece] for piece in pieces) <= subset.most)

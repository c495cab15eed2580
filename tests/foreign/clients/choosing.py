"""Random answers to questions, for the classes that any generator makes."""

import random
from collections.abc import Sequence
from typing import Any


def any_action(offers: Sequence[Any], luck: random.Random) -> tuple[str, list[int] | None]:
    """Return the id of a random offer and, if the offer has a pool, the chosen pieces."""
    for offer in luck.sample(list(offers), len(offers)):
        if not offer.subset:
            return offer.id, None
        pieces = chosen(offer.subset, luck)
        if pieces is not None:
            return offer.id, pieces
    raise RuntimeError("no offer can be taken")


def chosen(subset: Any, luck: random.Random) -> list[int] | None:
    """Return random pieces that may be chosen, or None if none are found."""
    worth = subset.worth or [1] * len(subset.pool)
    for _ in range(200):
        order = luck.sample(range(len(subset.pool)), len(subset.pool))
        for count in range(len(order) + 1):
            if subset.least <= sum(worth[each] for each in order[:count]) <= subset.most:
                return [subset.pool[each] for each in order[:count]]
    return None

"""Any answer to what one is asked, with whatever classes a generator has made of the document."""

import random
from collections.abc import Sequence
from typing import Any


def any_action(offers: Sequence[Any], luck: random.Random) -> tuple[str, list[int] | None]:
    """The id of an offer and, where it has a pool, what to choose of it."""
    for offer in luck.sample(list(offers), len(offers)):
        if not offer.subset:
            return offer.id, None
        pieces = chosen(offer.subset, luck)
        if pieces is not None:
            return offer.id, pieces
    raise RuntimeError("no offer can be taken")


def chosen(subset: Any, luck: random.Random) -> list[int] | None:
    """Pieces that may be chosen, if chance finds some."""
    worth = subset.worth or [1] * len(subset.pool)
    for _ in range(200):
        order = luck.sample(range(len(subset.pool)), len(subset.pool))
        for count in range(len(order) + 1):
            if subset.least <= sum(worth[each] for each in order[:count]) <= subset.most:
                return [subset.pool[each] for each in order[:count]]
    return None

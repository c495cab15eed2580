"""Every declaration that is not public, opened one at a time: the non-interference proof must notice each of them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.kernel.slots import REMEMBERED
from engine.proof.eyes import FACTS, ZONE, AnyTitle, Eyes, Looks, Secret, is_secret, secrets
from engine.proof.fuzz import Case
from engine.proof.steps import steps_of
from engine.proof.worlds import DIFFERS, MOST_EVENTS, trials_of

COVERED = "covered: everybody saw what went in, which is proven at every move"
UNUSED = "not used by this title: it never differs between two worlds"
NO_CARDS = "not proven: only cards are dealt anew, and no number here ever differed"


class Flip(NamedTuple):
    """name: the declaration; noticed: whether the proof failed once it was open, None (and why) if there is no secret.

    trials: how many it took until one failed, or all.
    """

    name: str
    noticed: bool | None
    trials: int
    why: str = ""


def flips(title: AnyTitle, cases: Sequence[Case], seeds: Sequence[int]) -> Iterator[Flip]:
    numbers = {ZONE + field.name for field in title.layout.fields if not field.cards}
    for name in secrets(title):
        used, tried = differs(Secret(title, name), cases, seeds) if happens(name, cases, seeds) else (False, 0)
        if used:
            yield Flip(name, *differs(Eyes(title, name), cases, seeds))
        else:
            yield Flip(name, None, tried, NO_CARDS if name in numbers else UNUSED)
    for field in title.layout.fields:
        if field.sight in REMEMBERED:
            yield Flip(ZONE + field.name, None, 0, COVERED)


def happens(name: str, cases: Sequence[Case], seeds: Sequence[int]) -> bool:
    """Whether these games have any such fact; of what is no fact they always have some."""
    games = (steps_of(case, seed, MOST_EVENTS) for case in cases for seed in seeds)
    return name not in FACTS or any(is_secret(name, fact) for game in games for step in game for fact in step.event.facts)


def differs(eyes: Looks, cases: Sequence[Case], seeds: Sequence[int]) -> tuple[bool, int]:
    """Whether any trial tells two worlds apart, and how many it took."""
    results: Counter[str] = Counter()
    for seed in seeds:
        for case in cases:
            for result in trials_of(eyes, case, seed):
                results[result] += 1
                if result == DIFFERS:
                    return True, results.total()
    return False, results.total()

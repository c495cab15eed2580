"""Every declaration that is not public, opened one at a time: the non-interference proof must notice each of them."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.kernel.slots import REMEMBERED
from engine.proof.eyes import FACTS, ZONE, AnyTitle, Looks, Opened, Secret, is_secret, secrets
from engine.proof.fuzz import Case
from engine.proof.steps import Step, steps_of
from engine.proof.worlds import DIFFERS, MOST_EVENTS, trials_along

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


class Game(NamedTuple):
    """A random game, played once for all that is opened in it."""

    seed: int
    steps: list[Step]


def flips(title: AnyTitle, cases: Sequence[Case], seeds: Sequence[int]) -> Iterator[Flip]:
    games = played(cases, seeds)
    numbers = {ZONE + field.name for field in title.layout.fields if not field.cards}
    for name in secrets(title):
        used, tried = differs(Secret(title, name), games) if happens(name, games) else (False, 0)
        if used:
            yield Flip(name, *differs(Opened(title, name), games))
        else:
            yield Flip(name, None, tried, NO_CARDS if name in numbers else UNUSED)
    for field in title.layout.fields:
        if field.sight in REMEMBERED:
            yield Flip(ZONE + field.name, None, 0, COVERED)


def played(cases: Sequence[Case], seeds: Sequence[int]) -> list[Game]:
    return [Game(seed, [*steps_of(case, seed, MOST_EVENTS)]) for seed in seeds for case in cases]


def happens(name: str, games: Sequence[Game]) -> bool:
    """Whether these games have any such fact; of what is no fact they always have some."""
    facts = (fact for game in games for step in game.steps for fact in step.event.facts)
    return name not in FACTS or any(is_secret(name, fact) for fact in facts)


def differs(eyes: Looks, games: Sequence[Game]) -> tuple[bool, int]:
    """Whether any trial tells two worlds apart, and how many it took."""
    tried = 0
    for game in games:
        for result in trials_along(eyes, game.steps, game.seed):
            tried += 1
            if result == DIFFERS:
                return True, tried
    return False, tried

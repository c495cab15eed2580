"""Every declaration that is not public, opened one at a time: the non-interference proof must notice each of them."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.kernel.facts import EVERYBODY, Preferred, Revealed, Told
from engine.kernel.places import Sight
from engine.kernel.scripts import Sealed
from engine.proof.eyes import PARTS, ZONE, AnyTitle, Eyes, secrets
from engine.proof.fuzz import Case
from engine.proof.steps import steps_of
from engine.proof.worlds import DIFFERS, MOST_EVENTS, trials_of


class Flip(NamedTuple):
    """name: the declaration; noticed: whether opening it made the proof fail, None if the title never uses it."""

    name: str
    noticed: bool | None
    why: str = ""


def flips(title: AnyTitle, cases: Sequence[Case], seeds: Sequence[int]) -> Iterator[Flip]:
    for name in secrets(title):
        if name in PARTS and not used(title, name, cases, seeds):
            yield Flip(name, None, "never happens in this title")
        else:
            yield Flip(name, noticed(Eyes(title, name), cases, seeds))
    for field in title.layout.fields:
        if field.sight is Sight.COVERED:
            yield Flip(ZONE + field.name, None, "covered: everybody saw what went in, which is proven at every move")


def noticed(eyes: Eyes, cases: Sequence[Case], seeds: Sequence[int]) -> bool:
    return any(result == DIFFERS for seed in seeds for case in cases for result in trials_of(eyes, case, seed))


def used(title: AnyTitle, part: str, cases: Sequence[Case], seeds: Sequence[int]) -> bool:
    """Whether there is anything to open."""
    match part:
        case "picks":
            return any(not pick.shown for script in title.scripts.values() for pick in script.picks)
        case "sealed answers":
            return any(isinstance(row, Sealed) for script in title.scripts.values() for row in script.rows)
        case "revealed to some":
            return any_fact(Revealed, cases, seeds)
        case "told to some":
            return any_fact(Told, cases, seeds)
        case "preferences":
            return any_fact(Preferred, cases, seeds)
        case _:
            return True


def any_fact(kind: type, cases: Sequence[Case], seeds: Sequence[int]) -> bool:
    """Whether such a fact, addressed to some and not to all, comes up in these games."""
    games = (steps_of(case, seed, MOST_EVENTS) for case in cases for seed in seeds)
    facts = (fact for steps in games for step in steps for fact in step.event.facts if isinstance(fact, kind))
    return any(getattr(fact, "to", None) != EVERYBODY for fact in facts)

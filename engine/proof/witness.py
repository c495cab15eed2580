"""What gave a secret away: for whoever has to find the leak that a trial has found."""
from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from engine.kernel import Event, State
from engine.proof.eyes import AnyTitle, Eyes
from engine.proof.fuzz import Case
from engine.proof.named import named_event
from engine.proof.worlds import DIFFERS, trials_of

PARTS = "view", "view in words", "choice", "refusal", "slice of the log"      # in the order of Eyes.slice
LONGEST = 200                                   # characters of each side that are shown


class Look(NamedTuple):
    event: Event | None
    audience: int
    found: bytes


class Witness:
    """Eyes that remember the last two looks: right after a trial that differs, these are the two that did."""

    def __init__(self, title: AnyTitle) -> None:
        self.title, self.eyes = title, Eyes(title)
        self.looks: deque[Look] = deque(maxlen=2)

    def slice(self, s: State, event: Event | None, audience: int) -> bytes:
        self.looks.append(Look(event, audience, self.eyes.slice(s, event, audience)))
        return self.looks[-1].found

    def testimony(self) -> str:
        first, second = self.looks
        where = f"after {named_event(self.title, first.event)}" if first.event else "before anything happened"
        parts = zip(PARTS, self.parts(first), self.parts(second), strict=True)
        name, one, other = next(part for part in parts if part[1] != part[2])
        return f"audience {first.audience} {where}: {apart(one, other, name)}"

    def parts(self, look: Look) -> list[Any]:
        """The view's fields by their names."""
        view, *others = msgspec.msgpack.decode(look.found)
        return [dict(zip(self.title.state.__struct_fields__, view, strict=True)), *others]


def leak(case: Case, seeds: Sequence[int]) -> str | None:
    """The first thing by which an audience tells two worlds apart; None if there is none in these games."""
    witness = Witness(case.title)
    for seed in seeds:
        for nth, result in enumerate(trials_of(witness, case, seed)):
            if result == DIFFERS:
                return (
                    f"{case.title.id} {dict(case.raw)}, {case.seats} seats, seed {seed}, trial {nth}: {witness.testimony()}\n"
                    f"again: {case.command('prove', seed)}"
                )
    return None


def apart(one: Any, other: Any, path: str) -> str:
    """Where two decoded values first differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(apart(one[key], other[key], f"{path}.{key}") for key in one if one[key] != other[key])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(apart(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    return f"{path} is {str(one)[:LONGEST]} in one world, {str(other)[:LONGEST]} in the other"

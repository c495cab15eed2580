"""Show which part of the data revealed a secret, to help find a leak."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludarium_engine.kernel.decoding import from_msgpack
from ludarium_engine.testkit.audiences import AnyTitle, Moment, Observer
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.noninterference import DIFFERS, trials_of
from ludarium_engine.testkit.position_names import named_event

PARTS = "view", "view in words", "choice", "refusal", "slice of the log"      # in the order of Observer.slice
LONGEST = 200                                   # the most characters to show of each value


class Looked(NamedTuple):
    one: Moment
    other: Moment
    audience: int


class Witness:
    """A comparison of two worlds that remembers the last compared moments.

    After a trial that ended in DIFFERS, the last comparison is the one that found the leak.
    """

    def __init__(self, title: AnyTitle) -> None:
        self.title, self.observer = title, Observer(title)
        self.last: Looked | None = None

    def distinguishes(self, one: Moment, other: Moment, audience: int) -> bool:
        self.last = Looked(one, other, audience)
        return self.observer.distinguishes(one, other, audience)

    def testimony(self) -> str:
        """Describe the first difference that the last comparison found."""
        assert self.last
        first, second, audience = self.last
        where = f"after {named_event(self.title, first.event)}" if first.event else "before anything happened"
        parts = zip(PARTS, self.parts(first, audience), self.parts(second, audience), strict=True)
        name, one, other = next(part for part in parts if part[1] != part[2])
        return f"audience {audience} {where}: {apart(one, other, name)}"

    def parts(self, moment: Moment, audience: int) -> list[Any]:
        """Decode the compared data, with the view as a mapping from field names."""
        view, *others = from_msgpack(self.observer.slice(*moment, audience))
        return [dict(zip(self.title.state.__struct_fields__, view, strict=True)), *others]


def leak(case: Case, seeds: Sequence[int]) -> str | None:
    """Describe the first leak in these games and how to reproduce it, or return None."""
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
    """Describe where two decoded values first differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next(apart(one[key], other[key], f"{path}.{key}") for key in one if one[key] != other[key])
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return next(apart(a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    return f"{path} is {str(one)[:LONGEST]} in one world, {str(other)[:LONGEST]} in the other"

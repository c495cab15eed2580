"""Check a replacement data file for missing sets and impossible actions."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from ludarium_engine.kernel.title import DataProblem

from .cards import File, Row
from .plans import WAYS, Part, about, decode_steps, plan_of
from .steps import Aftermath, AnyStep, Choose, Cover, Either, Entomb, Give, Look, Repay, Reveal, Rob, Sacrifice

OWN = ("discard", "hand", "deck", "tomb", "their_")
TARGETS: dict[type, tuple[str, ...]] = {Sacrifice: ("boneyard",), Cover: ("pyramid",), Give: ("their_",), Entomb: ("tomb",)}
IN_PYRAMID = {"pyramid", "base", "middle", "apex"}


def wrong(file: File) -> Iterator[DataProblem]:
    home, ids = {row.id: row.edition for row in file.sets}, {row.id for row in file.cards}
    for i, row in enumerate(file.cards):
        if row.set is not None and home.get(row.set) != row.edition:
            yield DataProblem(f"/cards/{i}/set", f"{row.edition} has no set {row.set}")
        yield from step_errors(f"/cards/{i}/steps", row, ids)


def step_errors(pointer: str, row: Row, ids: set[str]) -> Iterator[DataProblem]:
    try:
        parts = plan_of(decode_steps(row.steps)).parts
    except (msgspec.DecodeError, RecursionError) as error:
        yield DataProblem(pointer, str(error))
        return
    if bool(parts) == (row.reaction is not None):
        yield DataProblem(pointer, "a card has either steps or a reaction")
    yield from (DataProblem(pointer, detail) for detail in order_errors([part.step for part in parts]))
    yield from (DataProblem(pointer, detail) for part in parts for detail in way_errors(parts, part))
    for name in sorted({name for part in parts for name in getattr(part.step, "never", ())} - ids):
        yield DataProblem(pointer, f"there is no card {name}")


def way_errors(parts: Sequence[Part], part: Part) -> Iterator[str]:
    """Yield the errors in the ways of a step.

    Offers name a way by the kind of its first step, so two ways must not begin with the same kind.
    """
    begin = [about(parts[first].step) for first in part.ways if first < len(parts)]
    if isinstance(part.step, Either) and len({*begin}) < len(part.ways):
        yield "two ways begin alike"
    yield from (f"a way cannot begin with {name}" for name in begin if part.ways and name not in WAYS)


def order_errors(steps: list[AnyStep]) -> Iterator[str]:
    """Yield the errors in the order and the targets of steps.

    A step must not refer to an opponent or a card before an earlier step has chosen or revealed it. It must not move a card
    to a zone that is impossible for its kind.
    """
    for i, step in enumerate(steps):
        theirs = isinstance(step, Choose) and step.to.startswith("their_")
        if ((theirs and not isinstance(step, Give)) or isinstance(step, Repay)) and not any_of(steps[:i], Give, Rob):
            yield "no opponent was chosen before"
        seen = isinstance(step, Aftermath) or (isinstance(step, Choose) and "seen" in step.sources)
        if seen and not any_of(steps[:i], Look, Reveal):
            yield "no card was looked at or revealed before"
        if isinstance(step, Choose) and not step.to.startswith(TARGETS.get(type(step), OWN)):
            yield f"a card cannot go to {step.to} so"
        if isinstance(step, Cover) and not IN_PYRAMID.issuperset(step.sources):
            yield "only pyramid cards are turned face down"


def any_of(steps: list[AnyStep], *kinds: type) -> bool:
    return any(isinstance(step, kinds) for step in steps)

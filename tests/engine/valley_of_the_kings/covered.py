"""Measure how the scenes cover each card's steps, ways, refusals and windows.

Usage: `python -m tests.engine.valley_of_the_kings.covered`.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple

from ludarium_engine.kernel import Action, Frame
from ludarium_engine.titles.valley_of_the_kings import actions, plans
from ludarium_engine.titles.valley_of_the_kings.cards import KIND, ROWS, Row
from ludarium_engine.titles.valley_of_the_kings.outlook import outlook
from ludarium_engine.titles.valley_of_the_kings.plans import PLANS, Part, executable
from ludarium_engine.titles.valley_of_the_kings.state import T
from ludarium_engine.titles.valley_of_the_kings.steps import RequireDiscard
from tests.engine.valley_of_the_kings import (
    test_afterlife_cards,
    test_base_cards,
    test_last_rites_cards,
    test_premium_cards,
    test_reactions,
)
from tests.engine.valley_of_the_kings.scene import Table, table

FILES = (test_base_cards, test_afterlife_cards, test_last_rites_cards, test_premium_cards, test_reactions)
Mark = tuple[int, int, str]                     # kind, position in its plan, event


class Line(NamedTuple):
    """The coverage of a card by wanted and missing marks, and by its refusals.

    A mark is something that the scenes must do with the card.
    """

    card: str
    wanted: set[str]
    open: set[str]
    refused: list[str]
    refusable: bool

    @property
    def covered(self) -> bool:
        return not self.open and (bool(self.refused) or not self.refusable)


def lines() -> list[Line]:
    made = marks_of_all_scenes()
    return [line(kind, row, made) for kind, row in enumerate(ROWS)]


def line(kind: int, row: Row, made: set[Mark]) -> Line:
    if row.reaction:
        done = {answer for card, answer in Table.answered if card == row.id}
        return Line(row.id, {"yes", "pass"}, {"yes", "pass"} - done, [], False)
    wanted = {f"{i}:{what}" for i, part in enumerate(PLANS[kind].parts) for what in wanted_of(part)}
    done = {f"{i}:{what}" for k, i, what in made if k == kind}
    return Line(row.id, wanted, wanted - done, refusals(row), not on_a_bare_table(kind))


def way_taken(f: Frame, action: Action) -> int:
    ways = plans.part_of(f).ways
    if action.verb == "skip":
        return len(ways) - 1
    return next(i for i, first in enumerate(ways) if actions.way_about(plans.plan(f), first) == action.args[0])


def on_a_bare_table(kind: int) -> bool:
    """Check whether the action is possible on a bare table, and so is never refused."""
    return executable(outlook(table(pyramid="- - - - - -").s, 0), kind)


def wanted_of(part: Part) -> list[str]:
    """Return the wanted marks of a part of an action.

    These are each of its ways, or "done" and, if the part is optional, "left".
    """
    if part.ways:
        return [f"way {i}" for i in range(len(part.ways))]
    return ["done", "left"] if getattr(part.step, "may", False) else ["done"]


def refusals(row: Row) -> list[str]:
    pharaohs = [(f"pharaoh_{name}", why) for name, why, _ in test_premium_cards.UNABLE]
    cards = [(card, why) for file in FILES for card, why, _ in getattr(file, "REFUSED", [])]
    return [why for name, why in cards + pharaohs if name == row.id]


# --- running all scenes under a tracer --------------------------------------------------------------------------------
def marks_of_all_scenes() -> set[Mark]:
    with traced() as made:
        for file in FILES:
            for scene in scenes(file):
                scene()
    return made


def scenes(file: ModuleType) -> Iterator[Callable[[], None]]:
    for word, test in vars(file).items():
        if word.startswith("test_"):
            yield from calls(test)


def calls(test: Callable[..., None]) -> Iterator[Callable[[], None]]:
    marks = getattr(test, "pytestmark", [])
    if not marks:
        yield test
    for mark in marks:
        for values in mark.args[1]:
            yield lambda values=values: test(*(values if isinstance(values, tuple) else (values,)))  # type: ignore[misc]


@contextmanager
def traced() -> Iterator[set[Mark]]:
    """Record marks; a step is done as soon as it records a fact or asks a seat."""
    made: set[Mark] = set()
    carry_out, take = actions.carry_out, actions.take

    def carrying(t: T, f: Frame, part: Part, choice: Any) -> None:
        facts, depth = len(t.facts), len(t.s.agenda)
        carry_out(t, f, part, choice)
        if len(t.facts) > facts or len(t.s.agenda) > depth + 1 or isinstance(part.step, RequireDiscard):
            made.add((KIND[plans.text(f)], plans.position(f), "done"))

    def taking(t: T, f: Frame, seat: int, action: Action) -> None:
        ways, skipped = plans.part_of(f).ways, action.verb == "skip"
        what = "left" if not ways else f"way {way_taken(f, action)}"
        if ways or skipped:
            made.add((KIND[plans.text(f)], plans.position(f), what))
        if action.verb == "put_under":
            made.add((KIND[plans.text(f)], plans.position(f), "done"))
        take(t, f, seat, action)

    actions.carry_out = carrying
    answers = [actions.choose.rows[0], actions.pick.rows[0]]
    for answer in answers:
        object.__setattr__(answer, "handle", taking)
    try:
        yield made
    finally:
        actions.carry_out = carry_out
        for answer in answers:
            object.__setattr__(answer, "handle", take)


def shown(row: Line) -> str:
    wanted = ", ".join(sorted(row.wanted)) or "-"
    refused = "; ".join(row.refused) or ("never" if not row.refusable else "MISSING")
    return f"| {row.card} | {wanted}{' OPEN: ' + ', '.join(sorted(row.open)) if row.open else ''} | {refused} |"


if __name__ == "__main__":
    print("| card | steps, ways or answers gone through | refused without |\n|---|---|---|")
    print("\n".join(map(shown, lines())))

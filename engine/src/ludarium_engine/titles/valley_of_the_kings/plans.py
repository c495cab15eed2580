"""Turn the actions of cards into plans, and check whether these can be completed.

A plan lists all steps of a card's action in one sequence. Each step has the position of its successor, so that a choice
between ways becomes a jump. The steps must be carried out in order, each one completely. An action may be begun only if all
of its steps can be carried out.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.scripts import Pick
from ludarium_engine.kernel.slots import Frame

from .cards import HIDDEN, KIND, ROWS
from .outlook import Outlook
from .steps import (
    Again,
    AnyStep,
    Choice,
    Choose,
    Either,
    Exchange,
    Give,
    Maybe,
    Modify,
    Repeat,
    asks_somebody,
    is_certain,
    is_open,
)

decode_steps = json_decoder(list[AnyStep])


# The kinds of steps with which a way can begin. Steps that change a number are named by the number.
WAYS = (
    "exchange", "sacrifice", "take", "draw", "reach", "discard", "entomb", "put", "force", "discount", "bonus", "gold_add",
)  # fmt: skip


def about(step: AnyStep) -> str:
    return step.what if isinstance(step, Modify) else str(step.__struct_config__.tag)


class Part(NamedTuple):
    """A step of a plan, with its position among the others.

    Attributes:
        step: the step.
        then: the position of the next step.
        ways: the positions at which its ways begin. For a `Maybe` these are its steps and the position after them.
        certain: whether the step is possible in every position of the game.
        asks: whether the seat has to choose something.
        open: whether all players can tell which choices there are and which of them can be completed.
    """

    step: AnyStep
    then: int
    ways: tuple[int, ...]
    certain: bool                               # is always possible
    asks: bool                                  # needs a choice
    open: bool                                  # all players know the choices


class Plan(NamedTuple):
    parts: tuple[Part, ...]
    certain: int                                # from this position on, all steps are always possible

    @property
    def open(self) -> bool:
        """Whether all players can tell if the action can be carried out."""
        return not self.certain or self.parts[0].open


def plan_of(steps: list[AnyStep]) -> Plan:
    parts = tuple(line(steps, 0, len_of(steps)))
    certain = max([i + 1 for i, part in enumerate(parts) if not part.certain], default=0)
    seen = [all(is_open(later.step) for later in parts[i : max(certain, i + 1)]) for i in range(len(parts))]
    return Plan(tuple([part._replace(open=open_) for part, open_ in zip(parts, seen, strict=True)]), certain)


def len_of(steps: list[AnyStep]) -> int:
    return sum(1 + len_of(inner) for step in steps for inner in [inside(step)])


def inside(step: AnyStep) -> list[AnyStep]:
    if isinstance(step, Either):
        return [inner for way in step.ways for inner in way]
    return step.steps if isinstance(step, Maybe) else []


def line(steps: list[AnyStep], start: int, end: int) -> Iterator[Part]:
    """Yield the parts of a sequence of steps.

    Args:
        steps: the steps.
        start: the position of the first one.
        end: the position that follows the last one.
    """
    for i, step in enumerate(steps):
        after = start + 1 + len_of(inside(step))
        then = end if i + 1 == len(steps) else after
        yield from branch(step, start, then)
        start = after


def branch(step: AnyStep, start: int, then: int) -> Iterator[Part]:
    ways = step.ways if isinstance(step, Either) else [step.steps] if isinstance(step, Maybe) else []
    starts = [start + 1 + sum(len_of(way) for way in ways[:i]) for i in range(len(ways))]
    jumps = (*starts, then) if isinstance(step, Maybe) else tuple(starts)
    yield Part(step, then, jumps, is_certain(step), asks_somebody(step), open=False)
    for way, first in zip(ways, starts, strict=True):
        yield from line(way, first, then)


PLANS = tuple(plan_of(decode_steps(row.steps)) for row in ROWS)


# --- under way -------------------------------------------------------------------------------------------------------
text = Pick("text", shown=True)                 # the card whose action is being carried out
card = Pick("card", shown=True)                 # the card that was played for the action, usually the same card
position = Pick("position", shown=True)
chosen = Pick("chosen", shown=True)             # the card or seat that an earlier step chose
PICKS = (text, card, position, chosen)


def plan(f: Frame) -> Plan:
    return PLANS[KIND[text(f)]]


def part_of(f: Frame) -> Part:
    return plan(f).parts[position(f)]


# --- looking ahead --------------------------------------------------------------------------------------------------
def executable(w: Outlook, kind: int) -> bool:
    """Return whether the seat may begin the action of a kind of card."""
    plan = PLANS[kind]
    return bool(plan.parts) and completable(plan, 0, w, HIDDEN)


def completable(plan: Plan, position: int, w: Outlook, chosen: int) -> bool:
    if position >= plan.certain:
        return True
    part = plan.parts[position]
    if part.ways:
        return any(completable(plan, way, w, chosen) for way in part.ways)
    if part.certain and completable(plan, part.then, w, chosen):
        return True
    if part.then >= plan.certain:
        return part.step.possible(w, chosen) if not isinstance(part.step, Again) else bool(runnable(part.step, w))
    return any(leads_on(plan, part, w, choice, chosen) for choice in choices(part.step, w, chosen))


def leads_on(plan: Plan, part: Part, w: Outlook, choice: Choice, chosen: int) -> bool:
    """Return whether the rest of the plan can be completed after a choice.

    If the pyramid can crumble in several ways, one of them is enough.
    """
    if part.then >= plan.certain:
        return True
    after = part.step.after(w, choice)
    return any(completable(plan, part.then, later, next_chosen(part.step, choice, chosen)) for later in after)


def choices(step: AnyStep, w: Outlook, chosen: int) -> Sequence[Choice]:
    """Return the possible choices for a step, whatever steps follow."""
    return step.choices(w, chosen) if not isinstance(step, Again) else runnable(step, w)


def runnable(step: Again, w: Outlook) -> list[Choice]:
    """Return one card of each kind whose action an `Again` step could run now."""
    cards = w.s.executed if isinstance(step, Repeat) else w.zone("base")
    kinds = {KIND[card]: card for card in reversed(cards)}
    return [(card,) for kind, card in kinds.items() if ROWS[kind].id not in step.never and executable(w, kind)]


def completing(plan: Plan, position: int, w: Outlook, chosen: int) -> Sequence[Choice]:
    """Return the choices after which the rest of the plan can be completed.

    If there are none, because a reaction has made the rest impossible, all choices are returned.
    """
    part = plan.parts[position]
    possible = choices(part.step, w, chosen)
    return [choice for choice in possible if leads_on(plan, part, w, choice, chosen)] or possible


def completing_ways(plan: Plan, position: int, w: Outlook, chosen: int) -> list[int]:
    """Return the indices of the ways that can be completed, or all if none can be."""
    ways = plan.parts[position].ways
    return [i for i, way in enumerate(ways) if completable(plan, way, w, chosen)] or [*range(len(ways))]


def next_chosen(step: AnyStep, choice: Choice, chosen: int) -> int:
    """Return the chosen card or seat to which later steps refer.

    It must be public, so a card that goes to a hand or a deck is not recorded. For a `Give` step it is the receiving seat.
    """
    if isinstance(step, Give):
        return choice[1]
    secret = isinstance(step, Exchange) or (isinstance(step, Choose) and step.to in ("hand", "deck"))
    return chosen if secret or not choice else choice[0]

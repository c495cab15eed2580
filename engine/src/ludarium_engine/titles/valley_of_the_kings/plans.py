"""Card actions as plans, and whether one can be carried out to its end.

A plan is a card's steps in one line: after each the position that follows, so that a choice of ways is a jump. All
parts must be done, in order, each finished before the next; an action of which a part cannot be done may not be begun.
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


# What a way of a card can be about: its first step, and of what lasts for a turn which.
WAYS = (
    "exchange", "sacrifice", "take", "draw", "reach", "discard", "entomb", "put", "force", "discount", "bonus", "gold_add",
)  # fmt: skip


def about(step: AnyStep) -> str:
    return step.what if isinstance(step, Modify) else str(step.__struct_config__.tag)


class Part(NamedTuple):
    """A step, the position after it, and where its ways begin (a Maybe: its steps, then what follows without them)."""

    step: AnyStep
    then: int
    ways: tuple[int, ...]
    certain: bool                               # can be done whatever the table looks like
    asks: bool                                  # has something to choose
    open: bool                                  # everybody can tell what, and what the rest allows


class Plan(NamedTuple):
    parts: tuple[Part, ...]
    certain: int                                # from this position on, everything can always be done

    @property
    def open(self) -> bool:
        """Everybody can tell whether it can be carried out."""
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
    """The parts of these steps from position `start` on; after the last one comes `end`."""
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
card = Pick("card", shown=True)                 # the card that was played for it: mostly the same
position = Pick("position", shown=True)
chosen = Pick("chosen", shown=True)             # the card or seat that an earlier step chose
PICKS = (text, card, position, chosen)


def plan(f: Frame) -> Plan:
    return PLANS[KIND[text(f)]]


def part_of(f: Frame) -> Part:
    return plan(f).parts[position(f)]


# --- looking ahead --------------------------------------------------------------------------------------------------
def executable(w: Outlook, kind: int) -> bool:
    """Whether a seat may begin the action of a kind of card, by what it knows."""
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
    """Whether everything after this choice can be done, however the pyramid is made to crumble."""
    if part.then >= plan.certain:
        return True
    after = part.step.after(w, choice)
    return any(completable(plan, part.then, later, next_chosen(part.step, choice, chosen)) for later in after)


def choices(step: AnyStep, w: Outlook, chosen: int) -> Sequence[Choice]:
    """What may be chosen for a step by itself, whatever comes after it."""
    return step.choices(w, chosen) if not isinstance(step, Again) else runnable(step, w)


def runnable(step: Again, w: Outlook) -> list[Choice]:
    """Cards whose action could be executed now, one of each kind."""
    cards = w.s.executed if isinstance(step, Repeat) else w.zone("base")
    kinds = {KIND[card]: card for card in reversed(cards)}
    return [(card,) for kind, card in kinds.items() if ROWS[kind].id not in step.never and executable(w, kind)]


def completing(plan: Plan, position: int, w: Outlook, chosen: int) -> Sequence[Choice]:
    """The choices after which the rest can be done; all of them if a reaction has made the rest impossible."""
    part = plan.parts[position]
    possible = choices(part.step, w, chosen)
    return [choice for choice in possible if leads_on(plan, part, w, choice, chosen)] or possible


def completing_ways(plan: Plan, position: int, w: Outlook, chosen: int) -> list[int]:
    """The same for the ways of a step that has some: their numbers."""
    ways = plan.parts[position].ways
    return [i for i, way in enumerate(ways) if completable(plan, way, w, chosen)] or [*range(len(ways))]


def next_chosen(step: AnyStep, choice: Choice, chosen: int) -> int:
    """What later steps call the chosen card, which everybody sees; of a gift it is the receiving seat."""
    if isinstance(step, Give):
        return choice[1]
    secret = isinstance(step, Exchange) or (isinstance(step, Choose) and step.to in ("hand", "deck"))
    return chosen if secret or not choice else choice[0]

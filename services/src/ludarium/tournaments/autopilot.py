"""The next automatic step of a tournament, and its time.

These functions are pure; `autopilot_worker.py` carries the steps out.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND
from ludarium.tournaments.event_types import AnyTournamentEvent
from ludarium.tournaments.events import (
    Drafted,
    DraftUndone,
    PlanChanged,
    Published,
    Replayed,
    Result,
    RoundClosed,
    Ruled,
    StatusSet,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import RoundState
from ludarium.tournaments.time_events import AUTOPILOT, AutopilotSet, Resumed
from ludarium.tournaments.times import SECOND

RESCHEDULED_BY = (
    AutopilotSet, Resumed, PlanChanged, StatusSet, Drafted, DraftUndone, Published, Result, Ruled, Replayed, RoundClosed,
)  # fmt: skip
"""Events that can change the next step or its time."""

STOPPING_PROBLEMS = ("too-few-entries", "pairing-invalid")
"""Problems that switch the autopilot off."""


StepName = Literal["close-entries", "draft", "publish", "close"]


class AutopilotStep(NamedTuple):
    """An automatic step, due at `at` (microseconds since 1970)."""

    what: StepName
    at: int


def next_step(state: TournamentState) -> AutopilotStep | None:
    """Return the next automatic step, None if there is none.

    A round that a host has drafted by hand is published by the host.
    """
    pilot = state.times.autopilot
    if pilot is None or state.is_over or state.times.paused or state.newer is not None:
        return None
    step, round = None, state.current
    if round is None:
        step = first_step(state, pilot)
    elif round.published is None:
        step = AutopilotStep("publish", 0) if round.drafted.by == AUTOPILOT else None
    elif round.closed:
        step = AutopilotStep("draft", round.closed_at + pilot.rest * SECOND)
    elif all(board.is_settled for board in round.boards.values()):
        step = AutopilotStep("close", settled_at(round) + pilot.settle * SECOND)
    return step and step._replace(at=max(step.at, state.times.autopilot_set_at))


def first_step(state: TournamentState, pilot: AutopilotSet) -> AutopilotStep | None:
    """Return the first step, due when the tournament is planned to start.

    If no start is planned, a host has to close registration.
    """
    begins = None if state.plan.starts_at is None else state.plan.starts_at * SECOND
    if state.status == "open" and begins is not None:
        return AutopilotStep("close-entries", begins)
    if state.status != "closed":
        return None
    return AutopilotStep("draft", state.status_at + pilot.rest * SECOND if begins is None else begins)


def is_unexpected(state: TournamentState, event: AnyTournamentEvent, at: int) -> bool:
    """Return whether an event by the autopilot is not its next step, or too early."""
    step = next_step(state)
    if step is None or step.at > at:
        return True
    match event:
        case StatusSet(status=status):
            return step.what != "close-entries" or status != "closed"
        case Drafted():
            return step.what != "draft"
        case Published():
            return step.what != "publish"
        case RoundClosed():
            return step.what != "close"
        case AutopilotSet(on=on, why=why):
            return on or why not in STOPPING_PROBLEMS
        case _:
            return True


def settled_at(round: RoundState) -> int:
    """Return when the last board was settled, in microseconds since 1970."""
    return max(board.settled_at for board in round.boards.values())


def due_after(state: TournamentState, events: Sequence[AnyTournamentEvent], at: datetime) -> datetime | None:
    """Return when to check the tournament after new events.

    It is checked at once, which computes the time of the next step. None leaves the scheduled time unchanged.
    """
    turned_on = any(isinstance(event, AutopilotSet) and event.on for event in events)
    if not turned_on and (state.times.autopilot is None or not any(isinstance(event, RESCHEDULED_BY) for event in events)):
        return None
    return at


def step_time(step: AutopilotStep) -> datetime:
    return EPOCH + step.at * MICROSECOND

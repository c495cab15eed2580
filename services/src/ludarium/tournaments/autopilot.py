"""A tournament that goes on by itself: what is to be done next, and when. Pure; who does it is in clockwork.py."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND
from ludarium.tournaments.event_types import AnyTournamentRow
from ludarium.tournaments.events import (
    Drafted,
    PlanChanged,
    Published,
    Replayed,
    Result,
    RoundClosed,
    Ruled,
    StatusSet,
    TakenBack,
)
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import RoundState
from ludarium.tournaments.time_events import AUTOPILOT, AutopilotSet, Resumed
from ludarium.tournaments.times import SECOND

MOVED_BY = (AutopilotSet, Resumed, PlanChanged, StatusSet, Drafted, TakenBack, Published, Result, Ruled, Replayed, RoundClosed)
"""Rows behind which something else may be next, or at another time."""

STOPS = ("too-few-entries", "pairing-invalid")
"""Problems behind which it goes on by hand alone."""


StepName = Literal["close-entries", "draft", "publish", "close"]


class Step(NamedTuple):
    """at: microseconds since 1970."""

    what: StepName
    at: int


def next_step(state: TournamentState) -> Step | None:
    """None while nothing is to be done by itself. What a host has drafted by hand, the host publishes."""
    pilot = state.times.autopilot
    if pilot is None or state.is_over or state.times.paused or state.newer is not None:
        return None
    step, round = None, state.current
    if round is None:
        step = first_step(state, pilot)
    elif round.published is None:
        step = Step("publish", 0) if round.drafted.by == AUTOPILOT else None
    elif round.closed:
        step = Step("draft", round.closed_at + pilot.rest * SECOND)
    elif all(board.is_settled for board in round.boards.values()):
        step = Step("close", settled_at(round) + pilot.settle * SECOND)
    return step and step._replace(at=max(step.at, state.times.piloted_at))


def first_step(state: TournamentState, pilot: AutopilotSet) -> Step | None:
    """At the time of the plan. Without one a host lets nobody enter any more."""
    begins = None if state.plan.starts_at is None else state.plan.starts_at * SECOND
    if state.status == "open" and begins is not None:
        return Step("close-entries", begins)
    if state.status != "closed":
        return None
    return Step("draft", state.status_at + pilot.rest * SECOND if begins is None else begins)


def wrong_act(state: TournamentState, row: AnyTournamentRow, at: int) -> bool:
    """Whether a row that it is said to have written is not what was next, at its time."""
    step = next_step(state)
    if step is None or step.at > at:
        return True
    match row:
        case StatusSet(status=status):
            return step.what != "close-entries" or status != "closed"
        case Drafted():
            return step.what != "draft"
        case Published():
            return step.what != "publish"
        case RoundClosed():
            return step.what != "close"
        case AutopilotSet(on=on, why=why):
            return on or why not in STOPS
        case _:
            return True


def settled_at(round: RoundState) -> int:
    """When nothing was left to wait for."""
    return max(board.settled_at for board in round.boards.values())


def due_after(state: TournamentState, rows: Sequence[AnyTournamentRow], at: datetime) -> datetime | None:
    """When the tournament is to be looked at behind rows that are about to be appended: at once, for who looks finds out when
    it is to be looked at again. None: as before."""
    turned_on = any(isinstance(row, AutopilotSet) and row.on for row in rows)
    if not turned_on and (state.times.autopilot is None or not any(isinstance(row, MOVED_BY) for row in rows)):
        return None
    return at


def time_of(step: Step) -> datetime:
    return EPOCH + step.at * MICROSECOND

"""Carries out the autopilot's steps in any process; only one of them can append."""
from __future__ import annotations

from datetime import datetime
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.tournaments import organiser_commands
from ludarium.tournaments.autopilot import STOPPING_PROBLEMS, AutopilotStep, next_step, step_time
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.events import (
    StatusSet,
)
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.time_events import AUTOPILOT, AutopilotSet
from ludarium_eventstore import NOTHING_DUE, Due

STEPS = 4
"""Steps in one check: closing registration, drafting and publishing a round."""


class AutopilotWorker:
    def __init__(self, tournaments: TournamentStore, drafts: Drafts) -> None:
        self.tournaments, self.drafts = tournaments, drafts

    async def process(self, due: Due) -> None:
        """Carry out all due steps, then set the deadline of the next one."""
        for _ in range(STEPS):
            state = await self.tournaments.fresh(due.stream)
            step = next_step(state)
            if step is None or step_time(step) > self.tournaments.now():
                break
            await self.attempt(state, step)
        at = step_time(step) if step else NOTHING_DUE
        await self.tournaments.store.reschedule(due, at, state.version)

    async def attempt(self, state: TournamentState, step: AutopilotStep) -> None:
        """Carry out a step, unless another process or a host has already acted."""
        try:
            await self.execute(state.stream, state.times.autopilot_seq, step, self.tournaments.now())
        except Problem as problem:
            if problem.code in STOPPING_PROBLEMS:
                await self.stop(state.stream, problem.code)
            elif problem.code != "stale-desk":
                raise

    async def execute(self, stream: UUID, set_at: int, step: AutopilotStep, now: datetime) -> None:
        def decide(state: TournamentState) -> Events:
            return events_of_step(state, step)

        if step.what == "publish":
            state = await self.tournaments.fresh(stream)
            round = state.current
            if round is not None and next_step(state) == step:
                await self.drafts.publish(stream, AUTOPILOT, (round.stage, round.number), round.seq, now, None)
        else:
            await self.tournaments.change(stream, decide)

    async def stop(self, stream: UUID, why: str) -> None:
        def stopped(state: TournamentState) -> Events:
            pilot = state.times.autopilot
            return [AutopilotSet(AUTOPILOT, False, pilot.rest, pilot.settle, why)] if pilot else []

        await self.tournaments.change(stream, stopped)


def events_of_step(state: TournamentState, step: AutopilotStep) -> Events:
    """Return the events of a step, or none if another step has become the next."""
    if next_step(state) != step:
        return []
    match step.what, state.current:
        case "close-entries", _:
            return [StatusSet(AUTOPILOT, "closed")]
        case "draft", _:
            return organiser_commands.draft(state, AUTOPILOT, state.stage, state.version)
        case "close", round if round is not None:
            return organiser_commands.close(state, AUTOPILOT, round, state.version)
        case _:
            return []

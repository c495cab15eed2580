"""Positions that result from trying moves at any moment of a game.

The moves are tried with the true deal if it is revealed, and otherwise with a deal that is consistent with what the seat
knows. They are computed in a worker process within the budget of one command. See docs/decisions/057.
"""
from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import FieldError, Problem
from ludarium.projections.replay_worker import FoldingContext, ReplayWorker, encode
from ludarium.sharing.analysis.schemas import Analysis, NewAnalysis, SeatChoice, TriedMove, TriedPosition
from ludarium.tables.commands import stream_of
from ludarium.tables.model import branching, budget, decisions
from ludarium.tables.model.events import AnyTitle
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium_engine.branches.resampling import NoDeal, resample
from ludarium_engine.kernel import Chance, Event, Illegal, State, decide, seats_to_act
from ludarium_engine.kernel.contract import is_asked
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_facts, describe_view, grouped
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.redaction import redact_event
from ludarium_engine.story.lines import lines
from ludarium_eventstore import StoredEvent


class AnalysisQuery(NamedTuple):
    """A request to try moves, with `seat` as the seat that is to move.

    If `known` is true, the cards are dealt anew, consistent with what the seat knows.
    """

    table: UUID
    seat: int
    known: bool
    request: NewAnalysis


class Analyses:
    def __init__(self, tables: Tables) -> None:
        self._tables, self._worker = tables, ReplayWorker(tables.cache)

    async def analyse(self, player: str, request: NewAnalysis) -> bytes:
        """Return an Analysis as JSON.

        Raises:
            Problem: the problems of `seen_by`, `branching.seat_for` and `explore`.
        """
        table, _ = await self._tables.queries.seen_by(stream_of(request.table), player, None)
        seat = branching.seat_for(table, player, request.at, request.seat)
        if (request.eyes or 0) >= table.opened.seats:
            raise Problem("no-such-seat")
        query = AnalysisQuery(table.stream, seat, not table.is_open_to_all, request)
        return await self._worker.run(explore, query, table)


# --- in the worker process --------------------------------------------------------------------------------------------
def explore(query: AnalysisQuery, stored: Sequence[StoredEvent], context: FoldingContext) -> bytes:
    """Try the moves, and return an Analysis as JSON.

    Raises:
        Problem: `log-damaged`, `game-not-started`, `game-over`, `no-branch`, `not-asked`, `action-not-offered`,
            `rules-limit`.
    """
    context.provide()
    try:
        rows = decoded_entries(stored[: query.request.at + 1])
        table = fold(query.table, rows)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    trial = starting_point(table, rows, query)
    positions = decisions.run_rules(table, lambda: [*trial.positions(query.request)])
    return encode(Analysis(table.id, query.request.at, query.seat if query.known else None, positions))


def starting_point(table: TableState, rows: Sequence[LogEntry], query: AnalysisQuery) -> TriedGame:
    """Return the position before the moves.

    In a running game, the deal is derived from the secret seed, so that the caller cannot choose it.
    """
    branching.check_going(table)
    title, layout, seat = table.title, table.shown(table.version), query.seat
    if not query.known:
        return TriedGame(title, layout, seat, table.playing, table.chance)
    place = b"analysis" + table.hash + bytes([seat]) + query.request.deal.to_bytes(4)
    seed = hmac.digest(table.secret.seed, place, "sha256")
    try:
        state = resample(branching.known(table, rows, seat), Random(seed))
    except NoDeal as error:
        raise Problem("no-branch", str(error)) from error
    return TriedGame(title, layout, seat, state, Chance(hmac.digest(seed, b"chance", "sha256")))


class TriedGame(NamedTuple):
    """A position from which moves are tried, as seen from a seat."""

    title: AnyTitle
    layout: Layout
    seat: int
    start: State
    chance: Chance

    def positions(self, request: NewAnalysis) -> Iterator[TriedPosition]:
        """Yield the positions from `since` moves on, or the last one if there are fewer."""
        state, since = self.start, min(request.since, len(request.moves))
        if not since:
            yield self.position(0, request.eyes, state)
        for nth, move in enumerate(request.moves, 1):
            state, event = self.make_move(nth, state, move)
            if nth >= since:
                yield self.position(nth, request.eyes, state, event)

    def make_move(self, nth: int, state: State, move: TriedMove) -> tuple[State, Event]:
        """Apply a move, the `nth` of the request.

        Raises:
            Problem: the move is not possible; the problem names its number.
        """
        if not is_asked(state, move.seat):
            raise move_problem("not-asked" if state.outcome is None else "game-over", nth)
        try:
            after, event = decide(self.title, state, move.seat, action_of(move.action.id, move.action.subset), self.chance)
        except Illegal:
            raise move_problem("action-not-offered", nth) from None
        budget.check(self.title, after, event)
        return after, event

    def position(self, moves: int, viewer: int | None, state: State, event: Event | None = None) -> TriedPosition:
        asked_seats = seats_to_act(state)
        eyes = viewer if viewer is not None else self.seat if self.seat in asked_seats else next(iter(asked_seats), self.seat)
        view = describe_view(self.title, state, eyes, self.layout)
        choices = [choice for seat in asked_seats if (choice := self.choice(state, seat))]
        if event is None:
            return TriedPosition(moves, eyes, view, choices)
        seen = redact_event(self.layout, event, eyes)
        return TriedPosition(moves, eyes, view, choices, describe_facts(self.title, seen), [*lines(self.title, seen)])

    def choice(self, state: State, seat: int) -> SeatChoice | None:
        choice = describe_choice(self.title, state, seat)
        if choice is None:
            return None
        return SeatChoice(seat, choice.prompt, choice.offers, grouped(self.title, state, choice.offers), choice.passes)


def move_problem(code: str, nth: int) -> Problem:
    return Problem(code, errors=[FieldError(f"/moves/{nth - 1}", "cannot be made here")])

"""Positions beside a game: from any moment of it, over its true deal when that is revealed, else over one that a seat's own
knowledge allows. Made in a process of its own, within the time of one command."""
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
from ludarium_engine.kernel.facts import redact_event
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.story.lines import lines
from ludarium_eventstore import StoredEvent


class AnalysisQuery(NamedTuple):
    """seat: whose moves are tried. known: only what it knows is, and the cards are dealt anew."""

    table: UUID
    seat: int
    known: bool
    wanted: NewAnalysis


class Analyses:
    def __init__(self, tables: Tables) -> None:
        self._tables, self._beside = tables, ReplayWorker(tables.cache)

    async def analysed(self, player: str, wanted: NewAnalysis) -> bytes:
        """An Analysis as JSON. Raises Problem as `Tables.seen`, `branching.seat_for` and `explore` do."""
        table, _ = await self._tables.queries.seen_by(stream_of(wanted.table), player, None)
        seat = branching.seat_for(table, player, wanted.at, wanted.seat)
        if (wanted.eyes or 0) >= table.opened.seats:
            raise Problem("no-such-seat")
        query = AnalysisQuery(table.stream, seat, not table.is_open_to_all, wanted)
        return await self._beside.run(explore, query, table)


# --- beside the event loop --------------------------------------------------------------------------------------------
def explore(query: AnalysisQuery, stored: Sequence[StoredEvent], context: FoldingContext) -> bytes:
    """Raises Problem `log-damaged`, `game-not-started`, `game-over`, `no-branch`, `not-asked`, `action-not-offered`,
    `rules-limit`."""
    context.provide()
    try:
        rows = decoded_entries(stored[: query.wanted.at + 1])
        then = fold(query.table, rows)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    tried = starting_point(then, rows, query)
    positions = decisions.run_rules(then, lambda: [*tried.positions(query.wanted)])
    return encode(Analysis(then.id, query.wanted.at, query.seat if query.known else None, positions))


def starting_point(then: TableState, rows: Sequence[LogEntry], query: AnalysisQuery) -> TriedGame:
    """Where the moves begin. Of a running game the deal comes from its secret seed, so who asks for it cannot choose it."""
    branching.check_going(then)
    title, layout, seat = then.title, then.shown(then.version), query.seat
    if not query.known:
        return TriedGame(title, layout, seat, then.playing, then.chance)
    place = b"analysis" + then.hash + bytes([seat]) + query.wanted.deal.to_bytes(4)
    seed = hmac.digest(then.secret.seed, place, "sha256")
    try:
        state = resample(title, then.playing, branching.known(then, rows, seat), Random(seed))
    except NoDeal as error:
        raise Problem("no-branch", str(error)) from error
    return TriedGame(title, layout, seat, state, Chance(hmac.digest(seed, b"chance", "sha256")))


class TriedGame(NamedTuple):
    """A position that is gone on from, for a seat."""

    title: AnyTitle
    layout: Layout
    seat: int
    start: State
    chance: Chance

    def positions(self, wanted: NewAnalysis) -> Iterator[TriedPosition]:
        """From the one after `since` moves on, or after all of them where there are fewer."""
        state, since = self.start, min(wanted.since, len(wanted.moves))
        if not since:
            yield self.position(0, wanted.eyes, state)
        for nth, move in enumerate(wanted.moves, 1):
            state, event = self.moved(nth, state, move)
            if nth >= since:
                yield self.position(nth, wanted.eyes, state, event)

    def moved(self, nth: int, state: State, move: TriedMove) -> tuple[State, Event]:
        """Raises Problem with the move that cannot be made."""
        if not is_asked(state, move.seat):
            raise refused("not-asked" if state.outcome is None else "game-over", nth)
        try:
            after, event = decide(self.title, state, move.seat, action_of(move.action.id, move.action.subset), self.chance)
        except Illegal:
            raise refused("action-not-offered", nth) from None
        budget.check(self.title, after, event)
        return after, event

    def position(self, moves: int, wanted: int | None, state: State, event: Event | None = None) -> TriedPosition:
        query = seats_to_act(state)
        eyes = wanted if wanted is not None else self.seat if self.seat in query else next(iter(query), self.seat)
        view = describe_view(self.title, state, eyes, self.layout)
        choices = [choice for seat in query if (choice := self.choice(state, seat))]
        if event is None:
            return TriedPosition(moves, eyes, view, choices)
        seen = redact_event(self.layout, event, eyes)
        return TriedPosition(moves, eyes, view, choices, describe_facts(self.title, seen), [*lines(self.title, seen)])

    def choice(self, state: State, seat: int) -> SeatChoice | None:
        query = describe_choice(self.title, state, seat)
        if query is None:
            return None
        return SeatChoice(seat, query.prompt, query.offers, grouped(self.title, state, query.offers), query.passes)


def refused(code: str, nth: int) -> Problem:
    return Problem(code, errors=[FieldError(f"/moves/{nth - 1}", "cannot be made here")])

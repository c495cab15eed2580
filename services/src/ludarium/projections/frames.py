"""Finished games as pages of views, as seen by spectators or from a seat."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.projections.replay_worker import FoldingContext, ReplayWorker, ResultCache, gzipped
from ludarium.projections.schemas import FramePage, ReplayFrame
from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.documents import under_layout
from ludarium.tables.model.events import Acted, GameStarted, RulesChanged, Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import State, evolve
from ludarium_engine.kernel.describe import describe_view
from ludarium_eventstore import StoredEvent


class FrameQuery(NamedTuple):
    """A page of a replay: at most `limit` views of an audience after version `after`."""

    table: UUID
    audience: int
    after: int
    limit: int


class Frames:
    """A cache of pages, which are computed in the replay worker."""

    def __init__(self, worker: ReplayWorker) -> None:
        self._worker = worker
        self.cache = ResultCache[FrameQuery]()

    async def block(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """Return a page of views as gzipped JSON.

        Raises:
            Problem: `game-not-over`, `log-damaged`, `unavailable`.
        """
        return await self.cache.get(FrameQuery(table, audience, after, limit), self._make)

    async def _make(self, query: FrameQuery) -> bytes:
        table = await self._worker.cache.fresh(query.table)
        if not table.is_open_to_all:
            raise Problem("game-not-over")
        return await self._worker.run(make_page, query, table)


# --- in the worker process --------------------------------------------------------------------------------------------
def make_page(query: FrameQuery, stored: Sequence[StoredEvent], context: FoldingContext) -> bytes:
    """Fold a table's log and encode a page of views as gzipped JSON.

    Raises:
        Problem: `log-damaged`.
    """
    context.provide()
    try:
        log = decoded_entries(stored)
        table = fold(query.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    return gzipped(frame_page(table, log, query.audience, query.after, query.limit))


def frame_page(table: TableState, log: Sequence[LogEntry], audience: int, after: int, limit: int) -> FramePage:
    """Return a page of views; `table` is the state after the whole log."""
    first = next((entry.version for entry in log if isinstance(entry.event, GameStarted)), len(log))
    start = max(first, after + 1)
    shown = islice(enumerate(game_states(table, log), first), start - first, start - first + limit)
    frames = [
        ReplayFrame(seq, describe_view(table.title, table.as_today(state, seq), audience, table.shown(seq)))
        for seq, state in shown
    ]
    more = start + limit <= log[-1].version
    return FramePage(frames, frames[-1].seq if more else None)


def game_states(table: TableState, log: Sequence[LogEntry]) -> Iterator[State]:
    """Yield the state of the game after each event, from the start of the game.

    The same object is changed in place until an undo replaces it.
    """
    state, branches = None, UndoStates(table.stream, log)
    for entry in log:
        match entry.event:
            case GameStarted() as row:
                state = evolve(table.blank(entry.version, row.zones), row.event)
            case Acted() as row if state is not None:
                evolve(state, row.event)
            case RulesChanged() as row if state is not None:
                state = under_layout(table.title, state, table.layout_at(entry.version - 1), row.layout)
            case Undone() as row:
                back = branches.state_after(entry.version, row)
                state = under_layout(table.title, back, table.layout_at(row.to), table.layout_at(entry.version))
        if state is not None:
            branches.note(entry.version, state)
            yield state

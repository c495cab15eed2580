"""Finished games view by view: as spectators saw them and from each seat. Made a page at a time."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.projections.replay_worker import FoldingContext, ReplayWorker, ResultCache, gzipped
from ludarium.projections.schemas import FramePage, ReplayFrame
from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.events import Acted, GameStarted, RulesChanged, Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, decoded_entries
from ludarium.tables.model.table_state import TableState, under_layout
from ludarium_engine.kernel import State, evolve
from ludarium_engine.kernel.describe import describe_view
from ludarium_eventstore import StoredEvent


class FrameQuery(NamedTuple):
    """A page of a replay: the views of an audience behind version `after`, at most `limit`."""

    table: UUID
    audience: int
    after: int
    limit: int


class Frames:
    """Of games that are over."""

    def __init__(self, worker: ReplayWorker) -> None:
        self._beside = worker
        self.kept = ResultCache[FrameQuery]()

    async def block(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """The page as JSON, gzipped. Raises Problem `game-not-over`, `log-damaged`, `unavailable`."""
        return await self.kept.get(FrameQuery(table, audience, after, limit), self._made)

    async def _made(self, query: FrameQuery) -> bytes:
        table = await self._beside.cache.fresh(query.table)
        if not table.is_open_to_all:
            raise Problem("game-not-over")
        return await self._beside.run(make_page, query, table)


# --- beside the event loop --------------------------------------------------------------------------------------------
def make_page(query: FrameQuery, stored: Sequence[StoredEvent], context: FoldingContext) -> bytes:
    """Raises Problem `log-damaged`."""
    context.provide()
    try:
        log = decoded_entries(stored)
        table = fold(query.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    return gzipped(frame_page(table, log, query.audience, query.after, query.limit))


def frame_page(table: TableState, log: Sequence[LogEntry], audience: int, after: int, limit: int) -> FramePage:
    """table: the table after all of the log."""
    first = next((entry.version for entry in log if isinstance(entry.event, GameStarted)), len(log))
    start = max(first, after + 1)
    shown = islice(enumerate(states(table, log), first), start - first, start - first + limit)
    frames = [
        ReplayFrame(seq, describe_view(table.title, table.as_today(state, seq), audience, table.shown(seq)))
        for seq, state in shown
    ]
    more = start + limit <= log[-1].version
    return FramePage(frames, frames[-1].seq if more else None)


def states(table: TableState, log: Sequence[LogEntry]) -> Iterator[State]:
    """The game after each row from its start on; the same object, changed in place, until something is taken back."""
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

"""Finished games view by view: as spectators saw them and from each seat. Made a page at a time."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from ludarium.platform.problems import Problem
from ludarium.projections.replay_worker import Needed, ReplayWorker, ResultCache, packed
from ludarium.projections.schemas import FramePage, ReplayFrame
from ludarium.tables.model.branches import UndoStates
from ludarium.tables.model.events import Acted, GameStarted, RulesChanged, Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.log_entries import Damaged, LogEntry, decoded_entries
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

    def __init__(self, beside: ReplayWorker) -> None:
        self._beside = beside
        self.kept = ResultCache[FrameQuery]()

    async def block(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """The page as JSON, gzipped. Raises Problem `game-not-over`, `log-damaged`, `unavailable`."""
        return await self.kept.get(FrameQuery(table, audience, after, limit), self._made)

    async def _made(self, asked: FrameQuery) -> bytes:
        history = await self._beside.cache.fresh(asked.table)
        if not history.is_open_to_all:
            raise Problem("game-not-over")
        return await self._beside.run(made, asked, history)


# --- beside the event loop --------------------------------------------------------------------------------------------
def made(asked: FrameQuery, stored: Sequence[StoredEvent], needed: Needed) -> bytes:
    """Raises Problem `log-damaged`."""
    needed.provide()
    try:
        log = decoded_entries(stored)
        whole = fold(asked.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    return packed(frame_page(whole, log, asked.audience, asked.after, asked.limit))


def frame_page(whole: TableState, log: Sequence[LogEntry], audience: int, after: int, limit: int) -> FramePage:
    """whole: the table after all of the log."""
    first = next((entry.version for entry in log if isinstance(entry.event, GameStarted)), len(log))
    start = max(first, after + 1)
    shown = islice(enumerate(states(whole, log), first), start - first, start - first + limit)
    frames = [
        ReplayFrame(seq, describe_view(whole.title, whole.as_today(state, seq), audience, whole.shown(seq)))
        for seq, state in shown
    ]
    more = start + limit <= log[-1].version
    return FramePage(frames, frames[-1].seq if more else None)


def states(whole: TableState, log: Sequence[LogEntry]) -> Iterator[State]:
    """The game after each row from its start on; the same object, changed in place, until something is taken back."""
    state, branches = None, UndoStates(whole.stream, log)
    for entry in log:
        match entry.event:
            case GameStarted() as row:
                state = evolve(whole.blank(entry.version, row.zones), row.event)
            case Acted() as row if state is not None:
                evolve(state, row.event)
            case RulesChanged() as row if state is not None:
                state = under_layout(whole.title, state, whole.layout_at(entry.version - 1), row.layout)
            case Undone() as row:
                back = branches.state_after(entry.version, row)
                state = under_layout(whole.title, back, whole.layout_at(row.to), whole.layout_at(entry.version))
        if state is not None:
            branches.note(entry.version, state)
            yield state

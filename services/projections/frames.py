"""Finished games view by view, for replays: as spectators saw them and from each seat.

Made from the log when somebody asks, a page at a time, in a process beside this one; kept as it is sent, gzipped, as long as
there is room. Most games are never looked at again.
"""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

import msgspec
from cachetools import LRUCache

import engine
from engine.kernel import State, evolve
from engine.kernel.describe import described_view
from eventstore import StoredEvent
from services.problems import Problem
from services.processes import Processes
from services.projections.bodies import FramePage, ReplayFrame
from services.tables import documents
from services.tables.branches import Branches
from services.tables.history import Damaged, Entry, History, entries, folded, taken_up
from services.tables.hot import HotTables
from services.tables.rows import Acted, GameStarted, RulesChanged, Undone

ROOM = 64 * 1024 * 1024
"""Bytes of pages that a process keeps: about a thousand whole games."""
PATIENCE = 20.0
"""Seconds that somebody waits for a page; it is made all the same, and there when they ask again."""
LONGEST = 120.0
"""Seconds for one page, with its wait for the process and that one's start: what a game of 20,000 events takes on a busy
machine, several times over."""
MOST_WAITING = 50
LEVEL = 6
"""Of gzip: half the time of the highest, and 3 % more bytes."""
encode = msgspec.json.Encoder().encode


class FrameQuery(NamedTuple):
    """A page of a replay: the views of an audience behind version `after`, at most `limit`."""

    table: UUID
    audience: int
    after: int
    limit: int


class Frames:
    """Of games that are over: what is kept of them holds for ever."""

    def __init__(self, hot: HotTables) -> None:
        self._hot = hot
        self._kept: LRUCache[FrameQuery, bytes] = LRUCache(ROOM, getsizeof=len)
        self.making: dict[FrameQuery, asyncio.Task[bytes]] = {}
        self._processes = Processes(1, LONGEST, MOST_WAITING)

    async def block(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """The page as JSON, gzipped. Who asks for what somebody is waiting for waits for the same.

        Raises Problem `game-not-over`, `log-damaged`, `unavailable`.
        """
        asked = FrameQuery(table, audience, after, limit)
        if (kept := self._kept.get(asked)) is not None:
            return kept
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(self.making.get(asked) or self._begin(asked))
        except TimeoutError:
            raise Problem("unavailable", "The replay is being made.", retry_after=5) from None

    def _begin(self, asked: FrameQuery) -> asyncio.Task[bytes]:
        making = self.making[asked] = asyncio.create_task(self._made(asked))
        making.add_done_callback(lambda task: self._ended(asked, task))
        return making

    def _ended(self, asked: FrameQuery, task: asyncio.Task[bytes]) -> None:
        """Whoever waits is told of a failure; if nobody does any more, it is no news."""
        del self.making[asked]
        if not task.cancelled() and not task.exception():
            self._kept[asked] = task.result()

    async def _made(self, asked: FrameQuery) -> bytes:
        history = await self._hot.fresh(asked.table)
        if not history.is_open_to_all:
            raise Problem("game-not-over")
        rows = await self._hot.rows(asked.table)
        try:
            return await self._processes.run(made, asked, await self._hot.store.read(asked.table), Needed.by(history, rows))
        except TimeoutError as error:
            raise Problem("unavailable", "The replay takes too long.", retry_after=5) from error


class Needed(NamedTuple):
    """What another process must have to fold a table: its ruleset's data, and the documents that its rows name."""

    ruleset: str
    data: bytes
    layouts: list[bytes]
    zones: list[bytes]

    @classmethod
    def by(cls, history: History, rows: Sequence[Entry]) -> Needed:
        layouts = [documents.layout_document(hash_) for _, hash_ in history.layouts]
        zones = [documents.zones(entry.row.zones) for entry in rows if isinstance(entry.row, GameStarted)]
        return cls(history.opened.ruleset, history.title.data, layouts, zones)

    def provide(self) -> None:
        engine.provide(self.ruleset, self.data)
        documents.keep(self.layouts, self.zones)



# --- beside the event loop --------------------------------------------------------------------------------------------
def made(asked: FrameQuery, stored: Sequence[StoredEvent], needed: Needed) -> bytes:
    """Raises Problem `log-damaged`."""
    needed.provide()
    try:
        log = entries(stored)
        whole = folded(asked.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    first = next((entry.version for entry in log if isinstance(entry.row, GameStarted)), len(log))
    start = max(first, asked.after + 1)
    after = enumerate(states(whole, log), first)
    shown = islice(after, start - first, start - first + asked.limit)
    frames = [
        ReplayFrame(seq, described_view(whole.title, whole.as_today(state, seq), asked.audience, whole.shown(seq)))
        for seq, state in shown
    ]
    more = start + asked.limit <= log[-1].version
    return gzip.compress(encode(FramePage(frames, frames[-1].seq if more else None)), LEVEL, mtime=0)


def states(whole: History, log: Sequence[Entry]) -> Iterator[State]:
    """The game after each row from its start on; the same object, changed in place, until something is taken back."""
    state, branches = None, Branches(whole.stream, log)
    for entry in log:
        match entry.row:
            case GameStarted() as row:
                state = evolve(whole.blank(entry.version, row.zones), row.event)
            case Acted() as row if state is not None:
                evolve(state, row.event)
            case RulesChanged() as row if state is not None:
                state = taken_up(whole.title, state, whole.layout_at(entry.version - 1), row.layout)
            case Undone() as row:
                back = branches.back(entry.version, row)
                state = taken_up(whole.title, back, whole.layout_at(row.to), whole.layout_at(entry.version))
        if state is not None:
            branches.passed(entry.version, state)
            yield state

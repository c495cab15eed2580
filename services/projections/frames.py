"""Finished games view by view, for replays: as spectators saw them and from each seat.

Made from the log when somebody asks, a page at a time, in a process beside this one; kept as it is sent, gzipped, as long as
there is room. Most games are never looked at again.
"""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from cachetools import LRUCache

import engine
from engine.kernel import PREFER, State, clone, evolve
from engine.kernel.describe import described_view
from eventstore import StoredEvent
from services.problems import Problem
from services.processes import Processes
from services.projections.bodies import Frame, FramePage
from services.tables.history import Damaged, Entry, History, began_with, entries, opened
from services.tables.hot import HotTables
from services.tables.rows import NUMBERS, Acted, AnyTitle, GameStarted, TableOpened, Undone, decode

ROOM = 64 * 1024 * 1024
"""Bytes of pages that a process keeps: about a thousand whole games."""
SECONDS = 10.0
"""For one page: what a game of 20,000 events takes, several times over."""
MOST_WAITING = 50
LEVEL = 6
"""Of gzip: half the time of the highest, and 3 % more bytes."""
encode = msgspec.json.Encoder().encode


class Asked(NamedTuple):
    """A page of a replay: the views of an audience behind version `after`, at most `limit`."""

    table: UUID
    audience: int
    after: int
    limit: int


class Frames:
    """Of games that are over: what is kept of them holds for ever."""

    def __init__(self, hot: HotTables) -> None:
        self._hot = hot
        self._kept: LRUCache[Asked, bytes] = LRUCache(ROOM, getsizeof=len)
        self._making: dict[Asked, asyncio.Task[bytes]] = {}
        self._processes = Processes(1, SECONDS, MOST_WAITING)

    async def block(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """The page as JSON, gzipped. Who asks for what somebody is waiting for waits for the same.

        Raises Problem `game-not-over`, `log-damaged`, `unavailable`.
        """
        asked = Asked(table, audience, after, limit)
        if asked not in self._kept:
            making = self._making.get(asked) or self._begin(asked)
            self._kept[asked] = await asyncio.shield(making)
        return self._kept[asked]

    def _begin(self, asked: Asked) -> asyncio.Task[bytes]:
        making = self._making[asked] = asyncio.create_task(self._made(asked))
        making.add_done_callback(lambda task: self._ended(asked, task))
        return making

    def _ended(self, asked: Asked, task: asyncio.Task[bytes]) -> None:
        """Whoever waits is told of a failure; if nobody does any more, it is no news."""
        del self._making[asked]
        if not task.cancelled():
            task.exception()

    async def _made(self, asked: Asked) -> bytes:
        history = await self._hot.fresh(asked.table)
        if history.status != "over":
            raise Problem("game-not-over")
        stored = await self._hot.store.read(asked.table)
        try:
            return await self._processes.run(made, asked, stored, begun_with(history, stored).data)
        except TimeoutError as error:
            raise Problem("unavailable", "The replay takes too long.", retry_after=5) from error


def begun_with(history: History, stored: Sequence[StoredEvent]) -> AnyTitle:
    """The title with the data that the game began with."""
    began = next(decode(row.type, row.schema, row.data) for row in stored if row.type == NUMBERS[GameStarted])
    assert isinstance(began, GameStarted)       # as its number says
    return engine.title_of(history.opened.ruleset, began.data)


# --- beside the event loop --------------------------------------------------------------------------------------------
def made(asked: Asked, stored: Sequence[StoredEvent], data: bytes) -> bytes:
    """data: of the title that the game began with. Raises Problem `log-damaged`."""
    try:
        log = entries(stored)
        provide(log, data)
        begun = opened(asked.table, log)
    except Damaged as damage:
        raise Problem("log-damaged", f"version {damage.version}") from None
    first = next(entry.version for entry in log if isinstance(entry.row, GameStarted))
    start = max(first, asked.after + 1)
    after = enumerate(states(begun.title, begun.options, begun.opened.seats, log), first)
    shown = islice(after, start - first, start - first + asked.limit)
    frames = [Frame(seq, described_view(begun.title, state, asked.audience)) for seq, state in shown]
    more = start + asked.limit <= log[-1].version
    return gzip.compress(encode(FramePage(frames, frames[-1].seq if more else None)), LEVEL, mtime=0)


def provide(log: Sequence[Entry], data: bytes) -> None:
    first = log[0].row
    assert isinstance(first, TableOpened)       # the table has been folded before
    if not engine.provided(first.ruleset, began_with(log)):
        engine.provide(first.ruleset, data)


def states(title: AnyTitle, options: Any, seats: int, log: Sequence[Entry]) -> Iterator[State]:
    """The game after each row from its start on; the same object, changed in place, until something is taken back."""
    state = title.blank(options, seats)
    wanted = {entry.row.to for entry in log if isinstance(entry.row, Undone)}
    kept: dict[int, State] = {}
    started = False
    for version, _, row, _ in log:
        match row:
            case GameStarted():
                started = True
                evolve(state, row.event)
            case Acted():
                evolve(state, row.event)
            case Undone():
                state = gone_back(kept[row.to], log[row.to + 1 : version])
        if version in wanted:
            kept[version] = clone(state)
        if started:
            yield state


def gone_back(state: State, between: Sequence[Entry]) -> State:
    """Preferences outlive an undo."""
    state = clone(state)
    for _, _, row, _ in between:
        if isinstance(row, Acted) and row.action.verb == PREFER:
            evolve(state, row.event)
    return state

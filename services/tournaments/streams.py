"""Tournaments in the log: loaded and kept in memory, changed by appends that name the version they stand on."""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec

from eventstore import Append, Conflict, Duplicate, EventStore, Mismatch, NewEvent, StoredEvent, Untimely, chain
from services.idempotency import Identity
from services.problems import Problem
from services.tables.chain import RowHeader, commitment, link
from services.tables.history import Damaged, NewerRelease
from services.tables.hot import PATIENCE
from services.tables.rows import Unread
from services.tournaments.autopilot import due_after
from services.tournaments.rows import (
    OPENED,
    TOURNAMENT_NUMBERS,
    AnyTournamentRow,
    TournamentOpened,
    decode,
    encode,
)
from services.tournaments.state import SALT, TournamentState

log = logging.getLogger(__name__)
MOST = 200
"""Tournaments that a process keeps in memory."""
TRIES = 50
"""Of an act that other processes' acts overtake: a thousand may check in at once."""
Decide = Callable[[TournamentState], Sequence[AnyTournamentRow]]
Listener = Callable[[TournamentState], None]


class Done(NamedTuple):
    """version: after the act; row: its last one, None if nothing had to be done."""

    version: int
    row: AnyTournamentRow | Unread | None


class Tournaments:
    """All tournaments, as one process knows them. Any process may change any: the version check decides races."""

    def __init__(self, store: EventStore, now: Callable[[], datetime]) -> None:
        self.store, self.now = store, now
        self.known: OrderedDict[UUID, TournamentState] = OrderedDict()
        self.locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.listeners: list[Listener] = []     # told after each commit of this process

    # --- reading --------------------------------------------------------------------------------------------------------
    async def fresh(self, stream: UUID) -> TournamentState:
        """As the log has it now. Raises Problem `not-found`, `log-damaged`."""
        state = self.known.get(stream)
        if state is None or not await self.catch_up(state):
            state = await self.load(stream)
            self.keep(state)
        return state

    async def catch_up(self, state: TournamentState) -> bool:
        """Whether the log still has the row after which this one stands; then it takes in what came behind it."""
        version, hash_ = state.version, state.hash
        rows = await self.store.read(state.stream, after=version - 1)
        if not rows or rows[0].hash != hash_:
            self.known.pop(state.stream, None)
            return False
        self.take_in(state, rows)
        return True

    async def load(self, stream: UUID) -> TournamentState:
        """Raises Problem `not-found`, `log-damaged`, `newer-release`."""
        stored = await self.store.read(stream)
        if not stored or stored[0].type != OPENED:
            raise Problem("not-found")
        try:
            return await asyncio.to_thread(folded, stream, stored)
        except Damaged as damage:
            raise self.damaged(damage) from damage
        except NewerRelease as newer:
            raise Problem("newer-release", retry_after=PATIENCE) from newer

    def take_in(self, state: TournamentState, rows: Sequence[StoredEvent]) -> None:
        try:
            for row in rows:
                if row.version == state.version + 1 and state.newer is None:
                    add(state, row)
        except Damaged as damage:
            self.known.pop(state.stream, None)
            raise self.damaged(damage) from damage

    def damaged(self, damage: Damaged) -> Problem:
        log.error("damaged log: %s", damage)
        return Problem("log-damaged", f"version {damage.version} of the tournament")

    def keep(self, state: TournamentState) -> None:
        self.known[state.stream] = state
        self.known.move_to_end(state.stream)
        while len(self.known) > MOST:
            self.known.popitem(last=False)

    # --- changing -------------------------------------------------------------------------------------------------------
    async def open(self, stream: UUID, opened: TournamentOpened, key: bytes) -> bool:
        """Whether it is new; it was opened before if its request is sent again."""
        state = TournamentState(stream, opened, key)
        return await self.append(state, [opened], None, key) is not None

    async def change(self, stream: UUID, decide: Decide, identity: Identity | None = None) -> Done:
        """Appends what is decided, again when others were faster. Raises Problem.

        First on what this process knows: a thousand who check in here are spared a look at the log each.
        """
        lock = self.locks.get(stream) or self.locks.setdefault(stream, asyncio.Lock())
        async with lock:
            for attempt in range(TRIES):
                known = None if attempt else self.known.get(stream)
                state = known or await self.fresh(stream)
                if state.newer is not None:
                    raise Problem("newer-release", retry_after=PATIENCE)
                try:
                    rows = [*decide(state)]
                except Problem:
                    if known:
                        continue                # the log may have come further
                    if first := await self.repeated(stream, identity):
                        return first
                    raise
                if not rows and known:
                    continue
                if not rows:
                    return Done(state.version, None)
                try:
                    made = await self.append(state, rows, identity)
                except Repeated as first:
                    return await self.done(stream, first.version)
                if made is not None:
                    return made
        raise Problem("busy", retry_after=1)

    async def append(
        self, state: TournamentState, rows: Sequence[AnyTournamentRow], identity: Identity | None, key: bytes | None = None
    ) -> Done | None:
        """None if the log goes on otherwise; else the state has taken the rows in. key: beside the first row."""
        expected = state.version + 1
        events = chained(state, rows, max(self.now(), state.at))
        command, request = (identity.key, identity.request) if identity else (None, None)
        due = due_after(state, rows, events[-1].at)
        match await self.store.append(Append(state.stream, expected, events, command, request, state.hash, key, due)):
            case Duplicate(version):
                raise Repeated(version)
            case Mismatch():
                raise Problem("key-reused")
            case Conflict():
                return None
            case Untimely():
                raise Problem("busy", retry_after=1)
        for at, (event, row) in enumerate(zip(events, rows, strict=True), expected):
            if state.version == at - 1:
                state.add(stored(state.stream, at, event), row)
        for listener in self.listeners:
            listener(state)
        return Done(expected + len(rows) - 1, rows[-1])

    async def repeated(self, stream: UUID, identity: Identity | None) -> Done | None:
        """What came of this very request, if it was carried out before. Raises Problem `key-reused`."""
        known = await self.store.command(stream, identity.key) if identity else None
        if known is None or identity is None:
            return None
        request, version = known
        if request != identity.request:
            raise Problem("key-reused")
        return await self.done(stream, version)

    async def done(self, stream: UUID, version: int) -> Done:
        (row,) = await self.store.read(stream, after=version - 1, limit=1)
        return Done(version, decode(row.type, row.schema, row.data))


class Repeated(Exception):
    """This act was carried out before; version is its last row's."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version


# --- the chain ------------------------------------------------------------------------------------------------------------
def chained(state: TournamentState, rows: Sequence[AnyTournamentRow], at: datetime) -> list[NewEvent]:
    made: list[NewEvent] = []
    prev = state.hash
    for version, row in enumerate(rows, state.version + 1):
        data, place = encode(row), RowHeader(version, *TOURNAMENT_NUMBERS[type(row)], at)
        root = root_of(version, data)
        prev = link(SALT, prev, place, chain.NO_LAYOUT, data, root)
        made.append(NewEvent(place.type, place.schema, at, data, root, prev))
    return made


def stored(stream: UUID, version: int, event: NewEvent) -> StoredEvent:
    return StoredEvent(
        position=0, stream=stream, version=version, type=event.type, schema=event.schema, at=event.at, data=event.data,
        root=event.root, hash=event.hash, secret=None,
    )  # fmt: skip


def root_of(version: int, data: bytes) -> bytes:
    return chain.root([chain.salted(SALT, version, chain.SPECTATORS, data)])


def folded(stream: UUID, rows: Sequence[StoredEvent]) -> TournamentState:
    """As far as this release can read. Raises Damaged, NewerRelease."""
    state = begun(stream, rows[0])
    for row in rows:
        add(state, row)
    return state


def begun(stream: UUID, first: StoredEvent, *, keyed: bool = True) -> TournamentState:
    """Before its first row. keyed: the log has its key beside it. Raises Damaged, NewerRelease."""
    row, key = decode(first.type, first.schema, first.data), first.secret or b""
    if isinstance(row, Unread):
        raise NewerRelease(f"tournament {stream}: {row.why}")
    if not isinstance(row, TournamentOpened) or (keyed and commitment(key) != row.commitment):
        raise Damaged(stream, 0, "it does not open a tournament with the key that it is committed to")
    try:
        return TournamentState(stream, row, key)
    except msgspec.ValidationError as error:
        raise NewerRelease(f"tournament {stream}: {error}") from error


def add(state: TournamentState, event: StoredEvent) -> None:
    """Raises Damaged if the row does not follow."""
    if state.newer is not None:
        return
    root = root_of(event.version, event.data)
    if event.root != root or link(SALT, state.hash, event, chain.NO_LAYOUT, event.data, root) != event.hash:
        raise Damaged(state.stream, event.version, "it does not fit its hash")
    state.add(event, decode(event.type, event.schema, event.data))

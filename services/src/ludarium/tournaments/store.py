"""Tournaments in the log: loaded and kept in memory, changed by appends that name the version they stand on."""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

import msgspec
from cachetools import LRUCache

from ludarium.platform.entropy import Entropy
from ludarium.platform.idempotency import Identity
from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import EventHeader, commitment, link
from ludarium.tables.model.log_entries import Damaged, NewerRelease
from ludarium.tables.table_cache import PATIENCE
from ludarium.tournaments.autopilot import due_after
from ludarium.tournaments.event_types import OPENED, TOURNAMENT_NUMBERS, AnyTournamentRow, decode, encode
from ludarium.tournaments.events import Entered, TournamentOpened
from ludarium.tournaments.fold import apply_event
from ludarium.tournaments.state import SALT, TournamentState
from ludarium_eventstore import Append, Conflict, Duplicate, EventStore, Keyed, Mismatch, NewEvent, StoredEvent, Untimely, chain

log = logging.getLogger(__name__)
MOST = 200
"""Tournaments that a process keeps in memory."""
MOST_OPENED = 20_000
"""Tables that a process knows to be open."""
TRIES = 50
"""Of an act that other processes' acts overtake: a thousand may check in at once."""
Decide = Callable[[TournamentState], Sequence[AnyTournamentRow]]
DecideBeside = Callable[[TournamentState, int], Sequence[AnyTournamentRow]]
"""Besides the tournament, how many others enter in the same append."""
Listener = Callable[[TournamentState], None]
MOST_TOGETHER = 200
"""Acts of one append."""


class Done(NamedTuple):
    """version: after the act; row: its last one, None if nothing had to be done."""

    version: int
    row: AnyTournamentRow | UnreadEvent | None


class Waiting(NamedTuple):
    """A player's act."""

    player: str
    decide: DecideBeside
    identity: Identity | None
    answer: asyncio.Future[Done]

    def settle(self, outcome: Done | Exception) -> None:
        if self.answer.done():
            return                              # nobody waits for it any more
        if isinstance(outcome, Exception):
            self.answer.set_exception(outcome)
        else:
            self.answer.set_result(outcome)


Decided = tuple[Waiting, list[AnyTournamentRow]]


class Tournaments:
    """All tournaments, as one process knows them. Any process may change any: the version check decides races."""

    def __init__(self, store: EventStore, now: Callable[[], datetime], entropy: Entropy) -> None:
        self.entropy = entropy
        self.store, self.now = store, now
        self.known: OrderedDict[UUID, TournamentState] = OrderedDict()
        self.locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.listeners: list[Listener] = []     # told after each commit of this process
        self.lines: dict[UUID, list[Waiting]] = {}
        self.workers: dict[UUID, asyncio.Task[None]] = {}
        self.opened: LRUCache[UUID, None] = LRUCache(MOST_OPENED)

    # --- reading --------------------------------------------------------------------------------------------------------
    async def fresh(self, stream: UUID) -> TournamentState:
        """As the log has it now. Raises Problem `not-found`, `log-damaged`."""
        state = self.known.get(stream)
        if state is None or not await self.catch_up(state):
            state = await self.load(stream)
            self.keep(state)
        return state

    async def unopened(self, state: TournamentState) -> set[UUID]:
        """Return the tables of the round being played that cannot be used yet: they are opened after it is published.

        A table that was found once is not looked up again.
        """
        round = state.current
        if round is None or round.published is None or round.closed:
            return set()
        unknown = {board.table for board in round.open_boards if board.table not in self.opened}
        there = await self.store.heads(unknown) if unknown else {}
        self.opened.update(dict.fromkeys(there))
        return unknown - there.keys()

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
            return await in_thread(folded, stream, stored)
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
        """Appends what is decided, again when others were faster. Raises Problem."""
        async with self.lock(stream):
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

    def lock(self, stream: UUID) -> asyncio.Lock:
        return self.locks.get(stream) or self.locks.setdefault(stream, asyncio.Lock())

    async def act(self, stream: UUID, player: str, decide: DecideBeside, identity: Identity | None = None) -> Done:
        """A player's act, in one append with those of others that come while one is under way. Raises Problem.

        What it makes of a tournament must not hang on acts of others that are decided beside it.
        """
        waiting = Waiting(player, decide, identity, asyncio.get_running_loop().create_future())
        self.lines.setdefault(stream, []).append(waiting)
        if stream not in self.workers:
            self.workers[stream] = asyncio.create_task(self.work(stream))
        return await waiting.answer

    async def work(self, stream: UUID) -> None:
        """Until the line is empty. No timer: what comes while one append is under way is in the next one."""
        try:
            while group := self.first_of_each(stream):
                try:
                    async with self.lock(stream):
                        await self.together(stream, group)
                except Exception as error:
                    for waiting in group:
                        waiting.settle(error)
        finally:
            del self.workers[stream], self.lines[stream]

    def first_of_each(self, stream: UUID) -> list[Waiting]:
        """Of each player the first act that waits; the others stay in the line."""
        first: dict[str, Waiting] = {}
        rest: list[Waiting] = []
        for waiting in self.lines[stream]:
            if waiting.player in first or len(first) == MOST_TOGETHER:
                rest.append(waiting)
            else:
                first[waiting.player] = waiting
        self.lines[stream] = rest
        return [*first.values()]

    async def together(self, stream: UUID, group: Sequence[Waiting]) -> None:
        """All that the tournament takes, in one append; the others are told why not.

        Keys are looked up behind the rows that are known: one that comes to the log after that makes the append fail.
        """
        for _ in range(TRIES):
            state = await self.fresh(stream)
            if state.newer is not None:
                raise Problem("newer-release", retry_after=PATIENCE)
            known = await self.store.commands(stream, [one.identity.key for one in group if one.identity])
            decided = [each for each in await self.decided(state, group, known) if not each[0].answer.done()]
            if not decided:
                return
            group = [waiting for waiting, _ in decided]
            if await self.appended(state, decided):
                return
        raise Problem("busy", retry_after=1)

    async def decided(
        self, state: TournamentState, group: Sequence[Waiting], known: Mapping[UUID, tuple[bytes, int]]
    ) -> list[Decided]:
        """What is to be appended, act by act."""
        found: list[Decided] = []
        entering = 0
        for waiting in group:
            try:
                if waiting.identity and waiting.identity.key in known:
                    waiting.settle(await self.first_answer(state.stream, waiting.identity, known[waiting.identity.key]))
                elif rows := [*waiting.decide(state, entering)]:
                    entering += sum(isinstance(row, Entered) for row in rows)
                    found.append((waiting, rows))
                else:
                    waiting.settle(Done(state.version, None))
            except Problem as problem:
                waiting.settle(problem)
        return found

    async def appended(self, state: TournamentState, decided: Sequence[Decided]) -> bool:
        """Whether the log has taken them."""
        version, keys, answers = state.version, list[Keyed](), list[tuple[Waiting, Done]]()
        for waiting, rows in decided:
            version += len(rows)
            answers.append((waiting, Done(version, rows[-1])))
            if waiting.identity:
                keys.append(Keyed(waiting.identity.key, waiting.identity.request, version))
        if await self.append(state, [row for _, rows in decided for row in rows], None, together=keys) is None:
            return False
        for waiting, done in answers:
            waiting.settle(done)
        return True

    async def append(
        self, state: TournamentState, rows: Sequence[AnyTournamentRow], identity: Identity | None, key: bytes | None = None,
        together: Sequence[Keyed] = (),
    ) -> Done | None:  # fmt: skip
        """None if the log goes on otherwise; else the state has taken the rows in. key: beside the first row."""
        expected = state.version + 1
        events = chained(state, rows, max(self.now(), state.at))
        command, request = (identity.key, identity.request) if identity else (None, None)
        due = due_after(state, rows, events[-1].at)
        wanted = Append(state.stream, expected, events, command, request, state.hash, key, due, together)
        match await self.store.append(wanted):
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
                apply_event(state, stored(state.stream, at, event), row)
        for listener in self.listeners:
            listener(state)
        return Done(expected + len(rows) - 1, rows[-1])

    async def repeated(self, stream: UUID, identity: Identity | None) -> Done | None:
        """What came of this very request, if it was carried out before. Raises Problem `key-reused`."""
        known = await self.store.command(stream, identity.key) if identity else None
        return await self.first_answer(stream, identity, known) if known and identity else None

    async def first_answer(self, stream: UUID, identity: Identity, known: tuple[bytes, int]) -> Done:
        """Raises Problem `key-reused`."""
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
        data, place = encode(row), EventHeader(version, *TOURNAMENT_NUMBERS[type(row)], at)
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
    if isinstance(row, UnreadEvent):
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
    apply_event(state, event, decode(event.type, event.schema, event.data))

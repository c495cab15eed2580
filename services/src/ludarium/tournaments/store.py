"""Tournaments in the log: loaded, cached in memory, and changed by appends."""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID
from weakref import WeakValueDictionary

from cachetools import LRUCache

from ludarium.platform.entropy import Entropy
from ludarium.platform.idempotency import Identity
from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import Damaged, NewerRelease
from ludarium.tables.table_cache import PATIENCE
from ludarium.tournaments.autopilot import due_after
from ludarium.tournaments.event_types import OPENED, AnyTournamentEvent, decode
from ludarium.tournaments.events import Entered, TournamentOpened
from ludarium.tournaments.fold import apply_event
from ludarium.tournaments.hash_chain import apply_stored, as_stored, chain_events, fold_events
from ludarium.tournaments.state import TournamentState
from ludarium_eventstore import Append, Conflict, Duplicate, EventStore, Keyed, Mismatch, StoredEvent, Untimely

log = logging.getLogger(__name__)
MOST_CACHED = 200
"""Tournaments cached in memory by a process."""
MOST_KNOWN_TABLES = 20_000
"""Tables that a process knows to be open."""
TRIES = 50
"""Attempts of a command that conflicts with others; a thousand players may check in at once."""
Decide = Callable[[TournamentState], Sequence[AnyTournamentEvent]]
DecideInGroup = Callable[[TournamentState, int], Sequence[AnyTournamentEvent]]
"""Arguments: the tournament, and how many others enter in the same append."""
Listener = Callable[[TournamentState], None]
MOST_IN_GROUP = 200
"""Commands in one append."""


class CommandResult(NamedTuple):
    """The result of a command.

    Attributes:
        version: the tournament's version after the command.
        event: the command's last event, None if nothing had to be done.
    """

    version: int
    event: AnyTournamentEvent | UnreadEvent | None


class QueuedCommand(NamedTuple):
    """A player's command in the queue."""

    player: str
    decide: DecideInGroup
    identity: Identity | None
    answer: asyncio.Future[CommandResult]

    def resolve(self, outcome: CommandResult | Exception) -> None:
        if self.answer.done():
            return                              # the caller no longer waits
        if isinstance(outcome, Exception):
            self.answer.set_exception(outcome)
        else:
            self.answer.set_result(outcome)


DecidedCommand = tuple[QueuedCommand, list[AnyTournamentEvent]]


class TournamentStore:
    """All tournaments, as a process knows them.

    Any process may change any of them: the version check decides races.
    """

    def __init__(self, store: EventStore, now: Callable[[], datetime], entropy: Entropy) -> None:
        self.entropy = entropy
        self.store, self.now = store, now
        self.cache: OrderedDict[UUID, TournamentState] = OrderedDict()
        self.locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self.listeners: list[Listener] = []     # called after each commit of this process
        self.queues: dict[UUID, list[QueuedCommand]] = {}
        self.workers: dict[UUID, asyncio.Task[None]] = {}
        self.known_tables: LRUCache[UUID, None] = LRUCache(MOST_KNOWN_TABLES)

    # --- reading ------------------------------------------------------------------------------------------------------
    async def fresh(self, stream: UUID) -> TournamentState:
        """Return the tournament as the log has it now.

        Raises:
            Problem: `not-found`, `log-damaged`.
        """
        state = self.cache.get(stream)
        if state is None or not await self.catch_up(state):
            state = await self.load(stream)
            self.remember(state)
        return state

    async def unopened(self, state: TournamentState) -> set[UUID]:
        """Return the tables of the current round that are not open yet.

        They are opened after it is published. A table that was found once is not looked up again.
        """
        round = state.current
        if round is None or round.published is None or round.closed:
            return set()
        unknown = {board.table for board in round.open_boards if board.table not in self.known_tables}
        there = await self.store.heads(unknown) if unknown else {}
        self.known_tables.update(dict.fromkeys(there))
        return unknown - there.keys()

    async def catch_up(self, state: TournamentState) -> bool:
        """Apply new events. Returns False if the log no longer has the state's last event."""
        version, hash_ = state.version, state.hash
        rows = await self.store.read(state.stream, after=version - 1)
        if not rows or rows[0].hash != hash_:
            self.cache.pop(state.stream, None)
            return False
        self.apply_all(state, rows)
        return True

    async def load(self, stream: UUID) -> TournamentState:
        """Load a tournament. Raises Problem `not-found`, `log-damaged`, `newer-release`."""
        as_stored = await self.store.read(stream)
        if not as_stored or as_stored[0].type != OPENED:
            raise Problem("not-found")
        try:
            return await in_thread(fold_events, stream, as_stored)
        except Damaged as damage:
            raise self.damaged(damage) from damage
        except NewerRelease as newer:
            raise Problem("newer-release", retry_after=PATIENCE) from newer

    def apply_all(self, state: TournamentState, rows: Sequence[StoredEvent]) -> None:
        try:
            for row in rows:
                if row.version == state.version + 1 and state.newer is None:
                    apply_stored(state, row)
        except Damaged as damage:
            self.cache.pop(state.stream, None)
            raise self.damaged(damage) from damage

    def damaged(self, damage: Damaged) -> Problem:
        log.error("damaged log: %s", damage)
        return Problem("log-damaged", f"version {damage.version} of the tournament")

    def remember(self, state: TournamentState) -> None:
        self.cache[state.stream] = state
        self.cache.move_to_end(state.stream)
        while len(self.cache) > MOST_CACHED:
            self.cache.popitem(last=False)

    # --- changing -----------------------------------------------------------------------------------------------------
    async def open(self, stream: UUID, opened: TournamentOpened, key: bytes) -> bool:
        """Open a tournament. Returns False if it was opened before, by a repeated request."""
        state = TournamentState(stream, opened, key)
        return await self.append(state, [opened], None, key) is not None

    async def change(self, stream: UUID, decide: Decide, identity: Identity | None = None) -> CommandResult:
        """Append what `decide` returns, with retries on conflicts. Raises Problem."""
        async with self.lock(stream):
            for attempt in range(TRIES):
                known = None if attempt else self.cache.get(stream)
                state = known or await self.fresh(stream)
                if state.newer is not None:
                    raise Problem("newer-release", retry_after=PATIENCE)
                try:
                    rows = [*decide(state)]
                except Problem:
                    if known:
                        continue                # the log may have more events
                    if first := await self.earlier_result(stream, identity):
                        return first
                    raise
                if not rows and known:
                    continue
                if not rows:
                    return CommandResult(state.version, None)
                try:
                    made = await self.append(state, rows, identity)
                except AlreadyDone as first:
                    return await self.result_at(stream, first.version)
                if made is not None:
                    return made
        raise Problem("busy", retry_after=1)

    def lock(self, stream: UUID) -> asyncio.Lock:
        return self.locks.get(stream) or self.locks.setdefault(stream, asyncio.Lock())

    async def change_in_group(
        self, stream: UUID, player: str, decide: DecideInGroup, identity: Identity | None = None
    ) -> CommandResult:
        """Append a player's command together with those that arrive during an append.

        Raises Problem. What the command changes must not depend on the other commands of its group.
        """
        queued = QueuedCommand(player, decide, identity, asyncio.get_running_loop().create_future())
        self.queues.setdefault(stream, []).append(queued)
        if stream not in self.workers:
            self.workers[stream] = asyncio.create_task(self.drain_queue(stream))
        return await queued.answer

    async def drain_queue(self, stream: UUID) -> None:
        """Append the queue in groups until it is empty.

        Commands that arrive during an append form the next.
        """
        try:
            while group := self.next_group(stream):
                try:
                    async with self.lock(stream):
                        await self.append_group(stream, group)
                except Exception as error:
                    for queued in group:
                        queued.resolve(error)
        finally:
            del self.workers[stream], self.queues[stream]

    def next_group(self, stream: UUID) -> list[QueuedCommand]:
        """Take the first command of each player; others stay in the queue."""
        first: dict[str, QueuedCommand] = {}
        rest: list[QueuedCommand] = []
        for queued in self.queues[stream]:
            if queued.player in first or len(first) == MOST_IN_GROUP:
                rest.append(queued)
            else:
                first[queued.player] = queued
        self.queues[stream] = rest
        return [*first.values()]

    async def append_group(self, stream: UUID, group: Sequence[QueuedCommand]) -> None:
        """Append the accepted commands of a group, and answer the others.

        Keys are looked up together with the known events; a key that arrives in the log later makes the append fail.
        """
        for _ in range(TRIES):
            state = await self.fresh(stream)
            if state.newer is not None:
                raise Problem("newer-release", retry_after=PATIENCE)
            known = await self.store.commands(stream, [one.identity.key for one in group if one.identity])
            decided = [each for each in await self.decide_group(state, group, known) if not each[0].answer.done()]
            if not decided:
                return
            group = [queued for queued, _ in decided]
            if await self.append_decided(state, decided):
                return
        raise Problem("busy", retry_after=1)

    async def decide_group(
        self, state: TournamentState, group: Sequence[QueuedCommand], known: Mapping[UUID, tuple[bytes, int]]
    ) -> list[DecidedCommand]:
        """Return the events of each command that is accepted."""
        found: list[DecidedCommand] = []
        entering = 0
        for queued in group:
            try:
                if queued.identity and queued.identity.key in known:
                    queued.resolve(await self.first_result(state.stream, queued.identity, known[queued.identity.key]))
                elif rows := [*queued.decide(state, entering)]:
                    entering += sum(isinstance(row, Entered) for row in rows)
                    found.append((queued, rows))
                else:
                    queued.resolve(CommandResult(state.version, None))
            except Problem as problem:
                queued.resolve(problem)
        return found

    async def append_decided(self, state: TournamentState, decided: Sequence[DecidedCommand]) -> bool:
        """Append decided commands. Returns False on a conflict."""
        version, keys, answers = state.version, list[Keyed](), list[tuple[QueuedCommand, CommandResult]]()
        for queued, rows in decided:
            version += len(rows)
            answers.append((queued, CommandResult(version, rows[-1])))
            if queued.identity:
                keys.append(Keyed(queued.identity.key, queued.identity.request, version))
        if await self.append(state, [row for _, rows in decided for row in rows], None, together=keys) is None:
            return False
        for queued, done in answers:
            queued.resolve(done)
        return True

    async def append(
        self, state: TournamentState, rows: Sequence[AnyTournamentEvent], identity: Identity | None, key: bytes | None = None,
        together: Sequence[Keyed] = (),
    ) -> CommandResult | None:  # fmt: skip
        """Append and apply events, None on a conflict.

        Args:
            key: a key to store with the first event.
        """
        expected = state.version + 1
        events = chain_events(state, rows, max(self.now(), state.at))
        command, request = (identity.key, identity.request) if identity else (None, None)
        due = due_after(state, rows, events[-1].at)
        wanted = Append(state.stream, expected, events, command, request, state.hash, key, due, together)
        match await self.store.append(wanted):
            case Duplicate(version):
                raise AlreadyDone(version)
            case Mismatch():
                raise Problem("key-reused")
            case Conflict():
                return None
            case Untimely():
                raise Problem("busy", retry_after=1)
        for at, (event, row) in enumerate(zip(events, rows, strict=True), expected):
            if state.version == at - 1:
                apply_event(state, as_stored(state.stream, at, event), row)
        for listener in self.listeners:
            listener(state)
        return CommandResult(expected + len(rows) - 1, rows[-1])

    async def earlier_result(self, stream: UUID, identity: Identity | None) -> CommandResult | None:
        """Return the earlier result of this request, if it was carried out before.

        Raises:
            Problem: `key-reused`.
        """
        known = await self.store.command(stream, identity.key) if identity else None
        return await self.first_result(stream, identity, known) if known and identity else None

    async def first_result(self, stream: UUID, identity: Identity, known: tuple[bytes, int]) -> CommandResult:
        """Return the first result of a repeated request. Raises Problem `key-reused`."""
        request, version = known
        if request != identity.request:
            raise Problem("key-reused")
        return await self.result_at(stream, version)

    async def result_at(self, stream: UUID, version: int) -> CommandResult:
        (row,) = await self.store.read(stream, after=version - 1, limit=1)
        return CommandResult(version, decode(row.type, row.schema, row.data))


class AlreadyDone(Exception):
    """This command was carried out before.

    Attributes:
        version: the version of its last event.
    """

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.version = version

"""The service that turns commands into events.

It loads the table, decides, appends, changes the state in memory, and publishes the events.
"""
from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from ludarium.clocks.clocks import Clocks
from ludarium.clocks.server_clock import ServerClock
from ludarium.platform import ids
from ludarium.platform.entropy import Entropy
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.platform.traces import span
from ludarium.platform.view_channel import audience_of, looks_at
from ludarium.tables.appends import (
    Commit,
    RedactedEvent,
    answer_to,
    audience_for,
    chain_events,
    check_size,
    new_commit,
    new_event,
    push_messages,
)
from ludarium.tables.deals.streams import DealStreams, join_board
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model import access, branching, decisions, documents, seating, timeouts
from ludarium.tables.model.access import Proof, arrival_events, is_delayed, with_arrival
from ludarium.tables.model.event_types import UNDOS, AnyEvent
from ludarium.tables.model.hash_chain import LogEntry, head_of
from ludarium.tables.model.opening import Dealt, Place, checked_table, opening_events, own_deal
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import Arrival
from ludarium.tables.queries import FindProof, TableQueries
from ludarium.tables.repeated_commands import Repeated, RepeatedCommands
from ludarium.tables.schemas import Command, NewBranch, NewTable, TableBody, TableView, Undo
from ludarium.tables.table_cache import MOST_TABLES, PATIENCE, TableCache
from ludarium.tables.timekeeping import Timekeeper
from ludarium.tables.views import table_body, table_view
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.published import document_hash
from ludarium_eventstore import Append, Conflict, Duplicate, EventStore, Mismatch, Ok, Untimely

log = logging.getLogger(__name__)
TRIES = 5                                       # of a command that conflicts with those of other processes
Decide = Callable[[TableState], list[AnyEvent]]
Listener = Callable[[TableState], Awaitable[None]]


class Publisher(Protocol):
    def watched(self, table: str, looks: Collection[int]) -> Collection[int]:
        """Return the view channels whose messages are worth making. Others read the log."""

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[int, bytes]) -> None:
        """Publish an event; `prev` is the hash of the event before it, or empty."""


async def no_proof(stream: UUID, player: str) -> Proof | None:
    """Return None, for services without invitations."""
    return None


class Tables:
    """All tables, as a process serves them.

    Any process may serve any table: the version check decides races.
    """

    def __init__(
        self, store: EventStore, publisher: Publisher, entropy: Entropy, most_cached: int = MOST_TABLES,
        server_clock: ServerClock | None = None, find_proof: FindProof = no_proof,
    ) -> None:  # fmt: skip
        """Configure the tables.

        Args:
            most_cached: how many tables stay in memory.
            find_proof: finds a player's valid proof that they may enter a table.
        """
        self.entropy = entropy
        self.store, self.publisher, self.cache = store, publisher, TableCache(store, most_cached)
        self.server_clock = server_clock or ServerClock(store)
        self.timekeeper = Timekeeper(store, self.server_clock)
        self.queries = TableQueries(self.cache, self.timekeeper, find_proof)
        self.repeated = RepeatedCommands(self.cache, self.timekeeper)
        self.deals = DealStreams(store, self.server_clock.now, entropy)
        self.listeners: list[Listener] = []                     # called after each commit of this process
        self.idle_listeners: list[Listener] = []                # called after each commit that leaves no running game

    async def close(self) -> None:
        await self.cache.close()

    async def view(self, stream: UUID, player: str | None, as_: int | None, at: int | None = None) -> TableView:
        """Return the table now, or as it was after version `at`.

        Args:
            as_: a seat, SPECTATOR, or None for the player's own seat.
        """
        find = self.attend if at is None else self.queries.seen_by
        table, audience = await find(stream, player, as_)
        if await self.timekeeper.learn_outage(table):           # the table may have changed in the meantime
            table, audience = await self.queries.seen_by(stream, player, as_)
        if at is None or at == table.version:
            return table_view(table, audience, self.queries.clocks(table, audience))
        if at > table.version:
            raise Problem("future-sequence", seq=table.version)
        return await self.queries.past_view(stream, audience, at)

    async def attend(self, stream: UUID, player: str | None, as_: int | None) -> tuple[TableState, int]:
        """Return the same as `seen_by`, and record an arrival at a tournament's table."""
        table, audience = await self.queries.seen_by(stream, player, as_)
        if audience == SPECTATOR or not arrival_events(table, player):
            return table, audience
        await self.decide_and_append(stream, lambda now: arrival_events(now, player))
        return await self.queries.seen_by(stream, player, as_)

    # --- changes ------------------------------------------------------------------------------------------------------
    async def create(self, creator: str, wanted: NewTable) -> TableBody:
        return await self.open(
            ids.new_table_id(self.entropy, "table", creator, creator=creator), creator, checked_table(wanted)
        )

    async def open(
        self, stream: UUID, creator: str, wanted: NewTable, more: Sequence[AnyEvent] = (), dealt: Dealt | None = None
    ) -> TableBody:
        """Open the table with this id, once, and return it as opened.

        A repeated call returns the same.

        Args:
            more: events that come with the opening.
            dealt: a deal that was committed to before.
        """
        if table := await self.arrange(stream, creator, wanted, more, dealt or own_deal(self.entropy, stream)):
            return table_body(table)
        return table_body(await self.cache.state_at(stream, await self.cache.events(stream), 1 + len(more)))

    async def arrange(
        self, stream: UUID, creator: str, wanted: NewTable, more: Sequence[AnyEvent], dealt: Dealt, place: Place | None = None
    ) -> TableState | None:
        """Open a table, None if it was opened before.

        Args:
            place: the place of the table in a tournament.
        """
        event, events = opening_events(creator, wanted, dealt, more, place)
        table = TableState(stream, event, dealt[0])
        if await self.append(table, events, None, None) is None:
            return None
        self.cache.put(table)
        return table

    async def sit(
        self, stream: UUID, player: str, seat: int | None, nonce: bytes = b"", identity: Identity | None = None,
        who: seating.Newcomer = seating.ANYONE,
    ) -> Accepted:  # fmt: skip
        proof = await self.queries.find_proof(stream, player)
        await self.join_deal(stream, player)

        def seated(table: TableState) -> list[AnyEvent]:
            return seating.sit(table, player, seat, nonce, proof, who)

        return await self.change(stream, player, seated, identity, proof=proof)

    async def replace(
        self, stream: UUID, player: str, seat: int, identity: Identity | None = None, who: seating.Newcomer = seating.ANYONE
    ) -> Accepted:
        proof = await self.queries.find_proof(stream, player)

        def decide(table: TableState) -> list[AnyEvent]:
            return seating.replace(table, player, seat, proof, who)

        return await self.change(stream, player, decide, identity, proof=proof)

    async def take_over(self, stream: UUID, guest: str, player: str, identity: Identity | None = None) -> Accepted:
        """Transfer a guest's seat to a player.

        In a shared deal, the player must not have another board.
        """
        await self.join_deal(stream, player)
        return await self.change(stream, player, lambda h: seating.take_over(h, guest, player), identity)

    async def join_deal(self, stream: UUID, player: str) -> None:
        """Assign the player to a board of a shared deal.

        Tournaments do that themselves.

        Raises:
            Problem: `deal-closed`, `other-board`.
        """
        table = await self.cache.load(stream)
        deal = table.opened.deal
        if deal.stream and not access.is_arranged(table):
            await self.deals.change(UUID(bytes=deal.stream), lambda shared: join_board(shared, player, deal.board))

    async def rematch(self, stream: UUID, player: str, who: seating.Newcomer = seating.ANYONE) -> TableBody:
        """Open the next table, not started, or take the reserved seat there."""
        table = await self.cache.fresh(stream)
        opened, events = access.undisclosed(table, player, lambda h: seating.rematch(h, player, who))
        again = seating.next_table(table)
        await self.open(again, player, opened, events)
        seated = await self.decide_and_append(again, lambda h: seating.take_reserved(h, player, who), player=player)
        return table_body(seated.table)

    async def branch(self, stream: UUID, source: UUID, player: str, wanted: NewBranch) -> TableBody:
        """Open the table with this id as a branch of another one, and return it as opened."""
        now, _ = await self.queries.seen_by(source, player, None)
        seat = branching.seat_for(now, player, wanted.at, wanted.seat)
        queue = self.cache.lookback
        events = (await self.cache.events(source, queue))[: wanted.at + 1]
        then = await self.cache.state_at(source, events, wanted.at, queue)
        luck = self.entropy.random("branch", stream)
        made = await queue.run(
            len(events), lambda: branching.branch(now, then, events, player, seat, wanted.bot, luck)
        )
        return await self.open(stream, player, *made)

    # --- the steps of a command ---------------------------------------------------------------------------------------
    async def command(
        self, stream: UUID, player: str, wanted: Command | Undo, identity: Identity | None = None,
        arrival: Arrival | None = None,
    ) -> Accepted:  # fmt: skip
        """Carry out a seat's command or undo, if the seat knew its current question."""
        expected = wanted.expected_seq

        def checked(table: TableState) -> list[AnyEvent]:
            seat = access.require_seat(table, player)
            if expected > table.version:
                raise Problem("future-sequence", seq=table.version)
            if table.state is not None and expected < table.since[seat]:
                raise Problem("stale-sequence", seq=table.version)
            return decisions.undo(table, player) if isinstance(wanted, Undo) else decisions.act(table, player, wanted)

        try:
            return await self.change(stream, player, checked, identity, wanted, arrival)
        except Problem as problem:
            if problem.code == "stale-sequence":
                raise await self.queries.stale_problem(stream, player, expected) from problem
            raise

    async def change(
        self, stream: UUID, player: str, decide: Decide, identity: Identity | None = None, wanted: Command | Undo | None = None,
        arrival: Arrival | None = None, proof: Proof | None = None,
    ) -> Accepted:  # fmt: skip
        def discreet(table: TableState) -> list[AnyEvent]:
            return with_arrival(table, player, access.undisclosed(table, player, decide, proof))

        try:
            made = await self.decide_and_append(
                stream, discreet, player=player, identity=identity, wanted=wanted, arrival=arrival
            )
            return answer_to(made, player)
        except Repeated as first:
            return await self.repeated.first_answer(stream, player, first.version)

    async def decide_and_append(
        self, stream: UUID, decide: Decide, *, player: str | None = None, identity: Identity | None = None,
        wanted: Command | Undo | None = None, arrival: Arrival | None = None,
    ) -> Commit:  # fmt: skip
        """Decide and append, with retries when other processes append first.

        Args:
            player: gets the answer.
            wanted: the seat's request, based on the event that it names.
            arrival: by default now.

        Raises:
            Problem, Repeated
        """
        arrival = arrival or Arrival(self.server_clock.now())
        async with self.cache.lock(stream):
            table = await self.cache.load(stream)
            for _ in range(TRIES):
                if table.newer is not None:
                    raise Problem("newer-release", retry_after=PATIENCE)
                version = table.version
                try:
                    if wanted is not None:
                        await self.check_basis(table, player, wanted)
                    events, clocks = await self.timekeeper.with_clocks(table, decide(table), arrival)
                    if table.version != version:
                        continue                # another task has applied events that this decision ignores
                    if not events:
                        return Commit(table, [], {}, [])
                except Problem:
                    if not await self.cache.catch_up(table):
                        await self.repeated.check(stream, identity)
                        raise
                    table = await self.cache.load(stream)
                    continue
                made = await self.append(table, events, player, identity, arrival.at, clocks)
                if made is not None:
                    return made
                await self.cache.catch_up(table)
                table = await self.cache.load(stream)
        raise Problem("game-over") if await self.store.archived(stream) else Problem("busy", retry_after=1)

    async def append(
        self, table: TableState, rows: Sequence[AnyEvent], player: str | None, identity: Identity | None,
        at: datetime | None = None, clocks: Clocks | None = None,
    ) -> Commit | None:  # fmt: skip
        """Append the events, None on a conflict.

        The state in memory changes only after the store has confirmed.

        Args:
            at: the instant of the events, by default now.
            clocks: after the events; None if a fold of the log has to compute them.
        """
        version = table.version
        for document in {document for event in rows for document in documents.named_by(table.title, event)}:
            await self.store.put_document(document_hash(document), document)
        if table.version != version:
            return None                         # another task has applied events that this decision ignores
        at = at or self.server_clock.now()
        made = chain_events(table, rows, at)
        due = timeouts.next_due(table, made[0].entry.at, rows, clocks)
        look = timeouts.check_after(table, at, due)
        events = [new_event(event.entry) for event in made]
        check_size(table, events)
        key, request = (identity.key, identity.request) if identity else (None, None)
        secret, prev = made[0].entry.secret, table.hash if table.version >= 0 else b""
        told = None if look is table.next_check else due
        with span("append", {"ludarium.rows": len(events)}):
            appended = await self.store.append(
                Append(table.stream, table.version + 1, events, key, request, table.hash, secret, told)
            )
        match appended:
            case Ok():
                if table.version + 1 == made[0].entry.version:
                    table.next_check = look         # otherwise other events were applied, and their check is unknown
                return await self.apply_and_publish(table, prev, made, player, clocks)
            case Duplicate(version):
                raise Repeated(version)
            case Mismatch():
                raise Problem("key-reused")
            case Conflict():
                return None
            case Untimely():
                await self.server_clock.learn()
                raise Problem("busy", retry_after=1)

    async def apply_and_publish(
        self, table: TableState, prev: bytes, events: Sequence[RedactedEvent], player: str | None, clocks: Clocks | None
    ) -> Commit:
        """Apply committed events, then publish them.

        Views are made at once, since later events change the state.

        Args:
            prev: hash of the event before the first one.
            clocks: after the events, if known.
        """
        table = await self.apply(table, [event.entry for event in events], clocks)
        looks = self.publisher.watched(table.id, looks_at(table.opened.seats))
        if is_delayed(table, SPECTATOR):
            looks = [one for one in looks if audience_of(one) != SPECTATOR]
        own = [] if player is None else [audience_for(table, player)]
        away = self.timekeeper.outage_since(table, table.at)
        made = new_commit(table, events, {*map(audience_of, looks), *own}, away)
        with span("push", {"ludarium.rows": len(events), "ludarium.view_channels": len(looks)}):
            for nth, event in enumerate(events):
                await self.publisher.publish(table.id, event.entry.version, prev, push_messages(made, nth, looks))
                prev = event.entry.hash
        for listener in self.listeners if table.status == "playing" else [*self.listeners, *self.idle_listeners]:
            await listener(table)
        return made

    async def apply(self, table: TableState, events: Sequence[LogEntry], clocks: Clocks | None) -> TableState:
        if not UNDOS.isdisjoint([type(entry.event) for entry in events]):
            self.cache.forget(table.stream)
            return await self.cache.reach(table.stream, events[-1].version)
        self.cache.apply(table, events, check=False, clocks=clocks)
        self.cache.snapshots.after_commit(table)
        return table

    async def check_basis(self, table: TableState, player: str | None, wanted: Command | Undo) -> None:
        """Raise if the log has lost the event on which the seat decided.

        Only the log knows events older than the newest. If an event is lost after this check, so is the end of `table`,
        and the append conflicts. A player without a seat is refused by the decision.

        Raises:
            Problem: `lost-row`.
        """
        seq, head = wanted.expected_seq, wanted.head
        if head is None or (seq == table.version and head == head_of(table.hash)):
            return
        if access.own_seat(table, player) is None:
            return
        if seq >= table.version or not await self.cache.log_has_event(table.stream, seq, head):
            raise Problem("lost-row", seq=table.version)

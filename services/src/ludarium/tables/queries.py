"""Read-only queries about tables: their views, events and clocks."""
from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

from msgspec import UNSET, UnsetType

from ludarium.clocks.server_clock import ServerClock
from ludarium.platform.problems import Problem
from ludarium.tables.appends import json
from ludarium.tables.delay import DelayedTables
from ludarium.tables.event_schemas import EventBody
from ludarium.tables.event_views import event_body
from ludarium.tables.model import access, seating
from ludarium.tables.model.access import Proof, is_delayed
from ludarium.tables.model.hash_chain import head_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ClocksBody, TableBody, TableView
from ludarium.tables.table_cache import TableCache
from ludarium.tables.timekeeping import Timekeeper
from ludarium.tables.views import clocks_body, table_body, table_view
from ludarium.tables.workers import Workers
from ludarium_engine.kernel import SPECTATOR

MOST_EVENTS = 1000
"""Maximum number of events in one response."""
FindProof = Callable[[UUID, str], Awaitable[Proof | None]]


class TableQueries:
    def __init__(self, cache: TableCache, timekeeper: Timekeeper, find_proof: FindProof) -> None:
        """Configure the queries.

        Args:
            find_proof: called with a table and a player; returns the link or invitation that lets the player in, if any.
        """
        self.cache, self.timekeeper, self.find_proof = cache, timekeeper, find_proof
        self.server_clock: ServerClock = timekeeper.server_clock
        self.delayed = DelayedTables(cache, self.server_clock.now)

    async def table(self, stream: UUID, player: str | None) -> TableBody:
        """Return the description of a table for a player who may find it."""
        table = await self.cache.fresh(stream)
        access.check_may_find(table, player, await self.proof(table, player))
        own = access.own_seat(table, player)
        seen = await self.delayed.visible(table, SPECTATOR if own is None else own)
        return table_body(seen, await self.rematch_id(seen, player))

    async def rematch_id(self, table: TableState, player: str | None) -> str | UnsetType:
        """Return the id of a finished table's rematch, if the player may see it."""
        if table.status != "over" or table.state is None:
            return UNSET
        try:
            again = await self.cache.fresh(seating.next_table(table))
            access.check_may_find(again, player, await self.proof(again, player))
        except Problem as refusal:
            if refusal.code != "not-found":
                raise
            return UNSET
        return again.id

    async def past_view(self, stream: UUID, audience: int, at: int) -> TableView:
        """Return the table after version `at`, as the audience may see it.

        Raises:
            Problem: `unavailable` if too many such reads are waiting.
        """
        queue = self.cache.lookback
        past = await self.cache.state_at(stream, await self.cache.events(stream, queue), at, queue)
        return table_view(past, audience, self.clocks_then(past))

    async def view_for(self, stream: UUID, audience: int) -> TableView:
        """Return the current view. The caller has checked that the viewer may see it."""
        table = await self.delayed.visible(await self.cache.fresh(stream), audience)
        if await self.timekeeper.learn_outage(table):
            table = await self.delayed.visible(await self.cache.fresh(stream), audience)
        return table_view(table, audience, self.clocks(table, audience))

    def clocks(self, table: TableState, audience: int) -> ClocksBody | None:
        """Return the current clocks; for delayed spectators, those of the state they see."""
        if is_delayed(table, audience) or table.ended:
            return self.clocks_then(table)
        now = self.server_clock.now()
        return clocks_body(table, now, self.timekeeper.outage_since(table, now))

    def clocks_then(self, table: TableState) -> ClocksBody | None:
        """Return the clocks at the moment of the newest event."""
        return clocks_body(table, table.at, self.timekeeper.outage_since(table, table.at))

    async def events(
        self, stream: UUID, audience: int, after: int, limit: int = MOST_EVENTS, queue: Workers | None = None
    ) -> list[EventBody]:
        """Return the events after `after` as the audience may see them.

        If the table's newest event is among them, it includes the view.

        Args:
            queue: where long work waits, as in `TableCache.run_checked`.
        """
        return (await self.events_with_head(stream, audience, after, limit, queue))[1]

    async def events_with_head(
        self, stream: UUID, audience: int, after: int, limit: int = MOST_EVENTS, queue: Workers | None = None
    ) -> tuple[str | None, list[EventBody]]:
        """Return the head of the event at `after`, and the events after that event.

        The head is "" if `after` is -1, and None if the log has no event at `after`.
        """
        before = min(after, 0) + 1
        known, events = await self.cache.events_after(stream, after - before, min(limit, MOST_EVENTS) + before, queue)
        table = await self.delayed.visible(known, audience)
        if after > table.version:
            raise Problem("future-sequence", seq=table.version)
        newest = table.version
        head = next((head_of(entry.hash) for entry in events[:before]), None) if before else ""
        told = events[before:][: newest - after]
        view = table_view(table, audience, self.clocks_then(table)) if told and told[-1].version == newest else UNSET

        def seen() -> list[EventBody]:
            return [event_body(entry, audience, table, view if entry.version == newest else UNSET) for entry in told]

        return head, await self.cache.run_checked(len(told), seen, queue)

    async def stale_problem(self, stream: UUID, player: str, expected: int) -> Problem:
        """Return status 409 with the events that the caller missed.

        One round trip then repairs the caller's state.
        """
        table = await self.cache.fresh(stream)
        missed = await self.events(stream, access.audience(table, player, None), expected)
        return Problem("stale-sequence", seq=table.version, events=[json(event) for event in missed])

    async def check_event(self, stream: UUID, audience: int, seq: int, head: str) -> None:
        """Raise Problem `lost-row` unless the log contains the event with this head.

        Events that the audience may not see yet count as missing.
        """
        now = await self.view_for(stream, audience)
        if seq > now.seq or not await self.cache.log_has_event(stream, seq, head):
            raise Problem("lost-row", seq=now.seq)

    async def seen_by(self, stream: UUID, player: str | None, as_: int | None) -> tuple[TableState, int]:
        """Return the table as the player may see it, and the player's audience.

        Args:
            as_: the requested audience, as in `Tables.view`.
        """
        table = await self.cache.fresh(stream)
        audience = access.audience(table, player, as_, await self.proof(table, player))
        return await self.delayed.visible(table, audience), audience

    async def audience(self, stream: UUID, player: str | None, as_: int | None) -> int:
        table = await self.cache.fresh(stream)
        return access.audience(table, player, as_, await self.proof(table, player))

    async def proof(self, table: TableState, player: str | None) -> Proof | None:
        """Return the player's link or invitation, if it is needed to see the table."""
        return await self.find_proof(table.stream, player) if player and access.needs_proof(table, player) else None

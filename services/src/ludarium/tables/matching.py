"""Quick matches: seat players who want the same game at one table, and start it."""
from __future__ import annotations

import asyncio
from collections.abc import Collection
from datetime import timedelta
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tables.model.decisions import run_rules, start_game
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import SeatedBy
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_engine.kernel.decoding import json_decoder

_wanted_in = json_decoder(NewTable)

FRESH = timedelta(seconds=15)
"""How long a player waits in the queue without polling."""
ASK = 5
"""Seconds between two polls."""
AT_ONCE = 200
"""Maximum number of queue entries in one SQL statement; further entries wait for the next statement."""
_encode = msgspec.json.Encoder(order="deterministic").encode


class Ticket(msgspec.Struct, frozen=True):
    """A player's request in the matchmaking queue.

    `table` is the table to play at, once there are enough players. Poll again after `seconds`; tickets that are not
    polled are dropped.
    """

    id: str
    table: str | None
    seconds: int = ASK


class QueueEntry(NamedTuple):
    """A row for `entry.seek_all`.

    Attributes:
        kind: the hash of the wanted table's settings.
        wanted: the settings, as JSON.
        next: the table's id, used if this entry completes a match.
        barred: the players to avoid, as JSON.
    """

    ticket: UUID
    player: str
    kind: bytes
    wanted: bytes
    seats: int
    next: UUID
    barred: str


class Match(NamedTuple):
    """A match: its table, and its players in the order of their seats."""

    table: UUID
    players: list[str]


Answer = asyncio.Future[Match | None]


class Matches:
    def __init__(self, database: Database, tables: Tables) -> None:
        self._database, self._tables = database, tables
        self._turn = asyncio.Lock()
        self._waiting: dict[Answer, QueueEntry] = {}

    async def seek(self, ticket: UUID, player: str, wanted: NewTable, barred: Collection[str] = ()) -> Ticket:
        """Enter the queue or stay in it, and return the table if there is a match.

        A player is never matched with barred players. The first request that sees a match opens the table.
        """
        body = _encode(wanted)
        kind, shunned = blake2b(body, digest_size=16).digest(), _encode([*barred]).decode()
        table = ids.new_table_id(self._tables.entropy, "match", ticket, creator=player)
        match = await self._matched(QueueEntry(ticket, player, kind, body, wanted.seats, table, shunned))
        if match is not None:
            await self._ensure(match, wanted)
        return Ticket(ids.encode(ticket), None if match is None else ids.encode(match.table))

    async def look(self, ticket: UUID, player: str, barred: Collection[str] = ()) -> Ticket:
        """Poll for the ticket's table. Raises Problem `not-found` for unknown tickets."""
        row = await self._database.row("select wanted from entry.tickets where id = $1 and player = $2", ticket, player)
        if row is None:
            raise Problem("not-found")
        return await self.seek(ticket, player, _wanted_in(row["wanted"]), barred)

    async def withdraw(self, ticket: UUID, player: str) -> None:
        """Leave the queue. If the player is matched already, nothing changes."""
        await self._database.row("delete from entry.tickets where id = $1 and player = $2 and match is null", ticket, player)

    async def _matched(self, seeker: QueueEntry) -> Match | None:
        """Query the queue in one statement with all entries that are waiting here."""
        answer: Answer = asyncio.get_running_loop().create_future()
        self._waiting[answer] = seeker
        try:
            async with self._turn:
                if not answer.done():
                    await self._seek_all([*self._waiting][:AT_ONCE])
            return answer.result()
        finally:
            self._waiting.pop(answer, None)

    async def _seek_all(self, answers: Collection[Answer]) -> None:
        """Query the queue for these entries; an error is raised for each of them."""
        columns = zip(*[self._waiting[answer] for answer in answers], strict=True)
        try:
            rows = await self._database.rows(
                "select * from entry.seek_all($1, $2, $3, $4, $5, $6, $7, $8)", *map(list, columns), FRESH
            )
        except Problem as problem:
            for answer in self._waiting.keys() & answers:
                answer.set_exception(problem)
            return
        matches = {row["id"]: Match(row["match"], row["players"]) for row in rows}
        for answer in self._waiting.keys() & answers:
            answer.set_result(matches.get(self._waiting[answer].ticket))

    async def _ensure(self, match: Match, wanted: NewTable) -> None:
        """Make sure that the match's table exists and has started."""
        table, players = match
        if table not in self._tables.cache.tables and await self._tables.store.head(table) is None:
            seated = [SeatedBy(seat, player, None, b"", "match") for seat, player in enumerate(players)]
            await self._tables.open(table, players[0], wanted, seated)
        await self._tables.decide_and_append(table, begun)


def begun(table: TableState) -> list[AnyEvent]:
    if table.status != "open":
        return []
    return run_rules(table, lambda: start_game(table, [seat for seat in table.seats if seat]))

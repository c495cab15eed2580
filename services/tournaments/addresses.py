"""From where players enter and check in, beside the log and for 30 days: so that an owner learns which entries came from one
place. An address is kept as a hash under a key of its tournament alone, which nobody is told."""
from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

from services import ids
from services.background import started
from services.database import Database
from services.problems import Problem
from services.tournaments.state import TournamentState

log = logging.getLogger(__name__)
KEPT = timedelta(days=30)
EVERY = 600.0
"""Seconds between two rounds in which old ones are forgotten; nobody is told of those that are old meanwhile."""
SIZE = 16


class Seen(NamedTuple):
    tournament: UUID
    player: UUID
    address: bytes


class Addresses:
    """Who came from where is written down together, while other acts go on: a thousand may check in at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: set[Seen] = set()
        self._writing: asyncio.Task[None] | None = None

    def note(self, state: TournamentState, player: str, address: str) -> None:
        """It is no part of the act: a process that dies just then has not noted it."""
        self._seen.add(Seen(state.stream, ids.decode(player), hashed(state, address)))
        if self._writing is None:
            self._writing = started(self._write())

    async def _write(self) -> None:
        try:
            while self._seen:
                seen, self._seen = self._seen, set()
                await self._keep(seen)
        except Problem as problem:
            log.warning("where some players came from is not noted: %s", problem)
        finally:
            self._writing = None

    async def _keep(self, seen: set[Seen]) -> None:
        await self._database.rows(
            """insert into tournament_texts.addresses (tournament, player_id, address, expires_at)
               select came.tournament, p.id, came.address, clock_timestamp() + $4
               from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as came (tournament, id, address)
               join accounts.players p on p.id = came.id
               on conflict (tournament, player_id, address) do update set expires_at = excluded.expires_at""",
            *map(list, zip(*sorted(seen), strict=True)), KEPT,
        )  # fmt: skip

    async def shared(self, tournament: UUID) -> list[list[str]]:
        """The players who came from one place, place by place, each place of several."""
        if self._writing is not None:
            await asyncio.shield(self._writing)
        rows = await self._database.rows(
            """select array_agg(player_id) as players from tournament_texts.addresses
               where tournament = $1 and expires_at > clock_timestamp() group by address having count(*) > 1""",
            tournament,
        )  # fmt: skip
        return [[*map(ids.encode, row["players"])] for row in rows]

    async def keep(self) -> None:
        """Forgets what is old. Until cancelled."""
        while True:
            try:
                await self._database.rows("delete from tournament_texts.addresses where expires_at <= clock_timestamp()")
            except Problem as problem:
                log.warning("old addresses are kept until the next round: %s", problem)
            await asyncio.sleep(EVERY)


def hashed(state: TournamentState, address: str) -> bytes:
    return blake2b(address.encode(), key=state.derived(b"address"), digest_size=SIZE).digest()

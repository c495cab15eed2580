"""IP addresses from which players enter and check in, stored for 30 days.

They show organisers which entries came from one place. Each address is stored as a hash under the tournament's key,
which is never disclosed.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Set
from contextlib import suppress
from datetime import timedelta
from hashlib import blake2b
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tournaments.state import TournamentState

log = logging.getLogger(__name__)
RETENTION = timedelta(days=30)
CLEANUP_INTERVAL, RETRY_AFTER = 600.0, 1.0
"""Seconds between deletions of expired addresses, which are hidden from then on; and seconds until a retry."""
SIZE = 16


class AddressUse(NamedTuple):
    tournament: UUID
    player: UUID
    address: bytes


class EntryAddresses:
    """A recorder of addresses that writes them in the background, in batches.

    A thousand players may check in at once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._uses: set[AddressUse] = set()
        self._added = asyncio.Event()

    def add(self, state: TournamentState, player: str, address: str) -> None:
        """Queue an address.

        Queued addresses are not part of the command. They are lost if the process dies.
        """
        self._uses.add(AddressUse(state.stream, ids.decode(player), hashed(state, address)))
        self._added.set()

    async def run(self) -> None:
        """Write queued addresses and delete expired ones, until cancelled."""
        forgets_at = 0.0
        while True:
            try:
                await self._write()
                if monotonic() >= forgets_at:
                    await self._database.rows("delete from tournament_texts.addresses where expires_at <= clock_timestamp()")
                    forgets_at = monotonic() + CLEANUP_INTERVAL
            except Problem as problem:
                tried_again(log, "where players came from is written down later: %s", problem)
                await asyncio.sleep(RETRY_AFTER)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(CLEANUP_INTERVAL):
                    await self._added.wait()

    async def _write(self) -> None:
        self._added.clear()
        while uses := frozenset(self._uses):
            await self._save(uses)
            self._uses -= uses

    async def _save(self, uses: Set[AddressUse]) -> None:
        await self._database.rows(
            """insert into tournament_texts.addresses (tournament, player_id, address, expires_at)
               select came.tournament, p.id, came.address, clock_timestamp() + $4
               from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as came (tournament, id, address)
               join accounts.players p on p.id = came.id for key share of p
               on conflict (tournament, player_id, address) do update set expires_at = excluded.expires_at""",
            *map(list, zip(*sorted(uses), strict=True)), RETENTION,
        )  # fmt: skip

    async def shared(self, tournament: UUID) -> list[list[str]]:
        """Return groups of players who used the same address."""
        rows = await self._database.rows(
            """select array_agg(player_id) as players from tournament_texts.addresses
               where tournament = $1 and expires_at > clock_timestamp() group by address having count(*) > 1""",
            tournament,
        )  # fmt: skip
        return [[*map(ids.encode, row["players"])] for row in rows]


def hashed(state: TournamentState, address: str) -> bytes:
    return blake2b(address.encode(), key=state.derive_secret(b"address"), digest_size=SIZE).digest()

"""The records that somebody has brought here: checked in a process of its own, kept as they came, told from their bytes."""
from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from typing import Any, TypeVar, TypeVarTuple, Unpack

import asyncpg
import msgspec

from ludarium.accounts.access import Player
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.entropy import Entropy
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes
from ludarium.sharing.imports import replaying
from ludarium.sharing.imports.schemas import Import, ImportedGame, ImportPage
from ludarium.tables.model.timing import timestamp
from ludarium_engine.kernel.decoding import json_decoder

_game = json_decoder(ImportedGame)

MOST = 50
"""Of one player."""
ROOM = 64 * 1024 * 1024
"""Bytes of files of one player."""
SECONDS = 30.0
"""Of CPU time, to check one file or to answer one question about it: several times what the longest game takes."""
MOST_WAITING = 8
MOST_OF_ONE = 3
"""Pieces of work of one player, running or waiting, so that others find a place."""
COLUMNS = "id, at, size, body::text"
T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class Imports:
    """Each is its importer's alone: to everybody else it is not found."""

    def __init__(self, database: Database, entropy: Entropy) -> None:
        self._database, self._entropy = database, entropy
        self._processes = Processes(1, SECONDS, MOST_WAITING)
        self._working: Counter[str] = Counter()

    async def take(self, player: Player, data: bytes) -> Import:
        """The same file is taken once, and then told again. Raises Problem as `check_room` and `replaying.examined` do."""
        digest = blake2b(data, digest_size=32).digest()
        if known := await self._known(player.id, digest):
            return known
        await self.check_room(player, len(data))
        game = await self._worked(player.id, replaying.check_import, data)
        await self._keep(player.id, digest, data, game)
        if kept := await self._known(player.id, digest):
            return kept
        raise Problem("too-many-imports")

    async def page(self, player: str, after: str | None, limit: int) -> ImportPage:
        """The newest first."""
        rows = await self._database.rows(
            f"""select {COLUMNS} from imports.records where player_id = $1 and ($2::uuid is null or (at, id) <
                  (select c.at, c.id from imports.records c where c.id = $2 and c.player_id = $1))
                order by at desc, id desc limit $3""",
            ids.decode(player), ids.decode(after) if after else None, limit,
        )  # fmt: skip
        found = [*map(import_of, rows)]
        return ImportPage(found, found[-1].id if len(found) == limit else None)

    async def one(self, player: str, id_: str) -> Import:
        """Raises Problem `not-found`."""
        return import_of(await self._found(player, id_, COLUMNS))

    async def file(self, player: str, id_: str) -> bytes:
        """As it came, gzipped. Raises Problem `not-found`."""
        data: bytes = (await self._found(player, id_, "data"))["data"]
        return data

    async def forget(self, player: str, id_: str) -> None:
        """Raises Problem `not-found`."""
        await self._found(player, id_, "id")
        await self._database.rows("delete from imports.records where id = $1", ids.decode(id_))

    async def told(
        self, player: str, id_: str, audience: int, tell: Callable[..., bytes], *asked: int | None
    ) -> bytes:
        """What a function of `replaying` tells of it. Raises Problem `not-found`, `no-such-seat`, `future-sequence`."""
        return await self._worked(player, replaying.answer, await self.file(player, id_), audience, tell, *asked)

    async def _worked(self, player: str, work: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """Raises Problem `rate-limited` if the player has MOST_OF_ONE pieces of work under way, `unavailable`."""
        if self._working[player] >= MOST_OF_ONE:
            raise Problem("rate-limited", "Wait until your other records have been read.", retry_after=5)
        self._working[player] += 1
        try:
            return await self._processes.run(work, *arguments)
        except TimeoutError as error:
            raise Problem("unavailable", "The record takes too long.", retry_after=5) from error
        finally:
            self._working[player] -= 1
            self._working += Counter()          # drops those who have none

    async def _found(self, player: str, id_: str, columns: str) -> asyncpg.Record:
        row = ids.is_id(id_) and await self._database.row(
            f"select {columns} from imports.records where id = $1 and player_id = $2", ids.decode(id_), ids.decode(player)
        )
        if not row:
            raise Problem("not-found")
        return row

    async def _known(self, player: str, digest: bytes) -> Import | None:
        row = await self._database.row(
            f"select {COLUMNS} from imports.records where player_id = $1 and digest = $2", ids.decode(player), digest
        )
        return import_of(row) if row else None

    async def check_room(self, player: Player, size: int = 0) -> None:
        """For a file of this size. Raises Problem `account-needed`, `too-many-imports`."""
        if player.kind != "account":
            raise Problem("account-needed")
        row = await self._database.row(
            "select count(*) as many, coalesce(sum(size), 0) as size from imports.records where player_id = $1",
            ids.decode(player.id),
        )
        if row and (row["many"] >= MOST or row["size"] + size > ROOM):
            raise Problem("too-many-imports", f"at most {MOST}, of {ROOM >> 20} MiB together")

    async def _keep(self, player: str, digest: bytes, data: bytes, game: ImportedGame) -> None:
        packed = await asyncio.to_thread(gzip.compress, data, 6)
        made = ids.new_id(self._entropy, "import", player, digest)
        await self._database.row_one_at_a_time(
            ids.decode(player),
            """insert into imports.records (id, player_id, digest, head, size, body, data)
               select $1, $2, $3, $4, $5, $6::text::jsonb, $7
               from (select count(*) as many, coalesce(sum(size), 0) as size from imports.records where player_id = $2) as own
               where own.many < $8 and own.size + $5::int <= $9 on conflict do nothing""",
            made, ids.decode(player), digest, bytes.fromhex(game.head), len(data),
            msgspec.json.encode(game).decode(), packed, MOST, ROOM,
        )  # fmt: skip


def import_of(row: Any) -> Import:
    game = _game(row["body"])
    return Import(ids.encode(row["id"]), timestamp(row["at"]), row["size"], game)

"""Storage of imported records, and access to their games."""
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
from ludarium.sharing.imports.schemas import ImportBody, ImportedGame, ImportPage
from ludarium.tables.model.timing import timestamp
from ludarium_engine.kernel.decoding import json_decoder

decode_game = json_decoder(ImportedGame)

MAX_IMPORTS = 50
"""Maximum number of imported records per player."""
MAX_BYTES = 64 * 1024 * 1024
"""Maximum bytes of all files of one player."""
MAX_CPU_SECONDS = 30.0
"""CPU time to check a file or answer a question, several times what the longest game needs."""
MAX_WAITING = 8
MAX_TASKS_OF_PLAYER = 3
"""Tasks of one player, running or waiting, so that others get their turn."""
COLUMNS = "id, at, size, body::text"
T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")


class Imports:
    """Imported records, each of which only its importer can see."""

    def __init__(self, database: Database, entropy: Entropy) -> None:
        self._database, self._entropy = database, entropy
        self._processes = Processes(1, MAX_CPU_SECONDS, MAX_WAITING)
        self._task_counts: Counter[str] = Counter()

    async def add(self, player: Player, data: bytes) -> ImportBody:
        """Check and store a record, or return the stored record with the same bytes.

        Raises:
            Problem: the problems of `check_room` and `replaying.check_import`.
        """
        digest = blake2b(data, digest_size=32).digest()
        if known := await self._known(player.id, digest):
            return known
        await self.check_room(player, len(data))
        game = await self._run(player.id, replaying.check_import, data)
        await self._store(player.id, digest, data, game)
        if stored := await self._known(player.id, digest):
            return stored
        raise Problem("too-many-imports")

    async def page(self, player: str, after: str | None, limit: int) -> ImportPage:
        """Return a page of the player's imports, newest first."""
        rows = await self._database.rows(
            f"""select {COLUMNS} from imports.records where player_id = $1 and ($2::uuid is null or (at, id) <
                  (select c.at, c.id from imports.records c where c.id = $2 and c.player_id = $1))
                order by at desc, id desc limit $3""",
            ids.decode(player), ids.decode(after) if after else None, limit,
        )  # fmt: skip
        found = [*map(import_from_row, rows)]
        return ImportPage(found, found[-1].id if len(found) == limit else None)

    async def one(self, player: str, id_: str) -> ImportBody:
        """Return an import.

        Raises:
            Problem: `not-found`.
        """
        return import_from_row(await self._found(player, id_, COLUMNS))

    async def file(self, player: str, id_: str) -> bytes:
        """Return the uploaded file, gzipped.

        Raises:
            Problem: `not-found`.
        """
        data: bytes = (await self._found(player, id_, "data"))["data"]
        return data

    async def forget(self, player: str, id_: str) -> None:
        """Delete an import.

        Raises:
            Problem: `not-found`.
        """
        await self._found(player, id_, "id")
        await self._database.rows("delete from imports.records where id = $1", ids.decode(id_))

    async def answer(
        self, player: str, id_: str, audience: int, make: Callable[..., bytes], *arguments: int | None
    ) -> bytes:
        """Return the result of a function of `replaying` for a record.

        Raises:
            Problem: `not-found`, `no-such-seat`, `future-sequence`.
        """
        return await self._run(player, replaying.answer, await self.file(player, id_), audience, make, *arguments)

    async def _run(self, player: str, work: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """Run a task in the worker process.

        Raises:
            Problem: `unavailable`; `rate-limited` if the player already has MAX_TASKS_OF_PLAYER tasks.
        """
        if self._task_counts[player] >= MAX_TASKS_OF_PLAYER:
            raise Problem("rate-limited", "Wait until your other records have been read.", retry_after=5)
        self._task_counts[player] += 1
        try:
            return await self._processes.run(work, *arguments)
        except TimeoutError as error:
            raise Problem("unavailable", "The record takes too long.", retry_after=5) from error
        finally:
            self._task_counts[player] -= 1
            self._task_counts += Counter()          # drops zero counts

    async def _found(self, player: str, id_: str, columns: str) -> asyncpg.Record:
        row = ids.is_id(id_) and await self._database.row(
            f"select {columns} from imports.records where id = $1 and player_id = $2", ids.decode(id_), ids.decode(player)
        )
        if not row:
            raise Problem("not-found")
        return row

    async def _known(self, player: str, digest: bytes) -> ImportBody | None:
        row = await self._database.row(
            f"select {COLUMNS} from imports.records where player_id = $1 and digest = $2", ids.decode(player), digest
        )
        return import_from_row(row) if row else None

    async def check_room(self, player: Player, size: int = 0) -> None:
        """Check that the player can import a file of this size.

        Raises:
            Problem: `account-needed`, `too-many-imports`.
        """
        if player.kind != "account":
            raise Problem("account-needed")
        row = await self._database.row(
            "select count(*) as many, coalesce(sum(size), 0) as size from imports.records where player_id = $1",
            ids.decode(player.id),
        )
        if row and (row["many"] >= MAX_IMPORTS or row["size"] + size > MAX_BYTES):
            raise Problem("too-many-imports", f"at most {MAX_IMPORTS}, of {MAX_BYTES >> 20} MiB together")

    async def _store(self, player: str, digest: bytes, data: bytes, game: ImportedGame) -> None:
        packed = await asyncio.to_thread(gzip.compress, data, 6)
        import_id = ids.new_id(self._entropy, "import", player, digest)
        await self._database.row_one_at_a_time(
            ids.decode(player),
            """insert into imports.records (id, player_id, digest, head, size, body, data)
               select $1, $2, $3, $4, $5, $6::text::jsonb, $7
               from (select count(*) as many, coalesce(sum(size), 0) as size from imports.records where player_id = $2) as own
               where own.many < $8 and own.size + $5::int <= $9 on conflict do nothing""",
            import_id, ids.decode(player), digest, bytes.fromhex(game.head), len(data),
            msgspec.json.encode(game).decode(), packed, MAX_IMPORTS, MAX_BYTES,
        )  # fmt: skip


def import_from_row(row: Any) -> ImportBody:
    game = decode_game(row["body"])
    return ImportBody(ids.encode(row["id"]), timestamp(row["at"]), row["size"], game)

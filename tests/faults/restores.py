"""Restore a database to an earlier moment while servers keep running.

Everything up to that moment must be there, and tables that lost events must be notified.
"""
from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from time import monotonic
from uuid import UUID

import asyncpg
import httpx
import pyrage

from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import data_folder
from ludarium.ops.backups.following import Follower
from ludarium.ops.backups.restoring import read_log_head, recovered_database, restore
from ludarium.ops.backups.surveys import survey
from ludarium.ops.backups.vault import Keys, Vault
from ludarium.platform import ids
from tests.faults.failover import Play, Told, seated
from tests.faults.kills import verified
from tests.faults.liveness import plays_again
from tests.support.servers import ServerProcess, two_servers
from tests.support.store_proxy import Proxy, proxy
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT, eventually

PLAY = 6.0                                      # seconds before the moment, after it, and after the restore
ROWS = "select stream_id, version, hash from es.events order by partition, stream_id, version"
CUT = """
    select c.stream_id, exists (select from es.events e where e.stream_id = c.stream_id and e.type = 128) as told,
      exists (select from es.events e where e.stream_id = c.stream_id) as there
    from backups.cuts c where c.stream_id is not null"""
NOTES = "select distinct stream_id from es.events where type = 128"


async def ask(url: str, statement: str) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement)
    finally:
        await connection.close()


async def digest(url: str) -> str:
    """Return a digest of the whole log."""
    rows = await ask(url, ROWS)
    return sha256(b"".join(row["stream_id"].bytes + row["version"].to_bytes(4) + row["hash"] for row in rows)).hexdigest()


class Scene:
    """Two servers on a database behind `front`, with continuous backups."""

    def __init__(self, folder: Path, front: Proxy, servers: list[ServerProcess], url: str, vault: Vault) -> None:
        self.folder, self.front, self.servers, self.url, self.vault = folder, front, servers, url, vault
        self.account = choose_account(None)

    async def play(self, plays: list[Play], seconds: float) -> None:
        stop = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            for play in plays:
                group.create_task(play.run(stop))
            await asyncio.sleep(seconds)
            stop.set()

    def cut_off(self) -> None:
        self.front.accepts = False
        self.front.hang_up()

    def lead_to(self, url: str) -> None:
        self.front.server = Path(url.rpartition("host=")[2]) / self.front.server.name
        self.front.accepts = True


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    folder.mkdir(mode=0o711)
    (folder / "valkey").mkdir()
    identity = pyrage.x25519.Identity.generate()
    vault = Vault(str(folder / "kept"), Keys(identity.to_public(), identity), make=True)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        servers = await enter(embedded(folder / "home"))
        front = await enter(proxy(folder / "front", servers.database_url))
        valkey = await enter(Valkey(folder / "valkey"))
        both = await enter(two_servers(front.dsn, valkey.url, rate_limits="false"))
        yield Scene(folder, front, both, servers.database_url, vault)


@asynccontextmanager
async def followed(stage: Scene) -> AsyncIterator[None]:
    follower, stop = Follower(lambda: stage.url, stage.vault, stage.folder / "spool", keep=2), asyncio.Event()
    task = asyncio.create_task(follower.follow(stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def set_back(folder: Path, tables: int, luck: Random) -> AsyncIterator[str]:
    """Play, restore and play again, and yield lines of text about the result.

    Raises:
        AssertionError: A check failed.
    """
    async with scene(folder) as stage, AsyncExitStack() as stack:
        limits = httpx.Limits(max_connections=None)
        ways = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, timeout=LIMIT, limits=limits))
            for server in stage.servers
        ]
        told: list[Told] = []
        plays = await seated(ways, tables, luck, told)
        idle, busy = plays[: tables // 4], plays[tables // 4 :]
        async with followed(stage):
            await stage.play(plays, PLAY)
            moment, then = datetime.now(UTC), await digest(stage.url)
            await stage.play(busy, PLAY)
            stage.cut_off()
            gone = datetime.now(UTC)
            # everything that is left if the machine dies now
            copy(stage.folder / "kept", stage.folder / "elsewhere")
        elsewhere = Vault(str(stage.folder / "elsewhere"), stage.vault.keys, make=False)
        yield await reach(stage, elsewhere, gone)
        data = data_folder(folder / "back", stage.account)
        began = monotonic()
        found = await restore(elsewhere, data, stage.account, moment)
        async with embedded(folder / "back") as servers:
            took = monotonic() - began
            assert await digest(servers.database_url) == then, "the log is not what it was at that moment"
            yield f"{found.head.position:,} rows as they were at {moment}, digest {then[:16]}; back after {took:.1f} s"
            stage.lead_to(servers.database_url)
            for server in stage.servers:
                await plays_again(server.api)
            await stage.play(busy, PLAY)
            yield await all_told(servers.database_url, {ids.decode(play.table) for play in idle}, found.lost_tables)
            await verified(stage.servers[0].environment)
            stage.cut_off()


def copy(place: Path, to: Path) -> None:
    """Copy a backup that is in use.

    The file mark.json is copied first, so that it lists no file that the copy lacks.
    """
    to.mkdir()
    shutil.copy(place / "mark.json", to)
    shutil.copytree(place, to, ignore=lambda folder, names: {"mark.json"} & {*names}, dirs_exist_ok=True)


async def reach(stage: Scene, vault: Vault, gone: datetime) -> str:
    """Return text about how many acknowledged events the backup has."""
    found = await asyncio.to_thread(survey, vault, None)
    async with recovered_database(vault, found, stage.folder / "end", stage.account, None) as url:
        head = await read_log_head(url)
    assert head.at is not None
    (last,) = await ask(stage.url, "select count(*) as rows from es.events")
    lacks = (gone - head.at).total_seconds()
    return f"the backup lacked the last {lacks:.1f} s, {last['rows'] - head.position} of {last['rows']:,} rows"


async def all_told(url: str, idle: set[UUID], cuts: int) -> str:
    """Check that the remaining tables with lost events were notified, and no others.

    Returns:
        Text about the result.
    """
    async def are_told() -> bool:
        return not any(row["there"] and not row["told"] for row in await ask(url, CUT))

    await eventually(are_told)
    lost = {row["stream_id"] for row in await ask(url, CUT)}
    noted = {row["stream_id"] for row in await ask(url, NOTES)}
    assert noted <= lost and not noted & idle and len(lost) >= cuts > 0, "a note without a cut"
    return f"{len(lost)} tables lost rows, {len(noted)} are told so; {len(idle)} others are not"

"""A primary and a lagging standby behind one address, for a single test."""
from __future__ import annotations

import asyncio
from pathlib import Path

import asyncpg

from ludarium.embedded.account import SERVER_ENVIRONMENT, choose_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium.embedded.postgres import USER, database_url, postgres, server_pids
from ludarium.embedded.supervisor import Supervisor
from ludarium.platform import ids
from tests.support.waiting import eventually

Row = tuple[str, int, str]
"""An event of the log: table, number and head."""
TRUSTING = "local all all trust\nlocal replication all trust\n"


class Node:
    """A PostgreSQL server whose files are in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.account = choose_account(None)
        self.sockets = folder / "run"
        for made in (folder, self.sockets):
            made.mkdir()
            self.account.own(made)
        self.data = folder
        self._server = postgres(folder, self.sockets, self.account, durable=True)

    async def start(self) -> None:
        await self._server.prepare()
        (self.sockets / "pg_hba.conf").write_text(TRUSTING)
        with self._server.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._server.command, stdout=log, stderr=log, env=SERVER_ENVIRONMENT, cwd="/"
            )
        await eventually(lambda: Supervisor(self._server).answers())

    @property
    def dsn(self) -> str:
        return database_url(self.sockets)

    async def ask(self, statement: str) -> list[asyncpg.Record]:
        connection = await asyncpg.connect(self.dsn)
        try:
            return await connection.fetch(statement)
        finally:
            await connection.close()

    async def run(self, statements: str) -> None:
        """Run several statements in one session."""
        connection = await asyncpg.connect(self.dsn)
        try:
            await connection.execute(statements)
        finally:
            await connection.close()

    def processes(self) -> list[int]:
        return server_pids(self.data / "postgres")

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()

    async def standby(self, folder: Path) -> Node:
        """Create a standby as a copy of this server, which it follows once it is started."""
        made = Node(folder)
        copy = self.account.command(
            postgres_binaries(self.account) / "pg_basebackup", "-h", self.sockets, "-U", USER, "-D", folder / "postgres",
            "--write-recovery-conf", "--checkpoint=fast",
        )  # fmt: skip
        process = await asyncio.create_subprocess_exec(*copy, env=SERVER_ENVIRONMENT, cwd="/")
        assert await process.wait() == 0
        return made

    async def caught_up(self, standby: Node) -> None:
        """Wait until the standby has everything that this server has now."""
        position = (await self.ask("select pg_current_wal_lsn()::text as at"))[0]["at"]
        await eventually(lambda: standby.ask(f"select where pg_last_wal_replay_lsn() >= '{position}'"))

    async def lag(self) -> None:
        """Stop the replication to this standby."""
        await self.ask("alter system set primary_conninfo = ''")
        await self.ask("select pg_reload_conf()")
        await eventually(lambda: self.ask("select where not exists (select from pg_stat_wal_receiver)"))

    async def promote(self) -> None:
        assert (await self.ask("select pg_promote() as done"))[0]["done"]

    async def log(self) -> set[Row]:
        rows = await self.ask("select stream_id, version, hash from es.events")
        return {(ids.encode(row["stream_id"]), row["version"], row["hash"][:8].hex()) for row in rows}

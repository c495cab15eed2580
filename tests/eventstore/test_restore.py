"""A dump that is restored into another cluster continues as the same log."""
from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg

from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium_eventstore import Duplicate, EventStore, Ok, audit, migrate
from tests.support.entropy import uuid4
from tests.support.streams import append


def tool(name: str, dsn: str, *arguments: str, given: str = "") -> str:
    parts = urlsplit(dsn)
    where = ["-h", parse_qs(parts.query)["host"][0], "-U", parts.username or "", "-d", parts.path[1:]]
    command = [str(postgres_binaries(choose_account(None)) / name), *where, *arguments]
    return subprocess.run(command, input=given, check=True, capture_output=True, text=True).stdout


async def test_positions_versions_and_keys_outlive_a_restore(store: EventStore, database_url: str) -> None:
    """Nothing in the log depends on a cluster's transaction numbers or the like."""
    stream, key = uuid4(), uuid4()
    await store.append(append(stream, 0, rows=3, key=key))
    await store.append(append(uuid4(), 0))
    dump = tool("pg_dump", database_url)
    with tempfile.TemporaryDirectory(prefix="ludarium-restore-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder) / "home", durable=False) as servers:
            owner = await asyncpg.connect(servers.database_url)
            await owner.execute("create role ludarium_service nologin; grant ludarium_service to current_user")
            await owner.close()
            tool("psql", servers.database_url, "-q", "-v", "ON_ERROR_STOP=1", given=dump)
            assert await migrate(servers.database_url) == []
            async with await EventStore.open(servers.database_url) as restored:
                assert await restored.since(0) == await store.since(0)
                assert await restored.append(append(stream, 0, key=key)) == Duplicate(2)
                assert await restored.append(append(stream, 3)) == Ok(3, 5)
                assert await audit(restored) == []

"""A server waits for a database that is not, or only half, migrated.

Meanwhile it says what it waits for.
"""
from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from ludarium.embedded import Services
from ludarium.platform.schema_check import SCHEMAS, migrated
from ludarium_eventstore import migrate
from tests.support import ports
from tests.support.entropy import seed_variables
from tests.support.preloaded import PreloadedProcess
from tests.support.servers import LUDARIUM
from tests.support.waiting import LIMIT, eventually


def environment(empty_database_url: str, redis_url: str) -> dict[str, str]:
    return os.environ | {"LUDARIUM_DATABASE_URL": empty_database_url, "LUDARIUM_REDIS_URL": redis_url}


@asynccontextmanager
async def serve(empty_database_url: str, redis_url: str) -> AsyncIterator[tuple[PreloadedProcess, httpx.AsyncClient]]:
    port = ports.reserve()                      # a waiting server reports no port
    given = {"LUDARIUM_PORT": str(port), "LUDARIUM_WS_PORT": "0"}
    process = await PreloadedProcess.start(
        ["serve"], environment(empty_database_url, redis_url) | seed_variables() | given, reads_errors=True
    )
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=LIMIT) as http:
        try:
            yield process, http
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def until(http: httpx.AsyncClient, path: str, status: int) -> httpx.Response:
    async def found() -> httpx.Response | None:
        try:
            answer = await http.get(path)
        except httpx.TransportError:
            return None
        return answer if answer.status_code == status else None

    return await eventually(found)


async def execute(empty_database_url: str, statement: str) -> None:
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute(statement)
    await connection.close()


@pytest.mark.parametrize("half", [False, True], ids=["empty", "half"])
async def test_a_server_waits_until_its_database_is_migrated(empty_database_url: str, redis_url: str, half: bool) -> None:
    if half:
        await migrate(empty_database_url, {"accounts": SCHEMAS["accounts"]})
    async with serve(empty_database_url, redis_url) as (process, http):
        ready = await until(http, "/readyz", 503)
        assert ready.json()["status"] == "waiting for the database and its migrations"
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        refused = await http.post("/api/v1/guests", json={})
        assert (refused.status_code, refused.json()["code"], "retry-after" in refused.headers) == (503, "unavailable", True)
        assert process.stderr is not None
        said = (await process.stderr.readline()).decode()
        assert "projections/0001_projections.sql" in said and "ludarium migrate" in said
        assert ("accounts/0001_accounts.sql" in said) is not half
        await migrated(empty_database_url)
        await until(http, "/readyz", 200)
        assert (await http.get("/api/v1/tables")).status_code == 200
        process.terminate()
        assert await process.wait() == 0


async def test_a_login_that_is_yet_to_be_made_is_waited_for(
    empty_database_url: str, embedded_services: Services, redis_url: str
) -> None:
    """A server may start during the very first migration.

    Its database may not exist yet either.
    """
    login = urlsplit(embedded_services.service_url)._replace(path="/nowhere").geturl()
    async with serve(login, redis_url) as (process, http):
        assert (await until(http, "/readyz", 503)).json()["database"] is False
        assert process.stderr is not None
        assert "PostgreSQL does not let us in" in (await process.stderr.readline()).decode()


async def test_a_server_that_waits_stops_when_it_is_told(empty_database_url: str, redis_url: str) -> None:
    async with serve(empty_database_url, redis_url) as (process, http):
        await until(http, "/healthz", 200)
        process.terminate()
        assert await process.wait() == 0


@pytest.mark.parametrize(("change", "says"), [
    ("select 1", "run `ludarium migrate`"),
    ("insert into public.ludarium_migrations (name, checksum) values ('accounts/0001_accounts.sql', '')",
     "made by other migrations than these: accounts/0001_accounts.sql"),
])  # fmt: skip
async def test_a_command_says_in_a_line_what_the_database_lacks(
    empty_database_url: str, redis_url: str, change: str, says: str
) -> None:
    await migrate(empty_database_url)
    await execute(empty_database_url, change)
    process = await asyncio.create_subprocess_exec(
        LUDARIUM, "verify", "--all", env=environment(empty_database_url, redis_url), stdout=PIPE, stderr=PIPE
    )
    _, errors = await process.communicate()
    assert process.returncode == 1 and says in errors.decode() and errors.count(b"\n") == 1

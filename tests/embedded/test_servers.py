"""The settings of the embedded servers, and their restart after a crash."""

import os
import signal
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
import redis.asyncio

from ludarium.embedded import AlreadyRunning, EmbeddedError, Services, embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.postgres import server_pids
from tests.embedded.clients import ping, query
from tests.support.waiting import eventually


@pytest.fixture(scope="module")
async def services(stopped_home: Path) -> AsyncIterator[Services]:
    """Yield servers for all of these tests, each of which leaves the servers running."""
    async with embedded(stopped_home) as services:
        yield services


def sockets_of(services: Services) -> Path:
    return Path(parse_qs(urlsplit(services.database_url).query)["host"][0])


async def test_postgresql_18_keeps_what_it_says_it_has_kept(services: Services) -> None:
    assert str(await query(services.database_url, "SHOW server_version")).startswith("18.")
    assert await query(services.database_url, "SHOW fsync") == "on"
    assert await query(services.database_url, "SHOW synchronous_commit") == "on"
    assert await query(services.database_url, "SHOW data_checksums") == "on"


async def test_text_sorts_by_code_point_whatever_the_machine_has(services: Services) -> None:
    locale = "SELECT datlocale || ' ' || datcollate || ' ' || pg_encoding_to_char(encoding) FROM pg_database"
    assert await query(services.database_url, f"{locale} WHERE datname = current_database()") == "C.UTF-8 C.UTF-8 UTF8"


async def test_neither_listens_on_tcp(services: Services) -> None:
    assert await query(services.database_url, "SHOW listen_addresses") == ""
    async with redis.asyncio.from_url(services.redis_url) as client:
        assert (await client.config_get("port"))["port"] == "0"


async def test_the_sockets_are_closed_to_other_accounts(services: Services, stopped_home: Path) -> None:
    sockets = sockets_of(services)
    assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert sockets.stat().st_uid == choose_account(None).uid
    assert all(len(os.fsencode(file)) < 100 for file in sockets.iterdir())
    assert (stopped_home / "data/run").readlink() == sockets


async def test_postgresql_admits_no_other_user(services: Services) -> None:
    with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError):
        await query(services.database_url.replace("ludarium@", "postgres@"), "SELECT 1")


async def test_a_killed_postgresql_comes_back_with_all_that_was_committed(services: Services) -> None:
    for rows in (2, 3, 4):
        await query(services.database_url, f"INSERT INTO kept VALUES ({rows})")
        await killed(services, "postgres")
        assert await query(services.database_url, "SELECT count(*) FROM kept") == rows


async def test_a_killed_valkey_comes_back(services: Services) -> None:
    before = services.restarts
    await killed(services, "valkey")
    assert await ping(services.redis_url)
    assert services.restarts == before + 1


async def test_a_connection_pool_recovers(services: Services) -> None:
    async with asyncpg.create_pool(services.database_url, min_size=1, max_size=2) as pool:
        assert await pool.fetchval("SELECT 1") == 1
        await killed(services, "postgres")
        assert await pool.fetchval("SELECT 1") == 1


async def killed(services: Services, name: str) -> None:
    """Kill a server, and wait until the supervisor has started it again."""
    supervisor = services.supervisors[name]
    before = supervisor.restarts
    os.kill(supervisor.pid, signal.SIGKILL)
    await eventually(lambda: supervisor.restarts > before)


async def test_a_second_start_on_the_same_data_names_the_first(services: Services, stopped_home: Path) -> None:
    with pytest.raises(AlreadyRunning, match=rf"as process {os.getpid()}\.$"):
        async with embedded(stopped_home):
            pass
    assert await query(services.database_url, "SELECT 1") == 1


async def test_two_checkouts_at_once(services: Services, home: Path) -> None:
    async with embedded(home) as other:
        assert other.database_url != services.database_url
        assert await query(other.database_url, "SELECT 1") == await query(services.database_url, "SELECT 1") == 1


async def test_a_copied_home_leaves_the_sockets_of_the_original_alone(services: Services, home: Path) -> None:
    (home / "data").mkdir(parents=True)
    (home / "data/run").symlink_to(sockets_of(services))
    async with embedded(home) as other:
        assert await query(other.database_url, "SELECT 1") == 1
    assert await query(services.database_url, "SELECT 1") == 1


async def test_nothing_is_left_after_a_stop_but_the_data(home: Path) -> None:
    async with embedded(home) as services:
        sockets = sockets_of(services)
        await query(services.database_url, "CREATE TABLE new_one ()")
    assert not sockets.exists()
    assert server_pids(home / "data/postgres") == []
    assert {file.name for file in (home / "data").iterdir()} == {"lock", "postgres", "postgres.log", "valkey.log"}
    async with embedded(home) as services:
        assert await query(services.database_url, "SELECT count(*) FROM new_one") == 0


async def test_damaged_data_is_told_with_the_servers_own_words(filled_home: Path) -> None:
    (filled_home / "data/postgres/PG_VERSION").write_text("nine\n")
    with pytest.raises(EmbeddedError, match=r"(?s)PostgreSQL did not start:.*valid data"):
        async with embedded(filled_home):
            pass
    assert list((filled_home / "data").glob("run")) == []


async def test_data_of_another_major_release_is_refused_and_left_as_it_is(filled_home: Path) -> None:
    (filled_home / "data/postgres/PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match=r"is of PostgreSQL 17, and this release of Ludarium has 18\..*a copy first"):
        async with embedded(filled_home):
            pass
    assert (filled_home / "data/postgres/PG_VERSION").read_text() == "17\n"


async def test_a_home_that_cannot_be_made_says_so(folder: Path) -> None:
    (folder / "file").write_text("")
    with pytest.raises(EmbeddedError, match=r"no place for data: .*Not a directory.*LUDARIUM_HOME"):
        async with embedded(folder / "file/home"):
            pass

"""Health checks and problems while PostgreSQL or the log is not usable."""

import random
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import httpx
import pytest

from ludarium.platform.config import Config
from ludarium.server import running
from ludarium_eventstore import appender, reconnect
from tests.faults.test_disk import read_only
from tests.live.cluster import cluster_in
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY
from tests.support.people import Person, open_game, someone_asked
from tests.support.waiting import LIMIT

CONFIG = Config(port=0, ws_port=0)
SOCKET = ".s.PGSQL.5432"


@asynccontextmanager
async def serving(database_url: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    async with (
        running(CONFIG, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        yield http


class Road:
    """A link to the socket of PostgreSQL, which can be removed as in an outage."""

    def __init__(self, folder: Path, url: str) -> None:
        parts = urlsplit(url)
        self.direct, self.name = url, parts.path[1:]
        self.socket = Path(parse_qs(parts.query)["host"][0]) / SOCKET
        self.link = folder / SOCKET
        self.link.symlink_to(self.socket)
        self.url = parts._replace(query=f"host={folder}").geturl()

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        self.link.unlink()
        connection = await asyncpg.connect(self.direct)
        others = "from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()"
        await connection.execute(f"select pg_terminate_backend(pid) {others}", self.name)
        await connection.close()
        try:
            yield
        finally:
            self.link.symlink_to(self.socket)


@pytest.fixture
async def road(database_url: str) -> AsyncIterator[Road]:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        yield Road(Path(folder), database_url)


async def test_without_its_database_it_is_not_ready(
    road: Road, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium_eventstore.probe.MIN_INTERVAL", 0.0)
    async with serving(road.url, redis_url) as http:
        base = str(http.base_url).removesuffix("/api/v1/")
        assert (await http.get(f"{base}/readyz")).status_code == 200
        async with road.closed():
            ready, alive = await http.get(f"{base}/readyz"), await http.get(f"{base}/healthz")
            assert (ready.status_code, ready.json()["database"], alive.status_code) == (503, False, 200)
        assert (await http.get(f"{base}/readyz")).status_code == 200


async def test_while_nothing_can_be_written_it_is_not_ready(database_url: str, redis_url: str) -> None:
    async with serving(database_url, redis_url) as http, read_only(database_url):
        ready = await http.get(str(http.base_url).removesuffix("/api/v1/") + "/readyz")
        told = ready.json()
        assert (ready.status_code, told["database"], told["writable"]) == (503, True, False)
        assert told["status"] == "the database cannot be written"


async def test_what_cannot_be_read_or_stored_is_unavailable(
    road: Road, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (appender, reconnect):
        monkeypatch.setattr(module, "PATIENCE", 1.0)
    async with serving(road.url, redis_url) as http:
        ada, bea = await Person.arrive(http), await Person.arrive(http)
        table = await open_game([ada, bea])
        person, view = await someone_asked([ada, bea], table)
        action = random_action(view["choice"], random.Random(1))
        async with road.closed():
            refused = await person.command(table, view, action, "key")
            unseen = await person.ask("GET", f"/tables/{table}/view")
        assert [(a.status_code, a.json()["code"]) for a in (refused, unseen)] == [(503, "unavailable")] * 2
        assert (await person.command(table, view, action, "key")).status_code == 200


async def test_a_damaged_table_says_which_row_and_goes_no_further(database_url: str, redis_url: str) -> None:
    async with serving(database_url, redis_url) as http:
        ada, bea = await Person.arrive(http), await Person.arrive(http)
        table, sound = await open_game([ada, bea]), await open_game([ada, bea])
    connection = await asyncpg.connect(database_url)
    damaged = "set hash = set_byte(hash, 7, get_byte(hash, 7) # 1) where version = 2 and stream_id ="
    await connection.execute(
        f"update es.events {damaged} (select stream_id from es.events where version = 0 order by position limit 1)"
    )
    await connection.close()
    async with serving(database_url, redis_url) as ada.http:
        problem = await ada.refused("GET", f"/tables/{table}/view")
        assert (problem["status"], problem["code"], problem["detail"]) == (500, "log-damaged", "version 2")
        command = {"expected_seq": 3, "action": {"id": "done"}}
        assert (await ada.refused("POST", f"/tables/{table}/commands", command))["code"] == "log-damaged"
        assert (await ada.view(sound))["status"] == "playing"


async def test_valkey_may_be_a_cluster(database_url: str) -> None:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        Path(folder).chmod(0o711)
        async with cluster_in(Path(folder)) as cluster, serving(database_url, cluster.url) as http:
            ready = await http.get(str(http.base_url).removesuffix("/api/v1/") + "/readyz")
            assert ready.json()["redis"] is True
            arrival = await http.post("/guests", json={})
            assert (arrival.status_code, "ratelimit-remaining" in arrival.headers) == (201, True)

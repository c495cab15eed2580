"""The findings of `ludarium doctor` for real faults."""
from __future__ import annotations

import asyncio
import os
import resource
import ssl
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import httpx
import pyrage
import pytest
import redis.asyncio
import trustme

from ludarium.commands.doctor import findings
from ludarium.embedded import Services, embedded
from ludarium.embedded.account import choose_account
from ludarium.ops.doctor import database, hints, keys, machine
from ludarium.ops.doctor.findings import Finding
from ludarium.platform.client_address import Proxies
from ludarium.platform.config import Config
from ludarium.platform.origins import Origins
from ludarium.platform.schema_check import migrated
from ludarium.platform.signing_keys import new_secret
from ludarium.server import running
from ludarium_eventstore import Login
from tests.support.entropy import ENTROPY
from tests.support.servers import LUDARIUM
from tests.support.valkey import Valkey

Found = dict[str, Finding]


async def told(looking: AsyncIterator[Finding]) -> Found:
    """Return the findings by subject, each with a remedy unless all is well."""
    found = {finding.what: finding async for finding in looking}
    assert all(finding.remedy for finding in found.values() if finding.level != "ok")
    return found


def levels(found: Found) -> dict[str, str]:
    return {what: finding.level for what, finding in found.items()}


# --- PostgreSQL -------------------------------------------------------------------------------------------------------
@pytest.fixture
async def login_url(database_url: str, embedded_services: Services) -> str:
    url = urlsplit(embedded_services.service_url)._replace(path=urlsplit(database_url).path).geturl()
    await migrated(database_url, Login.of(url))
    return url


async def test_a_database_that_is_as_it_should_be(login_url: str) -> None:
    """The fast but unsafe settings of the test server are found too."""
    found = await told(database.check_database(login_url))
    assert levels(found) == {
        "version": "ok", "writable": "ok", "migrations": "ok", "rights": "ok", "clock": "ok", "durability": "wrong",
        "connections": "ok", "backup": "warning", "commits": "ok", "standbys": "ok", "locks": "ok",
    }  # fmt: skip
    assert int(found["connections"].detail.rpartition("; ")[2].split()[0]) > 0
    assert all(name in found["durability"].detail for name in database.DURABLE_SETTINGS)


@pytest.mark.parametrize(
    ("fault", "what", "level"),
    [
        ("delete from public.ludarium_migrations where name like 'projections/%'", "migrations", "wrong"),
        ("update public.ludarium_migrations set checksum = ''", "migrations", "wrong"),
        ("grant update on es.events to ludarium_service", "rights", "wrong"),
        ("revoke insert on es.events from ludarium_service", "rights", "wrong"),
        ("alter database {name} set default_transaction_read_only = on", "writable", "wrong"),
        ("alter database {name} connection limit 5", "connections", "wrong"),
    ],
)  # fmt: skip
async def test_a_fault_of_the_database_is_found(
    login_url: str, database_url: str, fault: str, what: str, level: str
) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(fault.format(name=urlsplit(database_url).path[1:]))
    await connection.close()
    assert levels(await told(database.check_database(login_url)))[what] == level


async def test_archived_games_whose_bundles_cannot_be_read_are_found(
    login_url: str, database_url: str, tmp_path: Path
) -> None:
    connection = await asyncpg.connect(database_url)
    await connection.execute(
        "insert into es.archived (first, last, partition, stream_id, version, head, bundle)"
        " select 1, 1, es.partition_of(id), id, 0, sha256(''), sha256('') from (select gen_random_uuid() as id) one"
    )
    await connection.close()
    gone = str(tmp_path / "gone")
    for place, told_of in ((None, "nothing says where"), (gone, "is no folder"), (str(tmp_path), "put it back")):
        finding = (await told(database.check_database(login_url, place)))["archive"]
        assert finding.level == "wrong" and told_of in finding.detail and finding.remedy


async def test_who_could_change_the_log_is_warned(login_url: str, database_url: str) -> None:
    assert levels(await told(database.check_database(database_url)))["rights"] == "warning"


async def test_an_empty_database_lacks_its_migrations(empty_database_url: str) -> None:
    found = await told(database.check_database(empty_database_url))
    assert found["migrations"].level == "wrong" and "ludarium migrate" in found["migrations"].remedy


@pytest.mark.parametrize("url", ["postgresql://ada:s3cret@/games?host=/nowhere", "postgresql://ada:s3cret@127.0.0.1:1/games"])
async def test_a_database_that_is_not_there(url: str) -> None:
    [finding] = (await told(database.check_database(url))).values()
    assert finding.level == "wrong" and "s3cret" not in "".join(finding)


async def test_a_database_of_another_name(embedded_services: Services) -> None:
    url = urlsplit(embedded_services.database_url)._replace(path="/nothing").geturl()
    [finding] = (await told(database.check_database(url))).values()
    assert finding.level == "wrong" and "migrate" in finding.remedy


def test_what_a_server_says_of_itself_is_judged() -> None:
    assert [database.check_version(major).level for major in (17, 18, 19)] == ["wrong", "ok", "ok"]
    clocks = [database.check_clock(ahead).level for ahead in (0.1, -0.1, 2, -2, 90, -90)]
    assert clocks == ["ok", "ok", "warning", "warning", "wrong", "wrong"]
    well = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "synchronous_standby_names": "a"}
    assert database.durability_finding(well).level == "ok"
    assert database.durability_finding(well | {"synchronous_commit": "remote_write"}).level == "warning"
    assert database.durability_finding(well | {"synchronous_commit": "local", "synchronous_standby_names": ""}).level == "ok"
    assert database.durability_finding(well | {"fsync": "off"}).level == "wrong"
    levels_by_age = [database.check_backup_age(hours and hours * 3600.0).level for hours in (None, 1, 30)]
    assert levels_by_age == ["warning", "ok", "warning"]


# --- Valkey -----------------------------------------------------------------------------------------------------------
async def test_a_valkey_and_how_it_forgets(folder: Path) -> None:
    async with Valkey(folder) as server:
        found = levels(await told(hints.check_valkey(server.url)))
        assert found == {"valkey": "ok", "eviction": "ok", "valkey replication": "ok"}
        async with redis.asyncio.from_url(server.url) as client:
            await client.config_set("maxmemory-policy", "noeviction")
        assert levels(await told(hints.check_valkey(server.url)))["eviction"] == "warning"
    assert levels(await told(hints.check_valkey(server.url))) == {"valkey": "wrong"}


async def test_a_valkey_that_cannot_be_meant() -> None:
    assert levels(await told(hints.check_valkey("http://127.0.0.1"))) == {"valkey": "wrong"}
    assert hints.check_version({"redis_version": "7.2.4"}).level == "wrong"
    assert hints.check_cluster({"cluster_state": "fail", "cluster_size": 3}).level == "wrong"
    well = {
        "cluster_state": "ok", "cluster_size": 3, "cluster_known_nodes": 6, "cluster_slots_pfail": 0, "cluster_slots_fail": 0,
    }  # fmt: skip
    assert hints.check_cluster(well).level == "ok"
    assert hints.check_cluster(well | {"cluster_slots_pfail": 5461}).level == "warning"


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="lud-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


# --- machine ----------------------------------------------------------------------------------------------------------
async def seen(**given: object) -> Found:
    return await told(machine.check_machine(Config(port=1, home=Path("/nowhere"), **given)))  # type: ignore[arg-type]


async def test_too_few_descriptors() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1000, hard))
    try:
        assert (await seen())["descriptors"].level == "warning"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize(
    ("given", "what", "level"),
    [
        ({"host": "0.0.0.0", "ws_url": "ws://localhost/"}, "proxies", "warning"),
        ({"trusted_proxies": Proxies("10.0.0.0/8")}, "proxies", "warning"),
        ({}, "proxies", "ok"),
        ({}, "gateway", "ok"),
        ({"ws_url": "https://play.example/"}, "gateway", "wrong"),
        ({"ws_url": "ws://play.example/"}, "gateway", "warning"),
        ({"ws_url": "wss://localhost:1/"}, "gateway", "wrong"),
        ({"metrics_port": 9464}, "metrics", "ok"),
        ({"metrics_port": 9464, "metrics_host": "0.0.0.0"}, "metrics", "warning"),
        ({}, "server", "ok"),
    ],
)  # fmt: skip
async def test_settings_that_do_not_fit(given: dict[str, object], what: str, level: str) -> None:
    assert (await seen(**given))[what].level == level


PAIR, OTHER = pyrage.x25519.Identity.generate(), pyrage.x25519.Identity.generate()
TLS = "?sslmode=verify-full&sslrootcert=/x"


@pytest.mark.parametrize(
    ("given", "what", "level"),
    [
        ({}, "backup key", "ok"),
        ({"backup_recipient": str(PAIR.to_public())}, "backup key", "ok"),
        ({"backup_recipient": "age1none"}, "backup key", "wrong"),
        ({"backup_recipient": str(PAIR.to_public()), "backup_key": str(PAIR)}, "backup key", "warning"),
        ({"backup_recipient": str(OTHER.to_public()), "backup_key": str(PAIR)}, "backup key", "wrong"),
        ({}, "signing key", "ok"),
        ({"signing_key": new_secret()}, "signing key", "ok"),
        ({"ws_url": "wss://play.example/live"}, "origin", "warning"),
        ({"ws_url": "wss://play.example/live", "origin": Origins("https://play.example")}, "origin", "ok"),
        ({"rate_limits": False}, "rates", "warning"),
        ({"database_url": "postgresql://a:b@db.example/x"}, "line to PostgreSQL", "warning"),
        ({"database_url": "postgresql://a:b@db.example/x?sslmode=require"}, "line to PostgreSQL", "warning"),
        ({"database_url": "postgresql://a:b@db.example/x" + TLS}, "line to PostgreSQL", "ok"),
        ({"database_url": "postgresql://a:b@/x?host=/run/postgresql"}, "line to PostgreSQL", "ok"),
        ({"database_url": "postgresql://a:b@127.0.0.2/x"}, "line to PostgreSQL", "ok"),
        ({"redis_url": "redis://valkey.example"}, "line to Valkey", "warning"),
        ({"redis_url": "redis://:secret@valkey.example"}, "line to Valkey", "ok"),
        ({"redis_url": "unix:///run/valkey"}, "line to Valkey", "ok"),
        ({"redis_url": "redis+cluster://127.0.0.1:1,valkey.example:2"}, "line to Valkey", "warning"),
        ({"redis_url": "rediss+cluster://:secret@a.example:1,b.example:2"}, "line to Valkey", "ok"),
    ],
)  # fmt: skip
def test_keys_and_lines_that_strangers_could_use(given: dict[str, object], what: str, level: str) -> None:
    found = {finding.what: finding for finding in keys.keys(Config(**given))}  # type: ignore[arg-type]
    assert found[what].level == level and bool(found[what].remedy) == (level != "ok")
    said = "".join("".join(finding) for finding in found.values())
    assert str(PAIR) not in said and "secret" not in said.replace("no secret key", "")


async def test_a_certificate_that_nobody_trusts() -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("localhost").configure_cert(context)
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0, ssl=context)
    async with server:
        found = await machine.check_tls("localhost", server.sockets[0].getsockname()[1])
    assert found.level == "wrong" and "certificate" in found.remedy
    assert machine.check_certificate("x", 3 * 86400).level == "warning"
    assert machine.check_certificate("x", 90 * 86400).level == "ok"


def test_a_full_disk(folder: Path) -> None:
    assert [machine.check_disk(size << 20, folder).level for size in (10, 1000, 10_000)] == ["wrong", "warning", "ok"]


def test_a_home_that_others_can_enter(folder: Path) -> None:
    account = choose_account(None)
    assert machine.check_owner(folder / "nothing", None).level == "wrong"
    account.own(folder)
    folder.chmod(0o755)
    assert machine.check_owner(folder, None).level == "wrong"
    folder.chmod(0o700)
    assert machine.check_owner(folder, None).level == "ok"


async def test_a_server_that_runs_and_one_that_says_nothing(
    login_url: str, database_url: str, redis_url: str
) -> None:
    async with running(Config(port=0, ws_port=0), login_url, redis_url, ENTROPY) as address:
        port = urlsplit(address.http).port or 0
        assert (await machine.check_server(Config(port=port))).level == "ok"
    url, strange = "http://x/readyz", {"hello": "there"}
    ready = {"status": "ready", "database": True, "writable": True, "redis": True, "stopped": {}}
    for status, body, level in (
        (200, ready, "ok"), (200, strange, "warning"), (503, ready, "wrong"), (200, {**ready, "redis": False}, "wrong"),
        (200, {**ready, "stopped": {"lobby": 3}}, "wrong"),
    ):  # fmt: skip
        assert machine.server_finding(url, httpx.Response(status, json=body)).level == level
    async with await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0) as silent:
        assert (await machine.check_server(Config(port=silent.sockets[0].getsockname()[1]))).level == "wrong"


# --- everything -------------------------------------------------------------------------------------------------------
async def test_embedded_servers_are_looked_at_whether_they_run_or_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder / "home"
    monkeypatch.setenv("LUDARIUM_HOME", str(home))
    monkeypatch.setenv("LUDARIUM_PORT", "1")
    assert (await told(findings()))["servers"].detail.startswith("no data yet")
    async with embedded(home) as servers:
        await migrated(servers.database_url, Login.of(servers.service_url))
        up = await told(findings())
    down = await told(findings())
    assert levels(up) == levels(down)
    assert {"home", "version", "rights", "durability", "valkey"} <= up.keys()
    assert "wrong" not in levels(up).values()


@contextmanager
def environment(**given: str) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as home:
        yield os.environ | {"LUDARIUM_HOME": f"{home}/none", "LUDARIUM_PORT": "1"} | given


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ({}, 0, "no data yet"),
        ({"LUDARIUM_LOG": "xml"}, 1, "LUDARIUM_LOG"),
        ({"LUDARIUM_REDIS_URL": "unix:///x"}, 1, "go together"),
    ],
)
def test_the_command_ends_with_what_it_found(given: dict[str, str], code: int, said: str) -> None:
    with environment(**given) as variables:
        ran = subprocess.run([LUDARIUM, "doctor"], env=variables, capture_output=True, text=True)
    assert (ran.returncode, said in ran.stdout) == (code, True), ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("info", "level"),
    [
        ({"role": "master", "connected_slaves": 1}, "ok"),
        ({"role": "slave", "master_host": "10.0.0.1", "connected_slaves": 0}, "wrong"),
    ],
)
def test_a_valkey_that_is_a_replica_cannot_be_used(info: dict[str, object], level: str) -> None:
    assert hints.check_replication(info).level == level

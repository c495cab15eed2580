"""What all tests share: one real PostgreSQL a run, and a database and a Valkey for each test or module that asks for one."""

import gc
import itertools
import logging
import os
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import asyncpg
import pytest
import trustme
from httpx._config import DEFAULT_TIMEOUT_CONFIG
from hypothesis import HealthCheck, settings

from ludarium.commands.serving import MIDDLE_THRESHOLD, OLD_THRESHOLD, YOUNG_THRESHOLD
from ludarium.embedded import Services, embedded
from ludarium.ops import lost_events
from ludarium.platform.schema_check import migrated
from tests.support import games
from tests.support.entropy import ENTROPY, SeededEntropy
from tests.support.leaks import Leaks, watched
from tests.support.valkey import own_valkey
from tests.support.waiting import LIMIT

DATABASES = itertools.count(1)
"""Number the databases of this process; processes that share a server have other process ids."""
# No test fails because a machine is slow. Each run tries the same examples, unless `--hypothesis-profile=fresh` is given.
settings.register_profile("fresh", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("fresh"), derandomize=True)
settings.load_profile("ci")


gc.disable()
"""Until all modules are imported: collecting takes a fifth of that time."""


def pytest_collection_finish() -> None:
    """Never collect what was imported, and collect the rest as seldom as a server does."""
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD, OLD_THRESHOLD)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """What is drawn while a test runs is drawn for this test, so the order of tests changes nothing."""
    with ENTROPY.scope(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """What several tests share is not drawn for the first of them."""
    if fixturedef.scope == "function":
        return (yield)
    with ENTROPY.scope(f"{request.node.nodeid} {fixturedef.argname}"):
        return (yield)


@pytest.fixture
def entropy() -> SeededEntropy:
    """The source of chance of this process, which draws the same for this test in each run."""
    return ENTROPY


@pytest.fixture(scope="session", autouse=True)
def few_authorities(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A client of httpx reads all authorities of the world when it is made, which takes a tenth of a second: here is one."""
    folder = tmp_path_factory.mktemp("authorities")
    trustme.CA().cert_pem.write_to_path(str(folder / "ca.pem"))
    os.environ["SSL_CERT_FILE"] = str(folder / "ca.pem")


@pytest.fixture(scope="session", autouse=True)
def patient_clients() -> Iterator[None]:
    """Let a client of httpx that sets no timeout, as in examples of the docs, wait as long as any test, not only 5 s."""
    with pytest.MonkeyPatch.context() as patch:
        for part in ("connect", "read", "write", "pool"):
            patch.setattr(DEFAULT_TIMEOUT_CONFIG, part, LIMIT)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_notes_by_themselves() -> Iterator[None]:
    """What a test takes from a log is not told at the table while the test looks at it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lost_events, "INTERVAL", 3600.0)
        yield


@pytest.fixture(scope="session")
def leaks() -> Iterator[Leaks]:
    with watched() as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_leaks(leaks: Leaks) -> Iterator[None]:
    """No test lets a secret come into a log, an address or a refusal."""
    logging.getLogger().addHandler(leaks)       # whoever sets logging up anew takes it away
    leaks.found.clear()
    yield
    assert not leaks.found


@pytest.fixture(scope="session")
async def embedded_services() -> AsyncIterator[Services]:
    """The servers of this run. Quick, not durable: a test of durability starts servers of its own."""
    with tempfile.TemporaryDirectory(prefix="ludarium-test-") as home:
        Path(home).chmod(0o711)
        async with embedded(Path(home), durable=False) as services:
            yield services


@pytest.fixture(scope="session")
async def migrated_template(embedded_services: Services) -> AsyncIterator[str]:
    """The name of a database that is migrated, for others to be copied from: that takes a third of the time."""
    async with fresh_database(embedded_services.database_url) as url:
        await migrated(url)
        yield urlsplit(url).path[1:]


@pytest.fixture
async def empty_database_url(embedded_services: Services) -> AsyncIterator[str]:
    """An empty database for one test."""
    async with fresh_database(embedded_services.database_url) as url:
        yield url


@pytest.fixture
async def database_url(embedded_services: Services, migrated_template: str) -> AsyncIterator[str]:
    """A migrated database for one test."""
    async with fresh_database(embedded_services.database_url, migrated_template) as url:
        yield url


@pytest.fixture(scope="module")
async def module_database_url(embedded_services: Services, migrated_template: str) -> AsyncIterator[str]:
    """A migrated database for all tests of one module."""
    async with fresh_database(embedded_services.database_url, migrated_template) as url:
        yield url


@pytest.fixture
async def redis_url() -> AsyncIterator[str]:
    """The URL of an empty Valkey for one test."""
    async with own_valkey() as server:
        yield server.url


@pytest.fixture(scope="module")
async def module_redis_url() -> AsyncIterator[str]:
    """The URL of a Valkey for the servers and tests of one module."""
    async with own_valkey() as server:
        yield server.url


@asynccontextmanager
async def fresh_database(server: str, template: str = "template1") -> AsyncIterator[str]:
    """A new database beside the one that the URL `server` names; dropped afterwards, whoever is still connected."""
    name = f"test_{os.getpid()}_{next(DATABASES)}"
    await _execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    url, tests = urlsplit(server)._replace(path=f"/{name}").geturl(), ENTROPY.seed
    try:
        yield url
        await games.record(url, tests)
    finally:
        await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _execute(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()

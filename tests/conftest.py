"""Fixtures of all tests: one real PostgreSQL for each run.

Each test or module that requests them gets a database and a Valkey of its own.
"""

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
"""Numbers of databases in this process; names also have the id of the process."""
# No test fails because a machine is slow. Each run tries the same examples, unless `--hypothesis-profile=fresh` is given.
settings.register_profile("fresh", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("fresh"), derandomize=True)
settings.load_profile("ci")


gc.disable()
"""Disabled until all modules are imported, to save a fifth of that time."""


def pytest_collection_finish() -> None:
    """Never collect imported objects, and collect others as rarely as a server does."""
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD, OLD_THRESHOLD)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Scope draws to the running test, so that the order of tests changes nothing."""
    with ENTROPY.scope(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Scope draws to shared fixtures, not to the first test that uses them."""
    if fixturedef.scope == "function":
        return (yield)
    with ENTROPY.scope(f"{request.node.nodeid} {fixturedef.argname}"):
        return (yield)


@pytest.fixture
def entropy() -> SeededEntropy:
    """The source of chance, with the same draws for this test in each run."""
    return ENTROPY


@pytest.fixture(scope="session", autouse=True)
def few_authorities(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Trust a single authority, because loading all takes 0.1 s for each client."""
    folder = tmp_path_factory.mktemp("authorities")
    trustme.CA().cert_pem.write_to_path(str(folder / "ca.pem"))
    os.environ["SSL_CERT_FILE"] = str(folder / "ca.pem")


@pytest.fixture(scope="session", autouse=True)
def patient_clients() -> Iterator[None]:
    """Raise the default timeout of httpx, for examples of the docs that set none."""
    with pytest.MonkeyPatch.context() as patch:
        for part in ("connect", "read", "write", "pool"):
            patch.setattr(DEFAULT_TIMEOUT_CONFIG, part, LIMIT)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_notes_by_themselves() -> Iterator[None]:
    """Stop automatic notes about lost events while a test changes the log."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lost_events, "INTERVAL", 3600.0)
        yield


@pytest.fixture(scope="session")
def leaks() -> Iterator[Leaks]:
    with watched() as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_leaks(leaks: Leaks) -> Iterator[None]:
    """Check that no test leaks a secret into a log, an address or a refusal."""
    logging.getLogger().addHandler(leaks)       # any new setup of logging removes it
    leaks.found.clear()
    yield
    assert not leaks.found


@pytest.fixture(scope="session")
async def embedded_services() -> AsyncIterator[Services]:
    """The servers of this run, without durability; tests of it start their own."""
    with tempfile.TemporaryDirectory(prefix="ludarium-test-") as home:
        Path(home).chmod(0o711)
        async with embedded(Path(home), durable=False) as services:
            yield services


@pytest.fixture(scope="session")
async def migrated_template(embedded_services: Services) -> AsyncIterator[str]:
    """The name of a migrated database to copy, which takes a third of the time."""
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
    """Make a database on the server of this URL, and drop it afterwards by force."""
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

"""Fixtures for all tests, which use one real PostgreSQL for each run.

Each test or module that requests a database or a Valkey gets its own.
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
    """Exclude imports from garbage collection, and collect as rarely as a server does."""
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD, OLD_THRESHOLD)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Scope random draws to the test, so that the order of tests changes nothing."""
    with ENTROPY.scope(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """Scope random draws to a shared fixture, not to the first test that uses it."""
    if fixturedef.scope == "function":
        return (yield)
    with ENTROPY.scope(f"{request.node.nodeid} {fixturedef.argname}"):
        return (yield)


@pytest.fixture
def entropy() -> SeededEntropy:
    """Return the random source, which makes the same draws for a test in each run."""
    return ENTROPY


@pytest.fixture(scope="session", autouse=True)
def few_authorities(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Trust a single certificate authority, since loading all takes 0.1 s per client."""
    folder = tmp_path_factory.mktemp("authorities")
    trustme.CA().cert_pem.write_to_path(str(folder / "ca.pem"))
    os.environ["SSL_CERT_FILE"] = str(folder / "ca.pem")


@pytest.fixture(scope="session", autouse=True)
def patient_clients() -> Iterator[None]:
    """Raise the default timeout of httpx, for the docs' examples that set none."""
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
    """Check that no test leaks a secret into a log, a URL or an error response."""
    logging.getLogger().addHandler(leaks)       # any new setup of logging removes it
    leaks.found.clear()
    yield
    assert not leaks.found


@pytest.fixture(scope="session")
async def embedded_services() -> AsyncIterator[Services]:
    """Yield the servers of this run, which are not durable.

    Tests of durability start their own servers.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-test-") as home:
        Path(home).chmod(0o711)
        async with embedded(Path(home), durable=False) as services:
            yield services


@pytest.fixture(scope="session")
async def migrated_template(embedded_services: Services) -> AsyncIterator[str]:
    """Yield the name of a migrated database, which is three times as fast to copy."""
    async with fresh_database(embedded_services.database_url) as url:
        await migrated(url)
        yield urlsplit(url).path[1:]


@pytest.fixture
async def empty_database_url(embedded_services: Services) -> AsyncIterator[str]:
    """Yield the URL of an empty database for one test."""
    async with fresh_database(embedded_services.database_url) as url:
        yield url


@pytest.fixture
async def database_url(embedded_services: Services, migrated_template: str) -> AsyncIterator[str]:
    """Yield the URL of a migrated database for one test."""
    async with fresh_database(embedded_services.database_url, migrated_template) as url:
        yield url


@pytest.fixture(scope="module")
async def module_database_url(embedded_services: Services, migrated_template: str) -> AsyncIterator[str]:
    """Yield the URL of a migrated database for all tests of one module."""
    async with fresh_database(embedded_services.database_url, migrated_template) as url:
        yield url


@pytest.fixture
async def redis_url() -> AsyncIterator[str]:
    """Yield the URL of an empty Valkey for one test."""
    async with own_valkey() as server:
        yield server.url


@pytest.fixture(scope="module")
async def module_redis_url() -> AsyncIterator[str]:
    """Yield the URL of a Valkey for the servers and tests of one module."""
    async with own_valkey() as server:
        yield server.url


@asynccontextmanager
async def fresh_database(server: str, template: str = "template1") -> AsyncIterator[str]:
    """Create a database on the server of this URL, and drop it by force afterwards."""
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

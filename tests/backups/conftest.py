"""Fixtures for a database with backups for each module."""
from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pyrage
import pytest

from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import socket_folder
from ludarium.embedded.postgres import database_url, postgres
from ludarium.embedded.supervisor import Supervisor
from ludarium.ops.backups.vault import Keys, Vault
from ludarium.platform.schema_check import migrated
from tests.embedded.conftest import open_folder


class House(NamedTuple):
    url: str
    vault: Vault


def new_keys() -> Keys:
    identity = pyrage.x25519.Identity.generate()
    return Keys(identity.to_public(), identity)


@asynccontextmanager
async def started(home: Path) -> AsyncIterator[str]:
    """Run PostgreSQL on the restored cluster `home`/postgres, and yield its URL."""
    account = choose_account(None)
    with socket_folder(home, account) as sockets:
        supervisor = Supervisor(postgres(home, sockets, account, durable=False))
        await supervisor.start()
        try:
            yield database_url(sockets)
        finally:
            await supervisor.stop()


@pytest.fixture(scope="module")
def keys() -> Keys:
    return new_keys()


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
async def own_url() -> AsyncIterator[str]:
    with open_folder() as folder:
        async with embedded(folder / "home", durable=False) as servers:
            await migrated(servers.database_url)
            yield servers.database_url


@pytest.fixture
def house(own_url: str, folder: Path, keys: Keys) -> House:
    """Return the module's database, with a backup folder for each test."""
    return House(own_url, Vault(str(folder / "kept"), keys, make=True))

"""The service `backup` in deploy/compose.yaml makes whole and sealed backups.

The number of kept backups is limited.
"""
from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pyrage
import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.embedded.account import choose_account, own_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium.platform.database import ACCOUNTS, database
from tests.backups.conftest import started
from tests.embedded.conftest import open_folder
from tests.support.entropy import ENTROPY

TAKE = Path(__file__).parents[2] / "deploy/backup/take"
AGE = shutil.which("age")
without_age = pytest.mark.skipif(AGE is None, reason="there is no age here: sudo apt-get install age")


class Place(NamedTuple):
    folder: Path
    identity: pyrage.x25519.Identity
    environment: dict[str, str]

    @property
    def taken(self) -> list[Path]:
        return sorted(self.folder.glob("backups/2*"))

    def take(self, **given: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([TAKE, "once"], env=self.environment | given, capture_output=True, text=True, check=False)

    def opened(self, sealed: Path) -> bytes:
        return pyrage.decrypt(sealed.read_bytes(), [self.identity])


@pytest.fixture
def place(module_database_url: str) -> Iterator[Place]:
    url, binaries = urlsplit(module_database_url), postgres_binaries(own_account())
    with open_folder() as folder:
        identity = pyrage.x25519.Identity.generate()
        for name in ("archive/ab", "backups"):
            (folder / name).mkdir(parents=True)
        (folder / "archive/ab/game").write_bytes(b"a game that is over")
        yield Place(folder, identity, {
            "PATH": f"{binaries}:{os.environ['PATH']}", "PGHOST": url.hostname or parse_qs(url.query)["host"][0],
            "PGPORT": str(url.port or parse_qs(url.query).get("port", ["5432"])[0]), "PGUSER": url.username or "ludarium",
            "PGDATABASE": url.path[1:], "BACKUPS": str(folder / "backups"), "ARCHIVE": str(folder / "archive"), "KEEP": "2",
            "LUDARIUM_BACKUP_RECIPIENT": str(identity.to_public()),
        })  # fmt: skip


async def value(url: str, statement: str) -> object:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetchval(statement)
    finally:
        await connection.close()


@asynccontextmanager
async def unpacked(home: Path, packed: bytes) -> AsyncIterator[str]:
    """Run PostgreSQL on an unpacked backup alone."""
    account = choose_account(None)
    home.mkdir(mode=0o711)
    cluster = home / "postgres"
    cluster.mkdir(mode=0o700)
    account.own(cluster)
    subprocess.run(account.command("tar", "xz", "-C", cluster), input=packed, check=True, cwd="/")
    async with started(home) as url:
        yield url


@without_age
async def test_a_backup_is_sealed_whole_and_told_of(place: Place, module_database_url: str) -> None:
    async with database(module_database_url, ACCOUNTS) as people:
        await Accounts(people, ENTROPY).new_guest()
    ran = place.take()
    assert ran.returncode == 0, ran.stderr
    (taken,) = place.taken
    assert [path.name for path in taken.iterdir()] == ["base.tar.gz.age"]
    async with unpacked(place.folder / "back", place.opened(taken / "base.tar.gz.age")) as url:
        marks = "select count(*) from accounts.players"
        assert await value(url.replace("/ludarium?", f"{urlsplit(module_database_url).path}?"), marks) == 1
    assert place.opened(place.folder / "backups/archive/ab/game.age") == b"a game that is over"
    assert await value(module_database_url, "select now() - at < interval '1 minute' from backups.done where kind = 'base'")


@without_age
def test_older_ones_and_what_was_broken_off_go(place: Place) -> None:
    for name in ("20260101T000000Z", "20260102T000000Z", "20260103T000000Z.part"):
        (place.folder / "backups" / name).mkdir()
    assert place.take().returncode == 0
    assert [path.name for path in place.taken][:-1] == ["20260102T000000Z"] and len(place.taken) == 2


@without_age
@pytest.mark.parametrize(("given", "told"), [
    ({"LUDARIUM_BACKUP_RECIPIENT": ""}, "ludarium backup-key makes it"),
    ({"LUDARIUM_BACKUP_RECIPIENT": "age1none"}, "recipient"), ({"PGHOST": "/nowhere"}, "/nowhere"),
])  # fmt: skip
def test_what_cannot_be_sealed_or_copied_is_no_backup(place: Place, given: dict[str, str], told: str) -> None:
    ran = place.take(**given)
    assert ran.returncode != 0 and told in ran.stderr
    assert not [path for path in place.taken if path.suffix != ".part"]

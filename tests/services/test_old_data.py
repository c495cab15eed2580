"""Commands refuse data of releases before 0.1.0, and change nothing.

The data is a database, a home folder or a backup.
"""
from __future__ import annotations

import asyncio
import os
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pyrage
import pytest

from ludarium.commands.running import OLD_DATA, OLD_DATA_EXIT
from ludarium.embedded.binaries import MAJOR
from ludarium.embedded.data_directory import CLUSTER, FORMAT, FORMAT_FILE
from ludarium.ops.backups.errors import OldPlace
from ludarium.ops.backups.formats import open_place
from ludarium.ops.backups.places import FORMAT as PLACE_FORMAT
from ludarium.ops.backups.vault import Keys
from tests.embedded.conftest import open_folder
from tests.support.dumps import dumped
from tests.support.servers import LUDARIUM
from tests.support.waiting import in_time

OLD_DATABASE = """
    create table public.ludarium_migrations
    (name text primary key, checksum bytea not null, at timestamptz not null default now());
    insert into public.ludarium_migrations (name, checksum) values
      ('eventstore/0001_log.sql', '\\x01'), ('accounts/0001_accounts.sql', '\\x02');
    create schema es;
    create table es.events (position bigint primary key, data bytea not null);
    insert into es.events values (1, 'a move');
    create schema accounts;
    create table accounts.players (id uuid primary key, name text not null);"""
OLD_MARK = (
    b'{"key":null,"signature":null,"number":7,"at":"2026-11-01T12:00:00Z","system":7,"follows":false,'
    b'"reach":{"timeline":1,"lsn":83886080,"rows":12,"head":null},"catalogues":0,"catalogue":null,"files":[]}'
)
OLD_BASE = (
    b'{"started":"2026-11-01T12:00:00Z","ended":"2026-11-01T12:01:00Z","segment":"000000010000000000000005",'
    b'"system":7,"major":%d}' % MAJOR
)
BASE = "bases/20261101T120000.000000Z"


async def ludarium(*command: str, **settings: str) -> tuple[int | None, str]:
    """Run a command to its end, and return its exit code and all of its output."""
    environment = os.environ | {"LUDARIUM_PORT": "0", "LUDARIUM_WS_PORT": "0"}
    environment |= {f"LUDARIUM_{name.upper()}": value for name, value in settings.items()}
    process = await asyncio.create_subprocess_exec(LUDARIUM, *command, env=environment, stdout=PIPE, stderr=PIPE)
    try:
        output, errors = await in_time(process.communicate())
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode, (output + errors).decode()


def refused(answer: tuple[int | None, str]) -> bool:
    code, text = answer
    assert (code, OLD_DATA in text, "before 0.1.0" in text, "Traceback" in text) == (OLD_DATA_EXIT, True, True, False), answer
    return True


def files_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files in a folder, with their modification times and contents."""
    found = sorted(folder.rglob("*"))
    return {str(path): (path.stat().st_mtime_ns, b"" if path.is_dir() else path.read_bytes()) for path in found}


# --- databases ------------------------------------------------------------------------------------------------------------
@pytest.fixture
async def old_database(empty_database_url: str) -> AsyncIterator[str]:
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute(OLD_DATABASE)
    await connection.close()
    yield empty_database_url


@pytest.mark.parametrize("command", [
    ["serve"], ["serve", "--workers=2"], ["migrate"], ["doctor"], ["verify", "--all"], ["rebuild", "lobby"],
], ids=" ".join)  # fmt: skip
async def test_an_old_database_is_refused_and_stays_as_it_is(old_database: str, redis_url: str, command: list[str]) -> None:
    before = await dumped(old_database)
    assert refused(await ludarium(*command, database_url=old_database, redis_url=redis_url))
    assert await dumped(old_database) == before


# --- homes ----------------------------------------------------------------------------------------------------------------
@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture
def old_home(folder: Path) -> Path:
    cluster = folder / "home" / "data" / CLUSTER
    cluster.mkdir(parents=True)
    (cluster / "PG_VERSION").write_text(f"{MAJOR}\n")
    (folder / "home" / "data" / "postgres.log").write_text("it was stopped\n")
    return folder / "home"


@pytest.fixture
def keys() -> dict[str, str]:
    identity = pyrage.x25519.Identity.generate()
    return {"backup_recipient": str(identity.to_public()), "backup_key": str(identity)}


@pytest.mark.parametrize("command", [
    ["serve"], ["serve", "--workers=2"], ["migrate"], ["services"], ["doctor"], ["verify", "--all"], ["backup", "{place}"],
    ["backup", "{place}", "--follow"], ["restore", "{place}"], ["restore", "{place}", "--drill"],
], ids=" ".join)  # fmt: skip
async def test_an_old_home_is_refused_and_stays_as_it_is(
    old_home: Path, folder: Path, keys: dict[str, str], command: list[str]
) -> None:
    (folder / "place").mkdir()
    before = files_of(old_home)
    words = [word.format(place=folder / "place") for word in command]
    assert refused(await ludarium(*words, home=str(old_home), **keys))
    assert files_of(old_home) == before


async def test_a_home_of_a_later_release_is_refused_and_stays_as_it_is(old_home: Path) -> None:
    (old_home / "data" / CLUSTER / FORMAT_FILE).write_text(f"{FORMAT + 1}\n")
    before = files_of(old_home)
    code, text = await ludarium("migrate", home=str(old_home))
    assert (code, "later release" in text) == (1, True) and files_of(old_home) == before


# --- backups --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def old_place(folder: Path) -> Path:
    place = folder / "place"
    (place / BASE).mkdir(parents=True)
    (place / "mark.json").write_bytes(OLD_MARK)
    (place / BASE / "about.json").write_bytes(OLD_BASE)
    (place / BASE / "base.tar.gz.age").write_bytes(b"sealed")
    return place


@pytest.mark.parametrize("gone", ["mark.json", f"{BASE}/about.json"])
def test_an_old_place_is_known_by_its_mark_or_by_a_base_backup(old_place: Path, gone: str) -> None:
    (old_place / gone).unlink()
    with pytest.raises(OldPlace):
        open_place(str(old_place), Keys(None, None), make=False)


@pytest.mark.parametrize("command", ["restore", "backup", "restore --drill", "backup --check"])
async def test_an_old_place_is_refused_and_stays_as_it_is(
    old_place: Path, folder: Path, keys: dict[str, str], command: str
) -> None:
    before = files_of(old_place)
    assert refused(await ludarium(*command.split(), str(old_place), home=str(folder / "home"), **keys))
    assert files_of(old_place) == before and not (folder / "home").exists()


@pytest.mark.parametrize("command", ["ship", "apply"])
async def test_an_old_place_of_the_ledger_is_refused_and_stays_as_it_is(
    old_place: Path, database_url: str, redis_url: str, keys: dict[str, str], command: str
) -> None:
    before = files_of(old_place)
    where = {"database_url": database_url, "redis_url": redis_url}
    assert refused(await ludarium("ledger", command, str(old_place), **where, **keys))
    assert files_of(old_place) == before


async def test_a_place_of_a_later_release_is_refused_and_stays_as_it_is(folder: Path, keys: dict[str, str]) -> None:
    place = folder / "place"
    place.mkdir()
    (place / "mark.json").write_text(f'{{"format": {PLACE_FORMAT + 1}}}')
    before = files_of(place)
    code, text = await ludarium("restore", str(place), home=str(folder / "home"), **keys)
    assert (code, "later release" in text) == (1, True) and files_of(place) == before

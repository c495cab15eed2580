"""Impossible backups and restores are refused clearly and change nothing."""
from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from ludarium.commands.backups import check_empty, make_backup, parse_moment, restore_data
from ludarium.embedded.account import choose_account
from ludarium.embedded.binaries import MAJOR
from ludarium.ops.backups import ledger, marks
from ludarium.ops.backups.applying import read_ledger
from ludarium.ops.backups.base import Base, check_database, read_bases, retire_old
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.marks import LogEnd, Mark, remove_retired
from ludarium.ops.backups.places import ABOUT, FORMAT
from ludarium.ops.backups.restoring import check_moment, restore
from ludarium.ops.backups.surveys import choose_base
from ludarium.ops.backups.vault import Keys, Vault, read_keys
from ludarium.platform.config import Config, ConfigError, read_config, settings
from tests.backups.conftest import new_keys
from tests.support.buckets import bucket

DAY = timedelta(days=1)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
LOG = "a log"


@pytest.fixture(scope="module", name="bucket")
def one_bucket() -> Iterator[str]:
    with bucket() as place:
        yield f"{place}/house"


@pytest.fixture(params=["folder", "bucket"])
def vault(request: pytest.FixtureRequest, keys: Keys, tmp_path: Path) -> Vault:
    place = str(tmp_path / "kept") if request.param == "folder" else request.getfixturevalue("bucket") + f"/{tmp_path.name}"
    return Vault(place, keys, make=True)


@pytest.fixture
def kept(keys: Keys, tmp_path: Path) -> Vault:
    return Vault(str(tmp_path / "kept"), keys, make=True)


def add(vault: Vault, started: datetime, segment: str = "000000010000000000000003", major: int = MAJOR) -> Base:
    base = Base(started, started + timedelta(minutes=1), segment, 7, LOG, major)
    vault.write(base.archive, b"its files")
    vault.write_open(f"{base.folder}/{ABOUT}", msgspec.json.encode(base))
    return base


def marked(vault: Vault) -> Vault:
    """Write a mark that lists all existing files, and return the vault."""
    vault.listed = set()
    files = [vault.describe(path) for path in vault.sizes()]
    marks.write_mark(vault, Mark(
        format=FORMAT, number=1, at=NOON, system=7, follows=False, reach=LogEnd(1, 0, LOG, 0, None), catalogues=0,
        catalogue=None, files=files,
    ))  # fmt: skip
    return vault


# --- backup locations -----------------------------------------------------------------------------------------------------
def test_what_is_kept_comes_back_and_nobody_else_can_read_it(vault: Vault) -> None:
    large = bytes(range(256)) * (12 << 12)                      # more than one part of an upload
    vault.write("log/a", b"a hand")
    vault.write_stream("log/b", io.BytesIO(large), lambda: None)
    assert vault.names("log") == ["log/a", "log/b"]
    sink = io.BytesIO()
    vault.read_into("log/b", sink)
    assert (vault.read("log/a"), sink.getvalue()) == (b"a hand", large)
    sealed = vault.read_open("log/a.age")
    assert sealed.startswith(b"age-encryption.org/v1") and b"hand" not in sealed
    stranger = Vault(vault.place, new_keys(), make=False)
    with pytest.raises(BackupError, match="log/a is sealed for another key: LUDARIUM_BACKUP_KEY opens what is sealed for age1"):
        stranger.read("log/a")
    vault.remove(["log/a", "log/never"])
    assert vault.names("log") == ["log/b"]


def test_a_changed_file_is_damaged_whatever_the_key(vault: Vault) -> None:
    vault.write("log/a", b"a hand")
    sealed = bytearray(vault.read_open("log/a.age"))
    for changed in (b"", sealed[:30], sealed[:-1], sealed[:-1] + bytes([sealed[-1] ^ 1]), bytes([sealed[0] ^ 1]) + sealed[1:]):
        vault.write_open("log/a.age", bytes(changed))
        with pytest.raises(BackupError, match="log/a is damaged: it was changed or cut off"):
            vault.read("log/a")


def test_a_source_that_fails_leaves_nothing(vault: Vault) -> None:
    def failed() -> None:
        raise BackupError("pg_basebackup failed")

    with pytest.raises(BackupError, match="pg_basebackup"):
        vault.write_stream("bases/x/base.tar.gz", io.BytesIO(bytes(1 << 20)), failed)
    assert vault.names("bases") == []


def test_old_bases_go_with_the_log_that_they_alone_need(vault: Vault) -> None:
    for day in range(3):
        add(vault, NOON + day * DAY, f"00000001000000000000000{day + 3}")
    kept = ["000000010000000000000004", "000000020000000000000005.partial", "00000002.history"]
    for name in ("000000010000000000000003", *kept):
        vault.write(f"log/{name}", b"")
    retire_old(vault, 2)
    remove_retired(vault)
    assert [base.started for base in read_bases(vault)] == [NOON + DAY, NOON + 2 * DAY]
    assert [name[4:] for name in vault.names("log")] == sorted(kept)


@pytest.mark.parametrize(("place", "told"), [
    ("ftp://there/it", "name a folder, or a bucket"), ("s3://nobody-has-it/x", "cannot be used"),
    ("/nowhere/at/all", "There is no folder"),
])  # fmt: skip
def test_a_place_that_is_none(bucket: str, keys: Keys, place: str, told: str) -> None:
    with pytest.raises(BackupError, match=told):
        Vault(place, keys, make=False).names("bases")


# --- keys -----------------------------------------------------------------------------------------------------------------
def test_keys_come_from_the_environment() -> None:
    keys = new_keys()
    recipient, secret = str(keys.recipient), str(keys.identity)
    sealing = read_keys(Config(backup_recipient=recipient))
    assert (str(sealing.recipient), sealing.identity) == (recipient, None)
    assert str(read_keys(Config(backup_key=secret)).recipient) == recipient
    for config, told in (
        (Config(), "LUDARIUM_BACKUP_RECIPIENT must name"),
        (Config(backup_recipient="age1x"), "LUDARIUM_BACKUP_RECIPIENT is no public key"),
        (Config(backup_key=recipient), "LUDARIUM_BACKUP_KEY is no secret key"),
    ):
        with pytest.raises(BackupError, match=told):
            read_keys(config)


def test_a_house_that_can_only_seal_cannot_open(kept: Vault, keys: Keys) -> None:
    kept.write("log/a", b"a hand")
    with pytest.raises(BackupError, match="must hold the key that opens"):
        Vault(kept.place, Keys(keys.recipient, None), make=False).read("log/a")


def test_the_secret_key_is_told_nobody() -> None:
    secret = str(new_keys().identity)
    told = [setting.value for setting in settings({"LUDARIUM_BACKUP_KEY": secret})]
    assert "***" in told and secret not in told


# --- restores -------------------------------------------------------------------------------------------------------------
def test_the_newest_base_that_had_ended_is_taken(kept: Vault) -> None:
    first, second = add(kept, NOON), add(kept, NOON + DAY)
    assert choose_base(kept, None, kept.sizes()) == second == choose_base(kept, NOON + 2 * DAY, kept.sizes())
    assert choose_base(kept, second.started, kept.sizes()) == first              # it had not ended yet


@pytest.mark.parametrize(("made", "to", "told"), [
    ([], None, "has no backup that is whole"),
    ([MAJOR], NOON, "The first backup ended at 2026-01-01T12:01:00Z"),
    ([17], None, "is of PostgreSQL 17, this is 18"),
])  # fmt: skip
def test_no_base_fits(kept: Vault, made: list[int], to: datetime | None, told: str) -> None:
    for major in made:
        add(kept, NOON, major=major)
    with pytest.raises(BackupError, match=told):
        choose_base(kept, to, kept.sizes())


def test_a_base_without_its_last_file_is_none(kept: Vault) -> None:
    kept.write("bases/20260101T120000.000000Z/base.tar.gz", b"half of it")
    with pytest.raises(BackupError, match="no backup that is whole"):
        choose_base(kept, None, kept.sizes())


def test_a_moment_is_in_the_past_and_has_an_offset() -> None:
    for text, told in (("noon", "is no moment"), ("2026-01-01T12:00", "offset from UTC"), ("2226-01-01T12:00Z", "yet to come")):
        with pytest.raises(BackupError, match=told):
            check_moment(parse_moment(text))


async def test_what_is_no_backup_is_not_unpacked(kept: Vault, tmp_path: Path) -> None:
    add(kept, NOON)
    tmp_path.chmod(0o711)
    with pytest.raises(BackupError, match="cannot be unpacked"):
        await restore(marked(kept), tmp_path, choose_account(None), None)
    assert not (tmp_path / "postgres").exists()


async def test_a_refused_restore_leaves_nothing_behind(kept: Vault, keys: Keys, folder: Path) -> None:
    """The restore removes its own files, and the home folder if it has created that."""
    add(kept, NOON)
    marked(kept)
    for config, told in (
        (Config(home=folder / "home", backup_recipient=str(keys.recipient)), "must hold the key that opens"),
        (Config(home=folder / "home", backup_key=str(new_keys().identity)), "is sealed for another key"),
        (Config(home=folder / "home", backup_key=str(keys.identity)), "cannot be unpacked"),
    ):
        with pytest.raises(BackupError, match=told):
            await restore_data(config, kept.place, None)
        assert [*folder.iterdir()] == []
    (folder / "home/data").mkdir(parents=True)
    folder.joinpath("home/data").chmod(0o711)
    with pytest.raises(BackupError, match="cannot be unpacked"):
        await restore_data(config, kept.place, None)
    assert [path.name for path in folder.rglob("*")] == ["home", "data"]


def test_a_living_database_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    with pytest.raises(BackupError, match="it is not touched: move it away"):
        check_empty(tmp_path)


def test_anothers_place_is_not_mixed_up(kept: Vault) -> None:
    add(kept, NOON)
    check_database(kept, 7, LOG)
    for system, log in ((8, LOG), (7, "another log")):
        with pytest.raises(BackupError, match="holds the backups of another database"):
            check_database(kept, system, log)


def test_a_ledger_of_a_newer_release_is_not_passed_over(kept: Vault) -> None:
    kept.write("ledger/a", msgspec.json.encode([ledger.Entry(1, NOON, "planet-moved", b"")]))
    with pytest.raises(BackupError, match="has planet-moved, which a newer release wrote"):
        read_ledger(kept, 0)


async def test_a_server_that_is_not_ours_is_barmans() -> None:
    elsewhere = Config(database_url="postgresql://there/it", redis_url="redis://there")
    for work in (make_backup(elsewhere, "/x", False, 7), restore_data(elsewhere, "/x", None)):
        with pytest.raises(BackupError, match="This PostgreSQL is not ours"):
            await work


def test_a_misspelt_setting_stops_it() -> None:
    with pytest.raises(ConfigError, match="LUDARIUM_BACKUP_KEYS"):
        read_config({"LUDARIUM_BACKUP_KEYS": "x"})

"""A restore names missing files and stops before PostgreSQL starts.

The restore continues if the user accepts the loss.
"""
from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from ludarium.commands.backups import print_check, restore_data
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import data_folder
from ludarium.ops.backups import checking, marks
from ludarium.ops.backups.base import Base
from ludarium.ops.backups.checking import MAX_MARK_AGE, check_place, known_mark_number, save_report
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.following import Follower
from ludarium.ops.backups.places import COMPLETE, SegmentFile, is_superseded, newest_versions, segment_files, segment_name
from ludarium.ops.backups.restoring import restore
from ludarium.ops.backups.surveys import is_needed, log_from, missing_segments
from ludarium.ops.backups.vault import Keys, Vault
from ludarium.platform.config import Config
from ludarium.platform.signing_keys import Signer, new_secret
from tests.backups.conftest import new_keys
from tests.backups.test_moments import closing, playing, query, received, rows
from tests.embedded.conftest import open_folder
from tests.support.table_games import play, started

MOVES, ALL = 3, "all"
WRITES = "select pg_logical_emit_message(true, 'test', 'something to bring')"


class Place(NamedTuple):
    """A backup with a move of a game in each of its segments.

    Attributes:
        rows: By segment, the number of events before the segment's move; the last entry has the total.
    """

    folder: Path
    keys: Keys
    rows: dict[str, int]


@pytest.fixture(scope="module")
async def whole(own_url: str) -> AsyncIterator[Place]:
    with open_folder() as folder:
        vault, counts = Vault(str(folder / "place"), new_keys(), make=True), dict[str, int]()
        follower = Follower(lambda: own_url, vault, folder / "spool", keep=2)
        async with playing(own_url) as tables, follower.receiving():
            await follower.run_once()
            going = await started(tables)
            for nth in range(MOVES):
                await query(own_url, "select pg_switch_wal()")
                (row,) = await query(own_url, "select pg_walfile_name(pg_current_wal_insert_lsn()) as segment")
                counts[row["segment"]] = len(await rows(own_url))
                await play(tables, going, Random(nth), 1)
                await received(follower, own_url)
        counts[ALL] = len(await rows(own_url))
        yield Place(folder / "place", vault.keys, counts)


@pytest.fixture
def place(whole: Place, folder: Path) -> Place:
    shutil.copytree(whole.folder, folder / "place")
    return whole._replace(folder=folder / "place")


def lose(place: Place, nth: int) -> str:
    """Delete the segment with this move and return the segment's name."""
    segment = [*place.rows][nth]
    (gone,) = (place.folder / "log").glob(f"{segment}*")
    gone.unlink()
    return segment


@pytest.mark.parametrize("nth", range(MOVES))
async def test_a_missing_segment_is_named_and_refused(place: Place, folder: Path, nth: int) -> None:
    gone, account = lose(place, nth), choose_account(None)
    with pytest.raises(BackupError, match=gone):
        await restore(Vault(str(place.folder), place.keys, make=False), data_folder(folder / "back", account), account, None)
    assert [*(folder / "back/data").iterdir()] == []


async def test_an_accepted_hole_says_what_is_lost(place: Place, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gone = lose(place, 1)
    config = Config(home=folder / "back", backup_key=str(place.keys.identity))
    await restore_data(config, str(place.folder), None, up_to_hole=True)
    said = capsys.readouterr()
    assert f"Restored: {place.rows[gone]} rows of the log" in said.out and f"{gone}.age is missing" in said.err
    assert f"{place.rows[ALL] - place.rows[gone]} rows of the log are lost, and all that came after the mark" in said.err


async def test_a_mark_of_another_server_is_refused(place: Place, folder: Path) -> None:
    signer, account = Signer(new_secret()), choose_account(None)
    with pytest.raises(BackupError, match="not signed by a key of LUDARIUM_SIGNING_KEY"):
        await restore(
            Vault(str(place.folder), place.keys._replace(signer=signer), make=False),
            data_folder(folder / "back", account), account, None,
        )  # fmt: skip


# --- segments of the log ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("there", "first", "lacks"), [
    ([], "1-3", []),
    (["1-3", "1-4"], "1-3", []),
    (["1-4", "1-5"], "1-3", ["1-3"]),
    (["1-3", "1-5", "1-7"], "1-3", ["1-4", "1-6"]),
    (["1-254", "1-255", "1-256"], "1-254", []),
    (["1-3", "1-4", "2-4", "2-5"], "1-3", []),
    (["1-3", "2-5"], "1-3", ["1-4"]),
    (["1-3", "1-4", "1-5", "2-4", "2-6"], "1-3", ["2-5"]),
    (["1-3", "2-3", "2-4", "2-5"], "2-4", []),
    (["1-3", "2-5"], "2-4", ["2-4"]),
], ids=str)  # fmt: skip
def test_segments_count_up(there: list[str], first: str, lacks: list[str]) -> None:
    """A segment is written as timeline-number.

    A timeline begins at the segment where it leaves the previous timeline.
    """
    log = log_from([SegmentFile(named(each), COMPLETE).path for each in there], named(first))
    assert [*missing_segments(log, named(first))] == [named(each) for each in lacks]


def test_a_timeline_that_was_left_is_not_needed() -> None:
    """This happens after a restore up to a gap, if the server uses the same backup."""
    base = Base(datetime.now(UTC), datetime.now(UTC), named("2-4"), 1, "a log")
    there = ("1-4", "1-9", "2-3", "2-4", "3-5")
    assert [each for each in there if is_needed(SegmentFile(named(each), 7).path, base)] == ["2-4", "3-5"]


def named(each: str) -> str:
    timeline, nth = each.split("-")
    return segment_name(f"{int(timeline):08X}", int(nth))


def test_of_a_segment_the_file_that_has_most_counts() -> None:
    segment = named("1-3")
    of = [SegmentFile(segment, version) for version in (0, 9, 10, COMPLETE)]
    for nth, piece in enumerate(of):
        assert [*newest_versions(of[: nth + 1]).values()] == [piece] and [*segment_files([piece.path])] == [piece]
        assert [is_superseded(each.path, [piece.path]) for each in of[: nth + 1]] == [True] * nth + [False]


# --- marks -----------------------------------------------------------------------------------------------------------------
@asynccontextmanager
async def followed(url: str, place: Path, keys: Keys, spool: Path) -> AsyncIterator[tuple[Follower, Vault]]:
    vault = Vault(str(place), keys, make=True)
    follower = Follower(lambda: url, vault, spool, keep=2)
    async with follower.receiving():
        await follower.run_once()
        yield follower, vault


async def test_a_follower_goes_on_from_the_mark(own_url: str, folder: Path, keys: Keys) -> None:
    """The follower lists other processes' files, and those written before a kill."""
    place, spool = folder / "place", folder / "spool"
    async with followed(own_url, place, keys, spool) as (follower, _):
        await received(follower, own_url)
    before = marks.read_mark(Vault(str(place), keys, make=False))
    Vault(str(place), keys, make=False).write("ledger/unlisted", b"[]")
    async with followed(own_url, place, keys, spool) as (follower, vault):
        await query(own_url, "select pg_switch_wal()")
        await received(follower, own_url)
        mark = marks.read_mark(vault)
        assert mark.number > before.number and mark.follows and mark.reach.end > before.reach.end
        assert {*marks.listed_files(vault, mark)} == vault.sizes().keys() - {marks.MARK}
        assert check_place(vault, mark.at, mark.number).faults == []


async def test_a_mark_that_was_set_back_is_noticed(own_url: str, folder: Path, keys: Keys) -> None:
    place = folder / "place"
    async with followed(own_url, place, keys, folder / "spool") as (follower, vault), closing(own_url) as owner:
        early = (place / "mark.json").read_bytes()
        await query(own_url, WRITES)
        await received(follower, own_url)
        number = marks.read_mark(vault).number
        (place / "mark.json").write_bytes(early)
        assert "set back" in str(check_place(vault, datetime.now(UTC), number).faults)
        await query(own_url, WRITES)
        await received(follower, own_url)
        assert await of_database(own_url, vault) == 1
        mark = marks.read_mark(vault)
        assert mark.number > number and {*marks.listed_files(vault, mark)} >= vault.sizes("bases").keys()
        checked = check_place(vault, datetime.now(UTC), await known_mark_number(owner, vault))
        assert checked.faults == []
        await save_report(owner, vault, checked)
        assert await of_database(own_url, vault) == 0


async def of_database(url: str, vault: Vault) -> int:
    (row,) = await query(url, "select faults from backups.marks where place = $1", vault.place)
    return int(row["faults"])


async def test_a_place_of_an_earlier_release_is_taken_over(own_url: str, folder: Path, keys: Keys) -> None:
    """The existing files are listed, although partial segments had no versions then."""
    place, spool = folder / "place", folder / "spool"
    async with followed(own_url, place, keys, spool) as (follower, _):
        await received(follower, own_url)
    await query(own_url, "delete from backups.marks")
    (place / "mark.json").unlink()
    for part in sorted((place / "log").glob("*.partial.age")):
        part.rename(part.with_name(part.name.partition(".")[0] + ".partial.age"))
    async with followed(own_url, place, keys, spool) as (follower, vault):
        await received(follower, own_url)
        assert check_place(vault, datetime.now(UTC)).faults == []
        assert await of_database(own_url, vault) == 0
        assert not [*(place / "log").glob("????????????????????????.partial.age")]


def test_a_mark_that_gets_old_is_a_fault(place: Place) -> None:
    vault = Vault(str(place.folder), place.keys, make=False)
    mark = marks.read_mark(vault)
    assert check_place(vault, mark.at + MAX_MARK_AGE).faults == []
    assert "has not written since" in str(check_place(vault, mark.at + MAX_MARK_AGE + timedelta(seconds=1)).faults)


async def test_a_check_needs_no_key_and_ends_with_the_faults(
    place: Place, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "MAX_MARK_AGE", timedelta(days=1))
    config = Config(home=folder / "home")
    await print_check(config, str(place.folder))
    assert "not signed" in capsys.readouterr().out and not config.home.exists()
    with pytest.raises(BackupError, match=f"log/{lose(place, 0)}.age is missing"):
        await print_check(config, str(place.folder))

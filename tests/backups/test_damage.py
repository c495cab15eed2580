"""After damage to a backup file, a restore is refused or restores everything.

The results are compared with the table in docs/operations/backup-damaged.md.
"""
from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import data_folder
from ludarium.ops.archive.archiving import archive_games
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.ops.backups import marks
from ludarium.ops.backups.checking import check_place
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.following import Follower
from ludarium.ops.backups.restoring import restore
from ludarium.ops.backups.vault import Keys, Vault
from ludarium.platform import ids
from ludarium.platform.database import ACCOUNTS, database
from ludarium.platform.signing_keys import Signer, new_secret
from tests.backups.conftest import new_keys
from tests.backups.conftest import started as running
from tests.backups.test_moments import closing, playing, query, received, rows
from tests.embedded.conftest import open_folder
from tests.support.entropy import ENTROPY
from tests.support.table_games import play, started

PAGE = Path(__file__).parents[2] / "docs/operations/backup-damaged.md"
DAMAGES = ("deleted", "cut off", "changed", "exchanged", "set back")
REFUSED, ALL_THERE, NONE = "refused", "all there", "-"
KINDS = {
    "mark.json": r"mark\.json", "catalogues/N.json": r"catalogues/.*", "bases/TIME/about.json": r"bases/.*/about\.json",
    "bases/TIME/base.tar.gz.age": r"bases/.*\.age", "log/SEGMENT.age": r"log/[0-9A-F]{24}\.age",
    "log/SEGMENT.N.partial.age": r"log/.*\.partial\.age", "ledger/FILE.age": r"ledger/.*", "archive/GAME.age": r"archive/.*",
}  # fmt: skip


class Kept(NamedTuple):
    """Copies of a backup.

    Attributes:
        early: The backup two segments before the end.
        late: The backup at the end.
        rows: The events in the log at the end.
    """

    early: Path
    late: Path
    keys: Keys
    rows: list[tuple[object, ...]]


@pytest.fixture(scope="module")
def signed() -> Keys:
    return new_keys()._replace(signer=Signer(new_secret()))


@pytest.fixture(scope="module")
async def kept(own_url: str, signed: Keys) -> AsyncIterator[Kept]:
    with open_folder() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(marks, "MAX_LISTED", 2)         # so there is a catalogue
        vault, files = Vault(str(folder / "place"), signed, make=True), BundleFiles(str(folder / "bundles"), make=True)
        follower = Follower(lambda: own_url, vault, folder / "spool", keep=2, files=files)
        async with database(own_url, ACCOUNTS) as people, playing(own_url) as tables, closing(own_url) as owner:
            await play(tables, await started(tables), Random(1))
            going = await started(tables)
            async with follower.receiving():
                await follower.run_once()
                await archive_games(owner, tables.store, files, datetime.now(UTC) + timedelta(days=1), lambda done, of: None)
                for nth in range(3):
                    if nth == 2:
                        shutil.copytree(folder / "place", folder / "early")
                    guest = await Accounts(people, ENTROPY).new_guest()
                    await query(own_url, "delete from accounts.tokens where player_id = $1", ids.decode(guest.player.id))
                    await play(tables, going, Random(nth), 1)
                    await received(follower, own_url)
                    if nth < 2:
                        await query(own_url, "select pg_switch_wal()")
                        await play(tables, going, Random(nth), 1)
                        await received(follower, own_url)
                shutil.copytree(folder / "place", folder / "late")
            yield Kept(folder / "early", folder / "late", signed, await rows(own_url))


# --- damage to a file ------------------------------------------------------------------------------------------------------
def damaged(kept: Kept, place: Path, path: str, damage: str) -> bool:
    """Damage a file, and return whether this kind of damage is possible for the file."""
    file = place / path
    if damage == "deleted":
        file.unlink()
    elif damage == "cut off":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    elif damage == "changed":
        changed = bytearray(file.read_bytes())
        changed[len(changed) // 2] ^= 1
        file.write_bytes(changed)
    elif damage == "exchanged":
        other = next(other for other in paths(place) if kind_of(other) != "mark.json" and other != path)
        data = file.read_bytes()
        file.write_bytes((place / other).read_bytes())
        (place / other).write_bytes(data)
    else:
        return set_back(kept, file, path)
    return True


def set_back(kept: Kept, file: Path, path: str) -> bool:
    """Replace a file by its earlier version, and return whether that changed the file.

    A partial segment is replaced by an earlier partial segment.
    """
    found = [early for early in paths(kept.early) if kind_of(early) == kind_of(path)]
    earlier = found[0] if found and path.endswith(".partial.age") else path
    if not (kept.early / earlier).exists() or (kept.early / earlier).read_bytes() == file.read_bytes():
        return False
    shutil.copy(kept.early / earlier, file)
    return True


def paths(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


def kind_of(path: str) -> str:
    return next(kind for kind, pattern in KINDS.items() if re.fullmatch(pattern, path))


# --- results ---------------------------------------------------------------------------------------------------------------
async def outcome(kept: Kept, place: Path) -> str:
    """Restore the backup and return the outcome.

    Raises:
        AssertionError: A restore succeeded although something is missing.
    """
    account = choose_account(None)
    with open_folder() as folder:
        data, files = data_folder(folder / "home", account), BundleFiles(str(folder / "bundles"), make=True)
        try:
            found = await restore(Vault(str(place), kept.keys, make=False), data, account, None, files)
        except BackupError:
            assert [*data.iterdir()] == []
            return REFUSED
        assert found.problems == [] and found.bundles.restored == 1 and found.reapplied >= 3
        async with running(data) as url:
            assert await rows(url) == kept.rows
        return ALL_THERE


def is_noticed(kept: Kept, place: Path) -> bool:
    """Check whether the damage is found by a backup check, which has no key."""
    vault = Vault(str(place), Keys(None, None, Signer(None, [key.key for key in kept.keys.signer.keys])), make=False)
    newest = marks.read_mark(Vault(str(kept.late), kept.keys, make=False))
    return bool(check_place(vault, newest.at, newest.number).faults)


async def test_a_damaged_place_is_refused_or_has_all(kept: Kept, folder: Path) -> None:
    assert {kind_of(path) for path in paths(kept.late)} == {*KINDS}
    assert await outcome(kept, kept.late) == ALL_THERE and not is_noticed(kept, kept.late)
    found: dict[tuple[str, str], set[str]] = {(kind, damage): set() for kind in KINDS for damage in DAMAGES}
    for path in paths(kept.late):
        for damage in DAMAGES:
            with copied(kept.late, folder / "place") as place:
                if damaged(kept, place, path, damage):
                    found[kind_of(path), damage].add(await outcome(kept, place))
                    assert is_noticed(kept, place), f"{path} is {damage}"
    assert {cell: "".join(sorted(told)) or NONE for cell, told in found.items()} == documented()


@contextmanager
def copied(place: Path, to: Path) -> Iterator[Path]:
    """Copy a backup so that it can be damaged, and delete the copy at the end."""
    shutil.copytree(place, to)
    yield to
    shutil.rmtree(to)


def documented() -> dict[tuple[str, str], str]:
    return {(kind, damage): told for kind, row in table() for damage, told in zip(DAMAGES, row, strict=True)}


def table() -> Iterator[tuple[str, list[str]]]:
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip(" `") for cell in line.split("|")[1:-1]]
        if cells and cells[0] in KINDS:
            yield cells[0], cells[1:]

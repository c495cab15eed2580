"""A backup of the ledger alone.

`ledger apply` either refuses a damaged backup or applies the whole ledger.
"""
from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.commands.ledger import apply_to_restored, ship_ledger
from ludarium.ops.backups.checking import check_place
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.vault import Vault
from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.platform.database import ACCOUNTS, database
from ludarium.platform.signing_keys import new_secret
from tests.backups.conftest import House
from tests.backups.test_ledger import another, revoked, settings_of
from tests.backups.test_moments import query
from tests.support.entropy import ENTROPY

DELETED = "insert into backups.ledger (kind, subject) values ('player-deleted', $1)"
TIMES = 3
"""Number of shipments, each of a file with two entries."""
DAMAGES = ("deleted", "cut off", "changed", "exchanged")


class Shipped:
    """Backups of a ledger at the end and before the last shipment (`early`).

    `config` is for a database that was restored to a time before all shipments.
    """

    def __init__(self, place: Path, early: Path, config: Config) -> None:
        self.place, self.early, self.config = place, early, config

    def paths(self) -> list[Path]:
        return sorted(path for path in self.place.rglob("*") if path.is_file())

    async def apply(self, place: Path, *, accept: bool = False) -> None:
        await apply_to_restored(self.config, str(place), up_to_hole=accept)


@pytest.fixture
async def shipped(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shipped:
    monkeypatch.setattr("ludarium.ops.backups.marks.MAX_LISTED", 1)              # so there is a catalogue
    url, place, secret = await another(house.url, "elsewhere", "template0"), tmp_path / "place", new_secret()
    config = settings_of(url, house, LUDARIUM_SIGNING_KEY=secret)
    await ship_ledger(config, str(place), follow=False)
    before = await another(house.url, "before", "elsewhere")
    for nth in range(TIMES):
        async with database(url, ACCOUNTS) as people:
            guest = await Accounts(people, ENTROPY).new_guest()
        await revoked(url, guest.player.id)
        await query(url, DELETED, ids.decode(guest.player.id).bytes)
        await ship_ledger(config, str(place), follow=False)
        if nth == TIMES - 2:
            shutil.copytree(place, tmp_path / "early")
    return Shipped(place, tmp_path / "early", settings_of(before, house, LUDARIUM_SIGNING_KEY=secret))


async def test_each_damage_of_each_file_is_refused(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    luck = Random(1)
    assert {path.parent.name for path in shipped.paths()} == {"place", "ledger", "catalogues"}
    for path in shipped.paths():
        for damage in DAMAGES:
            place = tmp_path / "damaged"
            shutil.copytree(shipped.place, place)
            damaged(place / path.relative_to(shipped.place), damage, luck)
            with pytest.raises(BackupError, match="is not complete"):
                await shipped.apply(place)
            shutil.rmtree(place)
    capsys.readouterr()
    await shipped.apply(shipped.place)
    assert "6 entries of the ledger done again" in capsys.readouterr().out


def damaged(file: Path, damage: str, luck: Random) -> None:
    data = file.read_bytes()
    if damage == "deleted":
        file.unlink()
    elif damage == "cut off":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "changed":
        at = luck.randrange(len(data))
        file.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    else:
        other = next(each for each in sorted(file.parents[file.parent.name != "damaged"].rglob("*.age")) if each != file)
        file.write_bytes(other.read_bytes())
        other.write_bytes(data)


async def test_an_earlier_mark_beside_all_files_loses_nothing(
    shipped: Shipped, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(shipped.early / "mark.json", shipped.place / "mark.json")
    capsys.readouterr()
    await shipped.apply(shipped.place)
    assert "6 entries of the ledger done again" in capsys.readouterr().out


async def test_a_place_set_back_to_before_the_database_is_refused(shipped: Shipped) -> None:
    """The restored database knows the number of a later mark."""
    await query(shipped.config.database_url or "", "update backups.marks set number = 100, place = $1", str(shipped.early))
    with pytest.raises(BackupError, match="was set back"):
        await shipped.apply(shipped.early)


async def test_what_is_left_is_applied_where_that_is_accepted(shipped: Shipped, capsys: pytest.CaptureFixture[str]) -> None:
    lost = next(path for path in shipped.paths() if path.parent.name == "ledger")
    lost.unlink()
    capsys.readouterr()
    await shipped.apply(shipped.place, accept=True)
    told = capsys.readouterr()
    assert "4 entries of the ledger done again" in told.out and lost.name in told.err


async def test_a_check_finds_a_missing_file(shipped: Shipped, house: House) -> None:
    vault = Vault(str(shipped.place), house.vault.keys, make=False)
    assert check_place(vault, datetime.now(UTC)).faults == []
    lost = next(path for path in shipped.paths() if path.parent.name == "ledger")
    lost.unlink()
    assert check_place(vault, datetime.now(UTC)).faults == [f"ledger/{lost.name} is missing."]


async def test_a_file_that_no_mark_lists_yet_is_listed_by_the_next_shipment(shipped: Shipped, house: House) -> None:
    """This happens after a crash between the two steps, and in old backups."""
    (shipped.place / "mark.json").unlink()
    with pytest.raises(BackupError, match=r"mark\.json"):
        await shipped.apply(shipped.place)
    await ship_ledger(shipped.config, str(shipped.place), follow=False)
    await shipped.apply(shipped.place)

"""Bundles of archived games are backed up and restored."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import data_folder
from ludarium.ops.archive.archiving import archive_games
from ludarium.ops.archive.bundles import BundleFiles
from ludarium.ops.backups import bundles
from ludarium.ops.backups.base import take_base
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.restoring import restore
from ludarium.ops.backups.vault import Vault
from ludarium_eventstore import EventStore, audit
from tests.backups.conftest import House
from tests.backups.test_moments import closing, playing
from tests.support.table_games import play, started


async def test_archived_games_come_back_with_their_bundles(house: House, folder: Path) -> None:
    files = BundleFiles(str(folder / "bundles"), make=True)
    async with playing(house.url) as tables, closing(house.url) as owner:
        table = await started(tables)
        await play(tables, table, Random(1))
        await started(tables)
        stored = await tables.store.read(table)
        await archive_games(owner, tables.store, files, datetime.now(UTC) + timedelta(days=1), lambda done, of: None)
        number = await bundles.ship(owner, house.vault, files, 0)
        for since in (0, number):               # nothing is copied a second time
            assert await bundles.ship(owner, house.vault, files, since) == number
        with pytest.raises(BackupError, match="LUDARIUM_ARCHIVE must name"):
            await bundles.ship(owner, Vault(str(folder / "other"), house.vault.keys, make=True), None, 0)
        await take_base(house.url, house.vault)
    account, back = choose_account(None), BundleFiles(str(folder / "new"), make=True)
    data = data_folder(folder / "back", account)
    found = await restore(house.vault, data, account, None, back)
    assert found.bundles.restored >= 1 and found.bundles.lost == 0 and await back.get(table) == await files.get(table)
    async with embedded(folder / "back") as servers, await EventStore.open(servers.database_url, bundles=back) as store:
        assert await store.read(table) == stored and await audit(store) == []

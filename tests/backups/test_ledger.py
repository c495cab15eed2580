"""The ledger repeats revocations after a restore from foreign PostgreSQL backups."""
from __future__ import annotations

from pathlib import Path

import asyncpg
import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.commands.ledger import apply_to_restored, ship_ledger
from ludarium.ops.backups.applying import read_ledger
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.vault import Vault
from ludarium.platform import ids
from ludarium.platform.config import Config, ConfigError, read_config
from ludarium.platform.database import ACCOUNTS, database
from ludarium.platform.problems import Problem
from ludarium.platform.schema_check import migrated
from tests.backups.conftest import House
from tests.backups.test_moments import BAN, query
from tests.support.entropy import ENTROPY


@pytest.fixture
async def elsewhere(house: House) -> str:
    """Return another database without a backup, as if it were on another server."""
    return await another(house.url, "elsewhere", "template0")


async def another(url: str, name: str, template: str) -> str:
    await query(url, f"drop database if exists {name}")
    await query(url, f"create database {name} template {template}")
    made = url.replace("/ludarium?", f"/{name}?")
    assert made != url
    await migrated(made)
    return made


def settings_of(url: str, house: House, **further: str) -> Config:
    keys = {"LUDARIUM_BACKUP_RECIPIENT": str(house.vault.keys.recipient), "LUDARIUM_BACKUP_KEY": str(house.vault.keys.identity)}
    return read_config({"LUDARIUM_DATABASE_URL": url, "LUDARIUM_REDIS_URL": "redis://nowhere", **keys, **further})


async def kept(url: str) -> int:
    return len(await query(url, "select from backups.ledger"))


async def revoked(url: str, player: str) -> None:
    await query(url, "update accounts.tokens set revoked_at = now() where player_id = $1", ids.decode(player))


async def test_what_was_revoked_since_is_revoked_again(
    elsewhere: str, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    place, config = house.vault.place, settings_of(elsewhere, house)
    async with database(elsewhere, ACCOUNTS) as people:
        early, late, banned = [await Accounts(people, ENTROPY).new_guest() for _ in range(3)]
    await revoked(elsewhere, early.player.id)
    assert await kept(elsewhere) == 0                       # nothing would ever remove it
    await ship_ledger(config, place, follow=False)
    before = await another(house.url, "before", "elsewhere")
    await revoked(elsewhere, late.player.id)
    await query(elsewhere, BAN, ids.decode(banned.player.id))
    assert await kept(elsewhere) == 2
    await ship_ledger(config, place, follow=False)
    assert await kept(elsewhere) == 0 and len(read_ledger(house.vault, 0).entries) == 2
    await apply_to_restored(settings_of(before, house), place)
    assert "0 entries are in" in (told := capsys.readouterr().out) and "2 entries of the ledger done again" in told
    async with database(before, ACCOUNTS) as people:
        with pytest.raises(Problem, match="invalid-token"):
            await Accounts(people, ENTROPY).tokens.access(late.token)
    assert len(await query(before, "select from accounts.sanctions where kind = 'ban' and until > now()")) == 1
    assert len(await query(before, "select from backups.cuts where since is not null")) == 1


async def test_a_servers_own_ledger_goes_with_its_backup(house: House, folder: Path) -> None:
    own = read_config({"LUDARIUM_HOME": str(folder), "LUDARIUM_BACKUP_RECIPIENT": str(house.vault.keys.recipient)})
    for work in (ship_ledger(own, house.vault.place, follow=False), apply_to_restored(own, house.vault.place)):
        with pytest.raises(BackupError, match="`ludarium backup` and `ludarium restore` do this"):
            await work


async def test_the_service_may_not_read_what_was_revoked(elsewhere: str) -> None:
    connection = await asyncpg.connect(elsewhere)
    try:
        await connection.execute("set role ludarium_service")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.fetch("select from backups.ledger")
    finally:
        await connection.close()


async def test_without_a_key_nothing_is_sent_or_read(elsewhere: str, house: House) -> None:
    bare = read_config({"LUDARIUM_DATABASE_URL": elsewhere, "LUDARIUM_REDIS_URL": "redis://nowhere"})
    for work in (ship_ledger(bare, house.vault.place, follow=False), apply_to_restored(bare, house.vault.place)):
        with pytest.raises((BackupError, ConfigError), match="LUDARIUM_BACKUP_"):
            await work
    assert not Vault(house.vault.place, house.vault.keys, make=False).names("ledger")

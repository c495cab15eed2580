"""Tables with deleted or changed personal data are rewritten before a backup."""
from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeAlias

import asyncpg
import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.ops.backups.rewriting import PERSONAL_TABLES, rewrite_tables
from ludarium.platform import ids
from ludarium.platform.database import ACCOUNTS, Database, database
from tests.support.entropy import ENTROPY

Owner: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
SAY = """
    insert into chat.messages (id, table_id, room, number, player, text)
    values (gen_random_uuid(), gen_random_uuid(), 'seats', 1, 'x', 'a most peculiar gambit')"""


@pytest.fixture
async def owner(database_url: str) -> AsyncIterator[Owner]:
    """Yield the owner's connection in the state right after a backup."""
    connection = await asyncpg.connect(database_url)
    try:
        assert {*await rewrite_tables(connection)} == await of_people(connection)
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def people(database_url: str) -> AsyncIterator[Database]:
    """Yield the service's connection, which has fewer rights than the owner's."""
    async with database(database_url, ACCOUNTS) as base:
        yield base


async def of_people(owner: Owner) -> set[str]:
    return {row["name"] for row in await owner.fetch(PERSONAL_TABLES)}


async def test_only_tables_in_which_something_was_deleted_are_written_anew(owner: Owner, people: Database) -> None:
    guest = await Accounts(people, ENTROPY).new_guest("Ottoline")
    await people.rows(SAY)
    assert await rewrite_tables(owner) == []                        # new messages need no rewrite
    await people.rows("update chat.messages set gone = 'deleted', text = null")
    assert await rewrite_tables(owner) == ["chat.messages"]
    await people.rows("update accounts.players set hides_history = true")
    assert await rewrite_tables(owner) == []
    await people.rows("update accounts.players set name = 'Ada'")
    assert await rewrite_tables(owner) == ["accounts.players"]
    await people.rows("delete from accounts.players where id = $1", ids.decode(guest.player.id))
    assert {*await rewrite_tables(owner)} == await of_people(owner)  # including tables that they only tried to write to
    assert await rewrite_tables(owner) == []


async def test_what_somebody_elses_transaction_still_sees_is_written_anew_again(
    owner: Owner, people: Database, database_url: str
) -> None:
    await Accounts(people, ENTROPY).new_guest("Ottoline")
    reader = await asyncpg.connect(database_url)
    try:
        async with reader.transaction(isolation="repeatable_read"):
            await reader.fetch("select from accounts.keys")     # starts its snapshot
            await people.rows("update accounts.players set name = 'Ada'")
            assert await rewrite_tables(owner) == ["accounts.players"]
        assert await rewrite_tables(owner) == ["accounts.players"]
        assert await rewrite_tables(owner) == []
    finally:
        await reader.close()


async def test_every_column_with_words_of_people_is_marked(owner: Owner) -> None:
    unmarked = await owner.fetch(
        """select attrelid::regclass::text, attname from pg_attribute a join pg_class c on c.oid = attrelid and relkind = 'r'
           where attnum > 0 and attstattarget = 0 and not exists (
             select from pg_trigger t where t.tgrelid = a.attrelid and t.tgname = 'touched' and a.attnum = any (t.tgattr))"""
    )
    assert unmarked == []

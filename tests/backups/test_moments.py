"""After a restore to a moment, the data are as they were, and losses are reported."""
from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random
from uuid import UUID

import asyncpg
import pytest

from ludarium.accounts import profiles
from ludarium.accounts.accounts import Accounts
from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import data_folder
from ludarium.ops.backups.base import Base, take_base
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.following import Follower
from ludarium.ops.backups.marks import current_log_end
from ludarium.ops.backups.restoring import restore, run_drill
from ludarium.ops.lost_events import LostEvents
from ludarium.platform import ids
from ludarium.platform.database import ACCOUNTS, Database, database
from ludarium.platform.problems import Problem
from ludarium.privacy.deletion import Deletions
from ludarium.projections import turns
from ludarium.tables.chat import Chat
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES, decode
from ludarium.tables.model.events import LogCut
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, audit
from tests import traces
from tests.backups.conftest import House
from tests.support.entropy import ENTROPY, uuid4
from tests.support.table_games import Silent, play, started
from tests.support.waiting import eventually

BAN = "insert into accounts.sanctions (player_id, kind, until, reason) values ($1, 'ban', now() + interval '1 day', 'x')"
LOG = "select stream_id, version, hash from es.events order by position"


@asynccontextmanager
async def playing(url: str) -> AsyncIterator[Tables]:
    async with await EventStore.open(url) as store:
        await store.name_types({**NAMES, **DEAL_NAMES})
        yield Tables(store, Silent(), ENTROPY)


@asynccontextmanager
async def followed(house: House, folder: Path) -> AsyncIterator[Follower]:
    follower = Follower(lambda: house.url, house.vault, folder / "spool", keep=2)
    async with follower.receiving():
        await follower.run_once()
        yield follower


@asynccontextmanager
async def closing(url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(url)
    yield connection
    await connection.close()


async def query(url: str, statement: str, *args: object) -> list[asyncpg.Record]:
    connection = await asyncpg.connect(url)
    try:
        return await connection.fetch(statement, *args)
    finally:
        await connection.close()


async def rows(url: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in await query(url, LOG)]


async def received(follower: Follower, url: str) -> None:
    """Wait until the spool, the vault and the mark have everything that is committed.

    One run may not be enough, because PostgreSQL also writes records by itself and a mark contains only data already
    received.
    """
    async with closing(url) as connection:
        at = (await current_log_end(connection)).lsn
    there = f"select flush_lsn - '0/0' >= {at} as there from pg_stat_replication where application_name = 'pg_receivewal'"

    async def is_there() -> bool:
        return any(row["there"] for row in await query(url, there))

    async def is_marked() -> bool:
        await follower.run_once()
        return follower.marked_end is not None and follower.marked_end.lsn >= at

    await eventually(is_there)
    await eventually(is_marked)


async def after(moment: datetime) -> None:
    await eventually(lambda: datetime.now(UTC) > moment)


async def test_a_moment_comes_back_with_what_was_revoked_since(house: House, folder: Path) -> None:
    async with database(house.url, ACCOUNTS) as people, playing(house.url) as tables, followed(house, folder) as follower:
        guest, gone, banned = [await Accounts(people, ENTROPY).new_guest() for _ in range(3)]
        cut, whole = await started(tables), await started(tables)
        await play(tables, cut, Random(1), 3)
        await after(moment := datetime.now(UTC))
        then = await rows(house.url)
        await play(tables, cut, Random(2), 3)
        never = await started(tables)
        await query(house.url, "update accounts.tokens set revoked_at = now()")
        await query(house.url, "delete from accounts.players where id = $1", ids.decode(gone.player.id))
        await query(house.url, BAN, ids.decode(banned.player.id))
        lost = (await rows(house.url))[len(then) :]
        await received(follower, house.url)
    account = choose_account(None)
    found = await restore(house.vault, data_folder(folder / "back", account), account, moment)
    again = 7                                   # three tokens, a player with a code (the token counts twice), and a ban
    assert (found.head.position, found.lost_tables, found.reapplied) == (len(then), 2, again)
    async with embedded(folder / "back") as servers:
        assert await rows(servers.database_url) == then
        await all_told(servers.database_url, cut, never, [row for row in lost if row[0] == cut])
        async with database(servers.database_url, ACCOUNTS) as people:
            with pytest.raises(Problem, match="invalid-token"):
                await Accounts(people, ENTROPY).tokens.access(guest.token)
            assert [*await Accounts(people, ENTROPY).named([guest.player.id, gone.player.id])] == [guest.player.id]
        bans = await query(servers.database_url, "select player_id, kind from accounts.sanctions where until > now()")
        assert [tuple(ban) for ban in bans] == [(ids.decode(banned.player.id), "ban")]
        assert len(await query(servers.database_url, "select from es.events where stream_id = $1 and type = 128", whole)) == 0


async def test_who_is_deleted_is_in_no_backup_made_afterwards_and_is_deleted_again_by_going_back_to_one_before(
    house: House, folder: Path
) -> None:
    """The restore deletes the player again as far as it can.

    The service does the rest.
    """
    words = ("Ottoline Quimby", "a most peculiar gambit")
    async with database(house.url, ACCOUNTS) as people, playing(house.url) as tables, followed(house, folder) as follower:
        gone, chat = (await Accounts(people, ENTROPY).new_guest(words[0])).player.id, Chat(people)
        await chat.say(uuid4(), "seats", gone, uuid4(), None, words[1])
        await after(moment := datetime.now(UTC))
        assert all((await traces.in_database(house.url, words)).values())
        await deletions(people, tables).delete(gone)
        await take_base(house.url, house.vault)
        await received(follower, house.url)
    account = choose_account(None)
    for name, to in (("newest", None), ("before", moment)):
        await restore(house.vault, data_folder(folder / name, account), account, to)
        async with embedded(folder / name) as servers, database(servers.database_url, ACCOUNTS) as people, \
                playing(servers.database_url) as tables:
            assert await deletions(people, tables).process_due()
            assert await traces.in_database(servers.database_url, words) == {word: set() for word in words}
            assert (await profiles.profile(people, gone)).deleted


async def test_no_byte_of_who_is_deleted_is_in_a_backup_made_afterwards(house: House) -> None:
    """This holds for pages with dead rows, for indexes, and for the backup's log."""
    words = ("Ottoline Quimby", "ottoline@quimby.example", "a most peculiar gambit", "rude to me once")
    async with database(house.url, ACCOUNTS) as people, playing(house.url) as tables:
        gone = (await Accounts(people, ENTROPY).new_guest(words[0])).player.id
        await people.rows("insert into accounts.mails (player_id, address) values ($1, $2)", ids.decode(gone), words[1])
        await Chat(people).say(uuid4(), "seats", gone, uuid4(), None, words[2])
        await people.rows(
            "insert into accounts.reports (id, reporter_id, player_id, reason, text) values ($1, $2, $2, 'insult', $3)",
            uuid4(), ids.decode(gone), words[3],
        )  # fmt: skip
        assert in_files(house, await take_base(house.url, house.vault), words) == {*words}
        await deletions(people, tables).delete(gone)
        assert not in_files(house, await take_base(house.url, house.vault), words)


def in_files(house: House, base: Base, words: tuple[str, ...]) -> set[str]:
    """Return those of the given words that occur in the copied PostgreSQL data files."""
    packed = BytesIO()
    house.vault.read_into(base.archive, packed)
    files = gzip.decompress(packed.getvalue())
    return {word for word in words if word.encode() in files}


def deletions(people: Database, tables: Tables) -> Deletions:
    async def unfinished(player: str) -> list[UUID]:
        return await turns.unfinished(people, player)

    return Deletions(people, tables, Accounts(people, ENTROPY).tokens, unfinished)


async def all_told(url: str, cut: UUID, never: UUID, lost: list[tuple[object, ...]]) -> None:
    """Check that a table that lost events has a note about the loss.

    A table that was lost as a whole has no note.
    """
    async with database(url, ACCOUNTS) as people, playing(url) as tables:
        for _ in range(2):                                      # a second run changes nothing
            await LostEvents(people, tables).run_once()
        notes = [row for row in await tables.store.read(cut) if row.type == 128]
        assert not await audit(tables.store) and await tables.view(cut, None, None)
        assert [decode(note.type, note.schema, note.data) for note in notes] == [LogCut(lost[0][1] - 1, lost[-1][2][:8])]  # type: ignore[operator, index]
        assert await tables.store.head(never) is None
    cuts = await query(url, "select stream_id, noted from backups.cuts order by stream_id nulls last")
    assert sorted(row["stream_id"] for row in cuts[:-1]) == sorted([cut, never]) and cuts[-1]["stream_id"] is None
    assert all(row["noted"] for row in cuts[:-1])


async def test_a_drill_leaves_nothing_but_its_time(house: House, folder: Path) -> None:
    async with playing(house.url) as tables, followed(house, folder) as follower:
        before = len(await rows(house.url))
        await received(follower, house.url)
        await started(tables)
        newer = len(await rows(house.url)) - before
        tried = await run_drill(house.vault, house.url, folder / "drill", choose_account(None))
    assert (tried.rows, tried.missing_rows) == (before, newer) and not (folder / "drill").exists()
    assert {row["kind"] for row in await query(house.url, "select kind from backups.done")} == {"base", "log", "restore"}
    await query(house.url, "update es.events set hash = sha256('') where position = $1", before + newer)
    with pytest.raises(BackupError, match="another log"):
        await run_drill(house.vault, house.url, folder / "drill", choose_account(None))


async def test_a_process_that_misses_rows_says_so_at_the_table(house: House) -> None:
    async with database(house.url, ACCOUNTS) as people, playing(house.url) as tables:
        table, cuts = await started(tables), LostEvents(people, tables)
        tables.cache.on_lost.append(cuts.record)
        await play(tables, table, Random(1), 2)
        known = await tables.cache.fresh(table)
        await query(house.url, "delete from es.events where position > (select max(position) - 2 from es.events)")
        await tables.view(table, None, None)
        await cuts.run_once()
        newest = (await tables.store.read(table))[-1]
        assert decode(newest.type, newest.schema, newest.data) == LogCut(known.version - 2, known.hash[:8])

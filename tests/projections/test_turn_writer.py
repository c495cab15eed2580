"""Processes update the turns when they commit; the projection adds missing ones."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.platform.background import background
from ludarium.platform.database import Database
from ludarium.projections import turns
from ludarium.projections.rebuilding import rebuild
from ludarium.projections.registry import Projections, follow_projections
from ludarium.projections.turn_writer import TurnWriter
from ludarium.tables.model import seating
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import TableCache
from ludarium_eventstore import EventStore, subscribers_pool
from ludarium_eventstore.reconnect import Pool
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up, dump
from tests.support.lost_rows import lose
from tests.support.table_games import RULESET, Silent, play, started

LONG = 3600.0


@asynccontextmanager
async def told(database_url: str, base: Database, tables: Tables) -> AsyncIterator[Projections]:
    """Yield projections of a process that updates turns but does not follow the log."""
    async with follow_projections(database_url, base, tables.cache, grace=LONG) as projections:
        tables.listeners.append(projections.follow)
        yield projections


async def test_the_process_that_commits_tells_and_a_follower_need_not_know_the_tables(
    store: EventStore, tables: Tables, base: Database, database_url: str
) -> None:
    async with told(database_url, base, tables) as projections:
        games = [await started(tables) for _ in range(3)]
        for game in games:
            await play(tables, game, Random(2), 5)
        await projections.turns.settled(20)
    before = await dump(base, "turns")
    assert len(before["heads"]) == 3 and len(before["parts"]) == 9
    hot = TableCache(store)
    async with follow_projections(database_url, base, hot, grace=0.0):
        await caught_up(base, "turns")
    assert (await dump(base, "turns"), len(hot.tables)) == (before, 0)


async def test_what_a_process_that_died_did_not_tell_is_told_by_who_follows_the_log(
    store: EventStore, tables: Tables, base: Database, database_url: str
) -> None:
    """A rebuild gives the same result."""
    async with told(database_url, base, tables) as projections:
        first = await started(tables)
        await projections.turns.settled(20)
    tables.listeners.clear()                    # as if the process died after each commit
    second = await started(tables)
    for table in (first, second):
        await play(tables, table, Random(2), 4)
    hot = TableCache(store)
    async with follow_projections(database_url, base, hot, grace=0.0):
        await caught_up(base, "turns")
    assert {*hot.tables} == {first, second}
    followed = await dump(base, "turns")
    await rebuild(database_url, "turns", TableCache(store), lambda done, total: None)
    assert await dump(base, "turns") == followed


async def test_who_comes_with_an_older_version_changes_nothing(
    store: EventStore, tables: Tables, base: Database, database_url: str
) -> None:
    """An older version does not bring back a player who has left, either."""
    table = await opened_by_two(tables)
    older = turns.turns_of(await tables.cache.load(table))
    await tables.change(table, "ben", lambda t: seating.leave(t, "ben", 1))
    newer = turns.turns_of(await tables.cache.load(table))
    async with subscribers_pool(database_url, 4) as pool:
        await asyncio.gather(*(put(pool, now) for now in (older, newer) * 8))
        await put(pool, older)
    rows = await base.rows("select p.player, h.seq from turns.parts p join turns.heads h using (id)")
    assert [(row["player"], row["seq"]) for row in rows] == [("ada", newer.seq)]


async def put(pool: Pool, now: turns.TableTurns) -> None:
    async with pool.acquire() as connection, connection.transaction():
        await connection.execute("set local search_path to turns")
        await turns.write_turns(connection, [now])


async def told_rows(base: Database) -> list[tuple[int, bytes, str | None]]:
    rows = await base.rows("select h.seq, h.hash, p.player from turns.heads h join turns.parts p using (id) order by p.part")
    return [(row["seq"], row["hash"], row["player"]) for row in rows]


@pytest.mark.parametrize("known", [False, True], ids=["told late", "told before it was lost"])
async def test_a_lost_row_makes_way_for_the_one_that_takes_its_place(
    store: EventStore, tables: Tables, base: Database, database_url: str, known: bool
) -> None:
    """This holds in any order of writers, whether or not they have noticed the loss."""
    table, others = await opened_by_two(tables), Tables(store, Silent(), ENTROPY)
    lost = turns.turns_of(await tables.cache.load(table))
    async with subscribers_pool(database_url, 2) as pool:
        if known:
            await put(pool, lost)
        await lose(database_url)
        await others.sit(table, "cat", 1)
        stands = turns.turns_of(await others.cache.load(table))
        for now in (lost, stands, lost):
            await put(pool, now)
    assert stands.seq == lost.seq
    assert await told_rows(base) == [(stands.seq, stands.hash, player) for player in ("ada", "cat")]


async def test_who_follows_the_log_tells_of_a_row_in_the_place_of_a_lost_one(
    store: EventStore, tables: Tables, base: Database, database_url: str
) -> None:
    table, others = await opened_by_two(tables), Tables(store, Silent(), ENTROPY)
    lost = turns.turns_of(await tables.cache.load(table))
    async with subscribers_pool(database_url, 2) as pool:
        await put(pool, lost)
        await lose(database_url)
        await others.sit(table, "cat", 1)
        async with follow_projections(database_url, base, TableCache(store), grace=0.0):
            await caught_up(base, "turns")
            stands = (await others.cache.load(table)).hash
            assert await told_rows(base) == [(lost.seq, stands, player) for player in ("ada", "cat")]
            await put(pool, lost)
    assert await told_rows(base) == [(lost.seq, stands, player) for player in ("ada", "cat")]


async def opened_by_two(tables: Tables) -> UUID:
    table = ids.decode((await tables.create("ada", NewTable(RULESET, 2))).id)
    await tables.sit(table, "ada", 0)
    await tables.sit(table, "ben", 1)
    return table


async def test_telling_goes_on_after_a_rebuild_has_put_other_tables_in_place(
    store: EventStore, base: Database, database_url: str
) -> None:
    tables = Tables(store, Silent(), ENTROPY)
    async with subscribers_pool(database_url, 1) as pool, background((telling := TurnWriter(pool)).run()):
        for _ in range(3):
            table = await started(tables)
            telling.note(await tables.cache.load(table))
            await telling.settled(20)
            rows = await base.rows("select from turns.parts where id = $1", table)
            assert len(rows) == 3
            await rebuild(database_url, "turns", TableCache(store), lambda done, total: None)

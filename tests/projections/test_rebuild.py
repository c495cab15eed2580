"""A projection can be rebuilt during games, during reads, and after a crash."""
from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from random import Random

import asyncpg
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections import records
from ludarium.projections.lobby import TableQuery
from ludarium.projections.rebuilding import AlreadyRebuilding, owners_pool, rebuild, rebuild_lock
from ludarium.projections.registry import PROJECTION_KINDS, Projections, follow_projections
from ludarium.tables.model import endings, seating
from ludarium.tables.model.hash_chain import commitment
from ludarium.tables.model.opening import Place, own_deal
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import TableCache
from ludarium.tournaments.events import Drafted, Entered, Published, Result, Ruled, Sanctioned, StatusSet, TournamentOpened
from ludarium.tournaments.plan import PlanBody, StageBody, TablesBody, checked_plan
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.time_events import Featured
from ludarium_eventstore import EventStore
from ludarium_pairing.model import VERSION
from tests.clock import now
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up, dump
from tests.support.table_games import PLAYERS, RULESET, play, started
from tests.support.waiting import eventually

Dumps = dict[str, dict[str, list[str]]]


async def games(tables: Tables, count: int, seed: int) -> None:
    """Play finished and unfinished games, some of them rated, and open a deal.

    Each game has two to four players.
    """
    await tables.deals.open("host", 1, now() + timedelta(hours=1))
    for nth in range(seed, seed + count):
        await play(tables, await started(tables, 2 + nth % 3, rated=nth % 2 == 1), Random(nth), 20 if nth % 4 == 0 else 1000)


async def a_board(tables: Tables) -> None:
    """Play a game of a tournament to its end."""
    table = ids.new_id(ENTROPY)
    await tables.arrange(table, PLAYERS[0], NewTable(RULESET, 2), [], own_deal(ENTROPY), Place(bytes(16), 1, 1, 1))
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    await play(tables, table, Random(6))


async def a_voided_game(tables: Tables) -> None:
    """Play a rated game that an administrator then removes from the ratings."""
    table = await started(tables, 2, rated=True)
    await play(tables, table, Random(7))
    await tables.decide_and_append(table, lambda table_state: endings.void_rating(table_state, None))


async def dumps(base: Database) -> Dumps:
    await caught_up(base)
    return {name: await dump(base, name) for name in PROJECTION_KINDS}


async def rebuild_all(dsn: str, store: EventStore) -> None:
    for name in PROJECTION_KINDS:
        await rebuild(dsn, name, TableCache(store), lambda done, total: None)


@asynccontextmanager
async def read_all_the_time(projections: Projections) -> AsyncIterator[list[int]]:
    """Read all lists in turn, and count the reads in the list that is yielded.

    Leaving the context fails if a list failed or lost a finished game.
    """
    answers = [0]

    async def read() -> None:
        most = 0
        while True:
            await projections.tables(TableQuery(), None, 50)
            await projections.own_tables("ada", None, None, None, 50)
            found = (await projections.records(records.RecordQuery(), None, 100)).games
            counted = sum(row.games for row in (await projections.statistics(RULESET)).by_seats)
            assert min(len(found), counted) >= most
            most, answers[0] = min(len(found), counted), answers[0] + 1

    task = asyncio.create_task(read())
    yield answers
    assert not task.done(), task.exception()
    task.cancel()


async def a_tournament(store: EventStore) -> None:
    """Open a tournament with an entry and with a result that was ruled on."""
    tournaments, stream, key = TournamentStore(store, now, ENTROPY), ids.new_id(ENTROPY), bytes(32)
    tables, stage = TablesBody(RULESET), StageBody("swiss", rounds=1)
    plan = msgspec.to_builtins(checked_plan(PlanBody(tables, (stage,))))
    await tournaments.open(stream, TournamentOpened(commitment(key), "host", plan, bytes(16), VERSION), key)
    await tournaments.change(stream, lambda state: [StatusSet("host", "open"), Entered(1, "ada", 1, 0, 0, None)])
    await tournaments.change(stream, lambda state: [
        Drafted("host", 1, 1, bytes(32), [bytes(32)]), Published("host", 1, 1, bytes(32), [[1]], [], [stream.bytes], 0, [], []),
        Featured("host", 1, 1, 1, True), Result(1, 1, 1, "finished", [1], [], [], bytes(32)),
        Sanctioned("admin", ["host"]), Ruled("host", 1, 1, 1, "upheld", [], bytes(16)),
    ])  # fmt: skip


async def test_what_is_rebuilt_is_what_was_there(
    tables: Tables, store: EventStore, base: Database, projections: Projections, database_url: str
) -> None:
    await games(tables, 5, 1)
    await a_board(tables)
    await a_voided_game(tables)
    await a_tournament(store)
    live = await dumps(base)
    empty = [f"{name}.{table}" for name, tables_of in live.items() for table, rows in tables_of.items() if not rows]
    assert empty in ([], ["heads.hours"]), "of the hour that goes on nothing is told yet"
    await rebuild_all(database_url, store)
    assert await dumps(base) == live
    assert projections.stopped() == {}


async def test_while_games_are_played_and_lists_are_read(
    tables: Tables, store: EventStore, base: Database, projections: Projections, database_url: str
) -> None:
    await games(tables, 2, 1)
    load = asyncio.gather(*(games(tables, 3, seed) for seed in (10, 20)))
    async with read_all_the_time(projections) as answers:
        before, rounds = answers[0], 0
        while not load.done() or rounds < 2:
            await rebuild_all(database_url, store)
            rounds += 1
        assert answers[0] > before
    await load
    live = await dumps(base)
    await rebuild_all(database_url, store)
    assert await dumps(base) == live
    assert projections.stopped() == {}


class Died(Exception):
    """An error for a simulated death of the process, after which nothing is cleaned."""


def dies_at(position: int) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        if done >= position:
            raise Died

    return tell


@pytest.mark.parametrize("name", ["records", "turns"])
async def test_a_rebuild_that_died_has_changed_nothing_and_is_begun_again(
    tables: Tables, store: EventStore, base: Database, projections: Projections, database_url: str, name: str
) -> None:
    await games(tables, 3, 1)
    live = await dumps(base)
    with pytest.raises(Died):
        await rebuild(database_url, name, TableCache(store), dies_at(1))
    assert await dump(base, f"{name}_rebuilt") != {}
    assert await dumps(base) == live
    await rebuild(database_url, name, TableCache(store), lambda done, total: None)
    assert await dumps(base) == live
    assert await dump(base, f"{name}_rebuilt") == {}
    left = await base.rows("select name from es.checkpoints order by 1")
    assert [row["name"] for row in left] == sorted(PROJECTION_KINDS)


async def test_behind_somebody_who_reads_for_long_it_is_in_nobodys_way(
    tables: Tables, store: EventStore, base: Database, projections: Projections, database_url: str,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("ludarium.projections.rebuilding.LOCK_TIMEOUT", "50ms")
    monkeypatch.setattr("ludarium_eventstore.migrations.PAUSE", 0.1)
    await games(tables, 1, 1)
    live = await dumps(base)
    reader = await asyncpg.connect(database_url)
    async with reader.transaction():
        await reader.execute("select from lobby.tables")
        rebuilding = asyncio.create_task(rebuild(database_url, "lobby", TableCache(store), lambda done, total: None))
        await eventually(lambda: "the rebuilt lobby waits for a lock" in caplog.messages)
        for _ in range(5):
            assert (await projections.tables(TableQuery(), None, 50)).tables
        assert not rebuilding.done()
    await reader.close()
    await rebuilding
    assert await dumps(base) == live


async def test_one_at_a_time(store: EventStore, database_url: str) -> None:
    async with owners_pool(database_url) as pool, rebuild_lock(pool, "lobby"):
        with pytest.raises(AlreadyRebuilding):
            await rebuild(database_url, "lobby", TableCache(store), lambda done, total: None)
        await rebuild(database_url, "records", TableCache(store), lambda done, total: None)


async def test_a_projection_that_lost_its_log_is_right_again_after_its_rebuild(
    tables: Tables, store: EventStore, base: Database, database_url: str
) -> None:
    await games(tables, 3, 1)
    await base.rows("insert into es.checkpoints (name, position, hash) values ('records', 1000000, sha256(''))")
    async with follow_projections(database_url, base, tables.cache) as projections:
        await caught_up(base, *(PROJECTION_KINDS.keys() - {"records"}))
        await eventually(lambda: projections.stopped() == {"records": 1_000_000})
        assert (await projections.records(records.RecordQuery(), None, 50)).games == []
    await rebuild(database_url, "records", TableCache(store), lambda done, total: None)
    async with follow_projections(database_url, base, tables.cache) as projections:
        await caught_up(base)
        assert (projections.stopped(), len((await projections.records(records.RecordQuery(), None, 50)).games)) == ({}, 3)


async def ludarium(dsn: str, *words: str) -> tuple[int | None, str, str]:
    """Run `ludarium`, and return its exit code, standard output and standard error."""
    environment = os.environ | {"LUDARIUM_DATABASE_URL": dsn, "LUDARIUM_REDIS_URL": "redis://127.0.0.1:1"}
    process = await asyncio.create_subprocess_exec(
        Path(sys.executable).with_name("ludarium"), *words, env=environment, stdout=PIPE, stderr=PIPE
    )
    said, errors = await process.communicate()
    return process.returncode, said.decode(), errors.decode()


async def test_the_command_makes_several_anew(tables: Tables, base: Database, database_url: str) -> None:
    await games(tables, 2, 1)
    code, said, _ = await ludarium(database_url, "rebuild", "lobby", "records")
    assert (code, said) == (0, "lobby is rebuilt.\nrecords is rebuilt.\n")
    rows = await base.rows("select name, position from es.checkpoints order by 1")
    assert [row["name"] for row in rows] == ["lobby", "records"] and rows[0]["position"] == rows[1]["position"] > 0
    code, said, errors = await ludarium(database_url, "rebuild", "gossip")
    assert (code, said) == (2, "") and "no projection gossip" in errors

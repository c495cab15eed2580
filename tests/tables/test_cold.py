"""A table that is not in memory loads equally from the log and from a snapshot."""
from __future__ import annotations

import logging
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from ludarium.platform import ids
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.tables import snapshots
from ludarium.tables.model import decisions, seating
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import NewTable, PoliciesBody, Preference, SpectatorsBody, Undo
from ludarium.tables.service import Tables
from ludarium.tables.snapshots import revision
from ludarium_engine.kernel.contract import encode
from ludarium_eventstore import EventStore, StoreUnavailable
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, Silent, chosen, identity, play, started
from tests.tables.test_commands import beating


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 20)
    monkeypatch.setattr(snapshots, "WORTH", 5)


def known(table: TableState) -> dict[str, Any]:
    """Return the complete state of a table, by name."""
    named = ("version", "hash", "at", "seats", "rules", "since", "undoable", "ended", "lifecycle", "status")
    return {name: getattr(table, name) for name in named} | {"state": encode(table.state)}


async def whole(store: EventStore, table: UUID) -> dict[str, Any]:
    return known(fold(table, decoded_entries(await store.read(table))))


async def again(tables: Tables, table: UUID) -> dict[str, Any]:
    """Return the state of a table as a new process loads it."""
    await tables.close()
    return known(await Tables(tables.store, Silent(), ENTROPY).cache.load(table))


async def taken(tables: Tables, table: UUID) -> int | None:
    """Return the version of the table's snapshot, or None if there is none."""
    await tables.close()
    found = await tables.store.snapshot(table, revision((await tables.cache.load(table)).title))
    return found[0] if found else None


async def long(tables: Tables, luck: Random, commands: int = 50) -> UUID:
    """Return a table after this many commands, or fewer if the game ended earlier."""
    table = await started(tables, 4, version="ruthless")
    await play(tables, table, luck, most=commands)
    return table


async def meddle(tables: Tables, table: UUID, change: Any) -> None:
    """Replace the table's snapshot by a changed one."""
    version = await taken(tables, table)
    title = (await tables.cache.load(table)).title
    assert version is not None
    found = await tables.store.snapshot(table, revision(title))
    assert found is not None
    await tables.store.put_snapshot(table, version, revision(title), change(found[1]))


async def test_a_snapshot_and_what_follows_it_are_the_whole_log(tables: Tables) -> None:
    luck, over = Random(1), False
    table = await started(tables, 4, version="ruthless")
    while not over:
        over = (await play(tables, table, luck, most=7)).status == "over"
        assert await again(tables, table) == await whole(tables.store, table)
    assert await taken(tables, table) is not None


async def test_only_the_newest_is_kept(tables: Tables, store: EventStore) -> None:
    table = await long(tables, Random(2))
    head = await store.head(table)
    assert head is not None and head - 20 < (await taken(tables, table) or 0)
    rows = await store.fetch("select version from es.snapshots where stream_id = $1", table)
    assert len(rows) == 1


async def test_without_snapshots_nothing_changes(tables: Tables, store: EventStore) -> None:
    table = await long(tables, Random(3))
    with_it = await again(tables, table)
    await store.drop_snapshots()
    assert await again(tables, table) == with_it


async def test_what_is_folded_behind_a_snapshot_is_checked(tables: Tables, log_url: str) -> None:
    table = await long(tables, Random(4))
    version = await taken(tables, table)
    assert version is not None
    await tamper(log_url, table, version + 1)
    with pytest.raises(Problem) as caught:
        await again(tables, table)
    assert caught.value.code == "log-damaged" and caught.value.detail == f"version {version + 1}"


async def tamper(log_url: str, table: UUID, version: int) -> None:
    owner = await asyncpg.connect(log_url)
    await owner.execute(
        "update es.events set at = at + interval '1 ms' where stream_id = $1 and version = $2", table, version
    )
    await owner.close()


@pytest.mark.parametrize("what", ["a byte", "a whole one of another table"])
async def test_a_snapshot_that_the_log_does_not_bear_out_is_passed_over(
    tables: Tables, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    table, other = await long(tables, Random(5)), await long(tables, Random(6))
    found = await tables.store.snapshot(other, revision((await tables.cache.load(other)).title))
    assert found is not None
    await meddle(tables, table, lambda data: found[1] if what != "a byte" else data[:-1] + bytes([data[-1] ^ 1]))
    with caplog.at_level(logging.WARNING):
        assert await again(tables, table) == await whole(tables.store, table)
    assert "does not fit its log" in caplog.text


async def test_a_snapshot_of_other_rules_is_passed_over(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = await long(tables, Random(7))
    assert await taken(tables, stream) is not None
    table = await tables.cache.load(stream)
    monkeypatch.setattr(type(table.title), "version", property(lambda title: "99.cafebabe"))
    assert await taken(tables, stream) is None
    assert await again(tables, stream) == await whole(tables.store, stream)


@pytest.mark.parametrize("ago", [2, 0])
async def test_what_is_taken_back_behind_a_snapshot_is_taken_back(tables: Tables, ago: int) -> None:
    """The result does not depend on whether the snapshot precedes the undone command."""
    luck = Random(8)
    table, seat = await beating(tables, luck)
    mine = await tables.view(table, PLAYERS[seat], None)
    past = fold(table, decoded_entries(await tables.store.read(table)), upto=mine.seq - ago)
    tables.cache.snapshots.save(past)
    assert await taken(tables, table) == mine.seq - ago
    assert await again(tables, table) == await whole(tables.store, table)
    await tables.command(table, PLAYERS[seat], Undo(mine.seq), identity())
    assert await again(tables, table) == known(await tables.cache.load(table)) == await whole(tables.store, table)
    await play(tables, table, luck, most=3)
    assert await again(tables, table) == await whole(tables.store, table)


async def test_a_snapshot_keeps_the_spectators_delay(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 2)
    body = await tables.create(PLAYERS[0], NewTable("game-of-kingdoms", 2, policies=PoliciesBody(SpectatorsBody("delayed", 3))))
    table = ids.decode(body.id)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    tables.cache.snapshots.save(await tables.cache.load(table))
    found = await again(tables, table)
    assert found["lifecycle"].policies.spectators.events == 3 and found == await whole(tables.store, table)


# --- the limit of tables in memory ----------------------------------------------------------------------------------
async def test_memory_holds_so_many_tables_and_none_is_lost(store: EventStore) -> None:
    tables, luck = Tables(store, Silent(), ENTROPY, most_cached=3), Random(9)
    made = [await started(tables, 2) for _ in range(8)]
    for _ in range(5):
        for table in luck.sample(made, 8):
            await play(tables, table, luck, most=3)
            assert len(tables.cache.tables) <= 3
    for table in made:
        assert known(await tables.cache.load(table)) == await whole(store, table)
    await tables.close()


async def test_a_table_that_is_forgotten_leaves_a_snapshot(store: EventStore) -> None:
    tables = Tables(store, Silent(), ENTROPY, most_cached=1)
    table = await long(tables, Random(10), commands=10)
    await started(tables)
    head = await store.head(table)
    assert await taken(tables, table) == head


# --- refused appends ------------------------------------------------------------------------------------------------
async def test_a_refused_append_leaves_memory_as_it_was(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table, luck = await started(tables, 4, version="ruthless"), Random(11)
    await play(tables, table, luck, most=9)
    view = await tables.view(table, None, None)
    assert view.view is not None
    seat = view.view.asked[0]
    command, key = await chosen(tables, table, seat, luck), identity()
    before = known(await tables.cache.load(table))

    async def refused(own: Identity) -> str:
        with pytest.raises((Problem, StoreUnavailable)) as caught:
            await tables.command(table, PLAYERS[seat], command, own)
        assert known(await tables.cache.load(table)) == before
        return getattr(caught.value, "code", "unavailable")

    with monkeypatch.context() as full:
        full.setattr("ludarium_eventstore.appender.MAX_WAITING", 0)
        assert await refused(key) == "unavailable"
    await tables.change(table, PLAYERS[seat], lambda t: decisions.prefer(t, PLAYERS[seat], Preference(seat, "wave", True)), key)
    before = known(await tables.cache.load(table))
    assert await refused(Identity(key.key, b"another request")) == "key-reused"
    assert (await tables.command(table, PLAYERS[seat], command, identity())).seq == before["version"] + 1

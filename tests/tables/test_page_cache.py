"""Cached pages of encoded events equal the log, in whatever order they are read."""
from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables import page_cache
from ludarium.tables.model import seating
from ludarium.tables.page_cache import PageCache
from ludarium.tables.schemas import NewTable, PoliciesBody, SpectatorsBody, Undo
from ludarium.tables.service import Tables
from tests.support.table_games import PLAYERS, answer, play, started
from tests.tables.test_commands import beating

SPECTATOR = -1
json = msgspec.json.Encoder().encode


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "PAGE", 7)


async def told(tables: Tables, table: UUID, audience: int, after: int) -> list[bytes]:
    return [*map(json, await tables.queries.events(table, audience, after))]


async def all_read(read: PageCache, table: UUID, audience: int, after: int) -> list[bytes]:
    found: list[bytes] = []
    while page := (await read.read(table, audience, after + len(found))).events:
        found += page
    return found


async def test_from_wherever_one_reads_it_is_what_the_log_tells(tables: Tables) -> None:
    table, luck, read = await started(tables, 3, version="ruthless"), Random(5), PageCache(tables)
    for _ in range(6):
        version = (await play(tables, table, luck, most=5)).seq
        for audience in (SPECTATOR, 0, 2):
            for after in range(-1, version + 1):
                assert await all_read(read, table, audience, after) == await told(tables, table, audience, after)


async def test_a_page_tells_behind_which_row_it_stands(tables: Tables) -> None:
    table, read = await started(tables), PageCache(tables)
    version = (await play(tables, table, Random(6), most=20)).seq
    heads = ["", *(event.head for event in await tables.queries.events(table, SPECTATOR, -1))]
    for after in range(-1, version + 1):
        page = await read.read(table, SPECTATOR, after)
        assert page.heads == heads[after + 1 :][: len(page.events) + 1]


async def test_a_page_is_long_unless_the_log_ends(tables: Tables) -> None:
    table, read = await started(tables), PageCache(tables)
    version = (await play(tables, table, Random(6), most=40)).seq
    for after in range(-1, version):
        assert len((await read.read(table, SPECTATOR, after)).events) >= min(7, version - after)


async def test_what_one_has_read_is_encoded_no_more(tables: Tables) -> None:
    table, read = await started(tables), PageCache(tables)
    await play(tables, table, Random(7), most=30)
    first, again, other = [(await read.read(table, *place)).events for place in ((SPECTATOR, 0), (SPECTATOR, 2), (0, 0))]
    assert all(one is same for one, same in zip(first[2:6], again, strict=False))
    assert all(one is not theirs for one, theirs in zip(first, other, strict=False))


async def test_the_least_recently_read_page_goes_when_they_grow_too_many(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(tables)
    await play(tables, table, Random(8), most=30)
    size = max([page_cache.size_of((await PageCache(tables).read(table, SPECTATOR, after)).events) for after in (-1, 6, 13)])
    monkeypatch.setattr(page_cache, "KEPT", 2 * size)
    read = PageCache(tables)
    first = (await read.read(table, SPECTATOR, -1)).events
    assert (await read.read(table, SPECTATOR, -1)).events[0] is first[0]
    await read.read(table, SPECTATOR, 6)
    await read.read(table, SPECTATOR, 13)
    again = (await read.read(table, SPECTATOR, -1)).events
    assert again == first and again[0] is not first[0]


async def test_what_was_taken_back_stays_told(tables: Tables) -> None:
    table, seat = await beating(tables, Random(12))
    read = PageCache(tables)
    before = await all_read(read, table, SPECTATOR, -1)
    await tables.command(table, PLAYERS[seat], Undo(len(before) - 1))
    after = await all_read(read, table, SPECTATOR, -1)
    assert after == await told(tables, table, SPECTATOR, -1)
    assert after[: len(before) - 1] == before[:-1]


async def test_spectators_of_a_delayed_table_read_no_further_than_they_may(tables: Tables) -> None:
    delayed = NewTable("game-of-kingdoms", 3, {"version": "ruthless"}, PoliciesBody(SpectatorsBody("delayed", 4)))
    table, read = ids.decode((await tables.create(PLAYERS[0], delayed)).id), PageCache(tables)
    for player in PLAYERS[:3]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    luck = Random(9)
    for _ in range(20):
        view = await tables.view(table, PLAYERS[0], None)
        assert view.view is not None
        await answer(tables, table, luck.choice(view.view.asked), luck)
        for audience in (0, SPECTATOR):
            assert await all_read(read, table, audience, -1) == await told(tables, table, audience, -1)
    assert len(await all_read(read, table, 0, -1)) == len(await all_read(read, table, SPECTATOR, -1)) + 4


async def test_beyond_the_log_there_is_nothing_to_read(tables: Tables) -> None:
    table = await started(tables)
    version = (await play(tables, table, Random(10), most=20)).seq
    read = PageCache(tables)
    await all_read(read, table, SPECTATOR, -1)
    for after in (version + 1, version + 100):
        with pytest.raises(Problem) as refused:
            await read.read(table, SPECTATOR, after)
        assert (refused.value.code, refused.value.seq) == ("future-sequence", version)

"""Spectators, seats and everybody afterwards verify the same chain; what was changed in a record is named."""
from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from engine.kernel import SPECTATOR
from services.records.record import Record, record_of
from services.records.verify import verify
from services.tables.tables import Tables
from tests.tables.games import play, started


async def record(tables: Tables, table: UUID, audience: int) -> Record:
    """As it goes over the wire."""
    made = record_of(await tables.hot.fresh(table), await tables.hot.rows(table), audience)
    return msgspec.json.decode(msgspec.json.encode(made), type=Record)


@pytest.mark.parametrize("version", ["standard", "ruthless"])
async def test_a_finished_game_is_checked_whole(tables: Tables, version: str) -> None:
    table = await started(tables, 4, version=version)
    await play(tables, table, Random(1))
    whole = await record(tables, table, SPECTATOR)
    report = verify(whole)
    assert report.findings == [] and whole.seed is not None
    assert report.rows == len(whole.rows) and report.rerun > 20 and report.draws >= 2


async def test_of_a_running_game_each_audience_verifies_the_same_chain(tables: Tables) -> None:
    table = await started(tables, 3, version="ruthless")
    await play(tables, table, Random(2), most=20)
    records = {audience: await record(tables, table, audience) for audience in (SPECTATOR, 0, 1, 2)}
    for audience, found in records.items():
        assert verify(found).findings == [] and found.seed is None
        assert found.viewer == (None if audience == SPECTATOR else audience)
    hashes = {tuple(row.hash for row in found.rows) for found in records.values()}
    assert len(hashes) == 1


async def test_a_running_games_record_holds_no_more_than_its_audience_may_see(tables: Tables) -> None:
    table = await started(tables, 3)
    history = await tables.hot.fresh(table)
    found = msgspec.json.encode(await record(tables, table, SPECTATOR))
    assert history.opened.seed.hex().encode() not in found
    assert msgspec.json.encode(history.opened.seed).strip(b'"') not in found
    seen = (await record(tables, table, SPECTATOR)).rows[-1]
    assert seen.whole is None and seen.own is None


async def test_what_a_seat_saw_is_bound_to_its_leaf(tables: Tables) -> None:
    table = await started(tables, 3)
    own = await record(tables, table, 1)
    last = own.rows[-1]
    assert last.own is not None
    forged = replace(last, own=replace(last.own, data=last.own.data[:-1] + bytes([last.own.data[-1] ^ 1])))
    (finding,) = verify(replace(own, rows=[*own.rows[:-1], forged])).findings
    assert finding.seq == len(own.rows) - 1 and "leaf" in finding.what


@pytest.mark.parametrize("audience", [SPECTATOR, 0])
async def test_a_changed_row_of_a_running_game_is_named(tables: Tables, audience: int) -> None:
    table = await started(tables, 2)
    await play(tables, table, Random(3), most=10)
    found = await record(tables, table, audience)
    for nth in range(len(found.rows)):
        forged = [*found.rows]
        forged[nth] = replace(forged[nth], at_us=forged[nth].at_us + 1)
        assert verify(replace(found, rows=forged)).findings[0].seq == nth


async def test_a_row_left_out_is_named(tables: Tables) -> None:
    table = await started(tables, 2)
    await play(tables, table, Random(4))
    whole = await record(tables, table, SPECTATOR)
    (finding,) = verify(replace(whole, rows=[*whole.rows[:7], *whole.rows[8:]])).findings
    assert finding.seq == 7


async def test_words_that_are_not_what_was_hashed_are_named(tables: Tables) -> None:
    table = await started(tables, 2)
    await play(tables, table, Random(5))
    whole = await record(tables, table, SPECTATOR)
    rows = [*whole.rows]
    rows[6] = replace(rows[6], event=rows[5].event)
    (finding,) = verify(replace(whole, rows=rows)).findings
    assert finding.seq == 6

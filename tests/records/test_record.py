"""All audiences verify the same chain, and changes of a record are named."""
from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from ludarium.records.reading import InvalidRecord, read_record
from ludarium.records.record import record_of
from ludarium.records.verify import TableReport, verify
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from tests.support.damage import damaged, fuzzed
from tests.support.pure_games import Game
from tests.support.table_games import play, started


async def record(tables: Tables, table: UUID, audience: int = SPECTATOR) -> bytes:
    """Return a record as it is sent to a client."""
    made = record_of(await tables.cache.fresh(table), await tables.cache.events(table), audience)
    return msgspec.json.encode(made)


async def finished(tables: Tables, seats: int = 2, **options: object) -> bytes:
    table = await started(tables, seats, **options)  # type: ignore[arg-type]
    await play(tables, table, Random(seats))
    return await record(tables, table)


def checked(data: bytes | dict[str, Any]) -> TableReport:
    return verify(read_record(data if isinstance(data, bytes) else msgspec.json.encode(data)))


@pytest.mark.parametrize("version", ["standard", "ruthless"])
async def test_a_finished_game_is_checked_whole(tables: Tables, version: str) -> None:
    whole = await finished(tables, 4, version=version)
    report = checked(whole)
    assert report.finding is None and report.made_under == []
    assert report.rows == report.roots == len(read_record(whole).rows)
    assert report.rerun > 20 and report.draws >= 2


async def test_of_a_running_game_each_audience_verifies_the_same_chain(tables: Tables) -> None:
    table = await started(tables, 3, version="ruthless")
    await play(tables, table, Random(2), most=20)
    chains = set()
    for audience in (SPECTATOR, 0, 1, 2):
        found = await record(tables, table, audience)
        assert checked(found).finding is None
        read = read_record(found)
        assert read.viewer == (None if audience == SPECTATOR else audience)
        chains.add(tuple(row.link for row in read.rows))
    assert len(chains) == 1


async def test_a_running_games_record_opens_no_more_than_its_viewers_leaves(tables: Tables) -> None:
    table = await started(tables, 3)
    table_state = await tables.cache.fresh(table)
    for audience in (SPECTATOR, 1):
        found = await record(tables, table, audience)
        for seed in table_state.secret.seeds:
            assert seed.hex().encode() not in found and msgspec.json.encode(seed).strip(b'"') not in found
        assert {leaf.leaf for row in read_record(found).rows for leaf in row.opened} == {audience + 2}


async def test_a_row_left_out_is_named(tables: Tables) -> None:
    whole = msgspec.json.decode(await finished(tables))
    del whole["rows"][7]
    finding = checked(whole).finding
    assert finding is not None and finding.seq == 7


@pytest.mark.parametrize("cut", [1, 2, 10])
async def test_a_whole_record_without_its_end_is_refused(tables: Tables, cut: int) -> None:
    whole = msgspec.json.decode(await finished(tables))
    whole["rows"] = whole["rows"][:-cut]
    finding = checked(whole).finding
    assert finding is not None and finding.seq == len(whole["rows"]) - 1 and "end" in finding.what


@pytest.mark.parametrize("audience", [SPECTATOR, 1])
async def test_words_that_are_not_what_was_hashed_are_named(tables: Tables, audience: int) -> None:
    table = await started(tables, 2)
    await play(tables, table, Random(5), most=12)
    seen = msgspec.json.decode(await record(tables, table, audience))
    seen["rows"][-1]["event"]["data"]["seat"] ^= 1
    finding = checked(seen).finding
    assert finding is not None and finding.seq == len(seen["rows"]) - 1


@pytest.mark.parametrize("head", [{"seed": "x"}, {"viewer": 0}, {"table": "0" * 26}, {"format": "ludarium-record/1"}])
async def test_a_changed_head_is_refused(tables: Tables, head: dict[str, Any]) -> None:
    whole = {**msgspec.json.decode(await finished(tables)), **head}
    with pytest.raises((InvalidRecord, AssertionError)):
        assert checked(whole).finding is None


def test_every_damage_is_found_and_named() -> None:
    """Whole records and a seat's record of a running game are damaged."""
    for source in (written(kingdoms().play()), written(kingdoms().play(15), 1)):
        assert checked(source).finding is None
        for what, changed in damaged(source, Random(7), 50):
            try:
                finding = checked(changed).finding
            except InvalidRecord:
                continue
            assert finding is not None and finding.what, what


def test_files_that_are_none_are_refused_without_a_traceback() -> None:
    whole, seats = written(kingdoms().play()), written(kingdoms().play(15), 1)
    for changed in (*fuzzed(whole, Random(8), 100), *fuzzed(seats, Random(9), 400)):
        try:
            checked(changed)
        except InvalidRecord as error:
            assert str(error)


def kingdoms() -> Game:
    return Game("damaged", "game-of-kingdoms", 2).start()


def written(game: Game, audience: int = SPECTATOR) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience))

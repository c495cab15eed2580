"""A table keeps the ruleset data with which it began, in every process."""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import UUID

import asyncpg
import pytest

from ludarium.ops.log_verification import table_report
from ludarium.platform import ids
from ludarium.tables.model import seating
from ludarium.tables.model.data import DataError, install
from ludarium.tables.model.events import RulesChanged
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_engine import registry
from ludarium_engine.kernel.contract import encode
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.table_games import RULESET, Silent, play, started


@pytest.fixture(autouse=True)
def as_shipped() -> Iterator[None]:
    yield
    registry.current.cache_clear()
    registry.known.cache_clear()


def with_hands_of_five(folder: Path) -> None:
    """Install data that make new games deal five cards to each hand."""
    facts = json.loads(titles()[RULESET].data)
    (folder / f"{RULESET}.json").write_text(json.dumps({**facts, "hand": 5}))
    install(folder)


def restarted(store: EventStore) -> Tables:
    """Return the tables of another process, which knows only the current data."""
    current = {**registry.current()}
    registry.known.cache_clear()
    registry.known().update({(title.id, title.data_hash): title for title in current.values()})
    return Tables(store, Silent(), ENTROPY)


async def hands(tables: Tables, table: UUID) -> list[int]:
    view = (await tables.view(table, None, None)).view
    assert view is not None
    return [len(hand) for hand in view.zones["hand"]]


async def test_new_games_start_with_the_file_and_running_ones_go_on(tables: Tables, tmp_path: Path) -> None:
    old, luck = await started(tables, 2), Random(5)
    with_hands_of_five(tmp_path)
    new = await started(tables, 2)
    assert (await hands(tables, old), await hands(tables, new)) == ([6, 6], [5, 5])
    for table in (old, new):
        assert (await play(tables, table, luck)).status == "over"
    first, second = [(await tables.cache.load(table)).rules for table in (old, new)]
    assert first != second == titles()[RULESET].version


async def test_the_data_of_a_running_game_outlive_the_process(tables: Tables, store: EventStore, tmp_path: Path) -> None:
    with_hands_of_five(tmp_path)
    stream, luck = await started(tables, 2), Random(6)
    await play(tables, stream, luck, most=6)
    before = encode((await tables.cache.load(stream)).playing)

    registry.current.cache_clear()                # the file is removed again
    there = restarted(store)
    table = await there.cache.load(stream)
    assert encode(table.playing) == before
    assert table.title is not titles()[RULESET] and json.loads(table.title.data)["hand"] == 5
    assert (await play(there, stream, luck)).status == "over"
    kinds = {type(entry.event).__name__ for entry in await there.cache.events(stream)}
    assert "RulesChanged" not in kinds
    restarted(store)
    assert (await table_report(store, await store.read(stream))).finding is None


async def test_a_process_learns_of_data_that_another_one_started_with(
    tables: Tables, store: EventStore, tmp_path: Path
) -> None:
    body = await tables.create("ada", NewTable(RULESET, 2))
    table = ids.decode(body.id)
    for player in ("ada", "ben"):
        await tables.sit(table, player, None)
    other = Tables(store, Silent(), ENTROPY)
    await other.cache.load(table)
    with_hands_of_five(tmp_path)
    await Tables(store, Silent(), ENTROPY).change(table, "ada", lambda t: seating.start(t, "ada"))
    registry.current.cache_clear()
    restarted(store)
    assert await hands(other, table) == [5, 5]


async def test_data_that_are_gone_give_way_to_those_of_new_games(
    tables: Tables, store: EventStore, log_url: str, tmp_path: Path
) -> None:
    with_hands_of_five(tmp_path)
    table, luck = await started(tables, 2), Random(7)
    registry.current.cache_clear()
    owner = await asyncpg.connect(log_url)
    await owner.execute("delete from es.documents")
    await owner.close()
    there = restarted(store)
    await play(there, table, luck, most=2)
    (changed,) = [entry.event for entry in await there.cache.events(table) if isinstance(entry.event, RulesChanged)]
    assert changed.data == titles()[RULESET].data_hash


@pytest.mark.parametrize("name, text, said", [
    ("chess.json", "{}", "there is no ruleset chess"),
    (f"{RULESET}.json", "{}", f"{RULESET}.json: the file: Object missing required field"),
    (f"{RULESET}.json", '{"name": {"en": 3}}', "/name/"),
])  # fmt: skip
def test_a_file_that_does_not_fit_stops_the_start(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DataError, match=said):
        install(tmp_path)


def test_a_folder_that_is_none_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is no folder"):
        install(tmp_path / "nowhere")

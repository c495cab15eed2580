"""Logs of earlier releases are loaded, folded, verified, shown and exported.

The suite uses a sample with all features, and `make prove ONLY=kept` uses all logs. `test_present_rules.py` folds all of
them and replays them under the current rules.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from ludarium.ops.log_verification import table_report
from ludarium.platform import ids
from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify
from ludarium.tables.model.events import TableOpened
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.model.opening import option_data
from ludarium.tables.service import Tables
from ludarium.tables.views import table_body
from ludarium_engine.kernel import Title
from ludarium_engine.registry import provide, titles
from ludarium_engine.titles.game_of_kingdoms.state import KingdomsOptions
from ludarium_eventstore import EventStore
from tests.records import stranger
from tests.support import pure_games
from tests.support.entropy import ENTROPY
from tests.support.kept_logs import begun, chosen, features, load, names, read, sample, stored
from tests.support.pure_games import Game
from tests.support.table_games import Silent


@pytest.fixture
async def house(module_database_url: str) -> AsyncIterator[Tables]:
    """Yield tables whose logs are all in one database, as on a real server."""
    async with await EventStore.open(module_database_url) as store:
        yield Tables(store, Silent(), ENTROPY)


@pytest.mark.parametrize("name", chosen())
async def test_a_kept_log_is_read_as_ever(house: Tables, name: str) -> None:
    tables, log = house, read(name)
    table = await load(tables.store, log)
    report = await table_report(tables.store, await tables.store.read(table))
    assert report.finding is None and report.rows == report.roots == len(log.rows)
    state = await tables.cache.fresh(table)
    assert state.newer is None and state.version == len(log.rows) - 1
    examined = state.audiences[len(log.rows) % len(state.audiences)]   # so that each audience is verified for some log
    verified = set[bytes]()                             # a finished game has the same record for all
    for audience in state.audiences:
        sat = None if audience < 0 else state.seats[audience]
        view = await tables.view(table, sat.player if sat else None, None)
        assert view.seq == state.version and view.table == ids.encode(table)
        exported = msgspec.json.encode(record_of(state, await tables.cache.events(table), audience))
        assert exported in verified or verify(read_record(exported)).finding is None
        verified.add(exported)
        if audience == examined:
            assert stranger.examine(exported)[0] == len(log.rows)


def test_the_sample_covers_what_all_logs_cover() -> None:
    covered = set().union(*(features(name) for name in sample()))
    assert {name: missed for name in names() if (missed := features(name) - covered)} == {}


def test_there_is_one_of_every_title_variant_and_number_of_seats() -> None:
    assert set(names()) >= begun().keys()


def test_a_table_from_before_an_option_says_what_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next revision adds an option, which new tables have and earlier tables lack."""
    def stored(options: KingdomsOptions) -> dict[str, Any]:
        return {name: value for name, value in option_data(options).items() if name != "pile_on_take"}

    with monkeypatch.context() as before:
        before.setattr(pure_games, "option_data", stored)
        game = Game("before an option", "game-of-kingdoms", 3).start()
    monkeypatch.setattr(KingdomsOptions, "earlier", {"pile_on_take": False})
    table = fold(game.stream, game.rows)
    assert "pile_on_take" not in table.opened.options
    assert table.options.pile_on_take is False and table_body(table).options["pile_on_take"] is False
    assert Game("after it", "game-of-kingdoms", 3).history.options.pile_on_take is True


def test_a_kept_game_of_an_earlier_revision_keeps_its_rules() -> None:
    """In this game, Book of the Heavens is optional.

    Statue of Bastet hits everybody.
    """
    log, now = read("valley-of-the-kings-base-2"), titles()["valley-of-the-kings"]
    [data] = [document for document in log.documents if b'"rulings"' in document]
    opened = decoded_entries(stored(log))[0].event
    assert isinstance(opened, TableOpened) and opened.options["bastet"] == "own_pile" != now.options().bastet
    then = provide(now.id, data)
    assert then.data_hash != now.data_hash
    assert [heavens(title)["steps"][1].get("may", False) for title in (then, now)] == [True, False]


def heavens(title: Title[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(row for row in msgspec.json.decode(title.data)["cards"] if row["id"] == "book_heavens")
    return found

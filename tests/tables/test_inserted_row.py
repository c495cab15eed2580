"""When a release inserts a row into a script, games past that row continue."""
from __future__ import annotations

from dataclasses import replace

import pytest

from ludarium.records.verify import verify_stream
from ludarium_engine import registry
from ludarium_engine.kernel.scripts import Script
from ludarium_engine.kernel.slots import Frame
from ludarium_engine.titles.game_of_kingdoms import rules
from ludarium_engine.titles.game_of_kingdoms.state import T
from ludarium_eventstore import EventStore
from tests.support.table_games import PLAYERS, RULESET, started
from tests.tables.release import Process


def look_around(t: T, f: Frame) -> None:
    """Do nothing, as the row that is inserted."""


async def test_a_running_game_goes_on_behind_an_inserted_row(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    older = Process(store)
    stream = await started(older.tables, 3)
    seed = 0
    while (await older.tables.cache.fresh(stream)).playing.agenda[-1].script != "bout":
        seed += 1
        await older.do("answer", stream, seed)
    before = (await older.tables.cache.fresh(stream)).playing.agenda
    seen = [await older.tables.view(stream, player, None) for player in PLAYERS[:3]]

    begin_release(monkeypatch)
    newer = Process(store)
    table = await newer.tables.cache.fresh(stream)
    assert [f.row for f in table.playing.agenda] == [f.row + (f.script == "bout") for f in before]
    assert [view.view for view in seen] == [(await newer.tables.view(stream, player, None)).view for player in PLAYERS[:3]]
    while (await newer.tables.queries.table(stream, None)).status != "over":
        seed += 1
        assert "done" in await newer.do("answer", stream, seed)
    assert verify_stream(stream, await store.read(stream)).finding is None


def begin_release(monkeypatch: pytest.MonkeyPatch) -> None:
    title = registry.titles()[RULESET]
    bout = Script("bout", look_around, *rules.bout.rows, picks=rules.bout.picks)
    newer = replace(title, revision=title.revision + 1, scripts={**title.scripts, "bout": bout})
    assert title.layout_document != newer.layout_document
    monkeypatch.setattr(rules, "bout", bout)
    monkeypatch.setitem(registry.current(), RULESET, newer)
    monkeypatch.setitem(registry.known(), (RULESET, title.data_hash), newer)

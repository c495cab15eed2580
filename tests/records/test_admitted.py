"""A game of deduction in the log, with private answers.

The log must verify without those answers, too.
"""
from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify
from ludarium.tables.model.events import Acted, GameStarted
from ludarium_engine import registry
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.facts import EVERYBODY, Admitted, AnyFact
from tests.engine.proof.guess import HOLDS, MEASURED, guessing
from tests.records import stranger
from tests.support.pure_games import Game


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    title = guessing()
    monkeypatch.setitem(registry.current(), title.id, title)
    monkeypatch.setitem(registry.known(), (title.id, title.data_hash), title)


def record(game: Game, audience: int = SPECTATOR) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience))


def admitted(facts: list[AnyFact]) -> list[Admitted]:
    return [fact for fact in facts if isinstance(fact, Admitted)]


def test_a_whole_record_holds_for_us_and_for_strangers() -> None:
    game = Game("admitted", "tiny", 3).start().play()
    rows = [entry.event for entry in game.rows if isinstance(entry.event, GameStarted | Acted)]
    assert {fact.what for row in rows for fact in admitted(row.facts)} == {HOLDS, MEASURED}
    assert verify(read_record(record(game))).finding is None
    assert stranger.examine(record(game))[0] == len(game.rows)


def test_only_those_who_hear_it_have_it_in_their_record() -> None:
    game = Game("admitted", "tiny", 3).start().play(9)
    said = [fact for entry in game.rows if isinstance(entry.event, Acted) for fact in admitted(entry.event.facts)]
    assert EVERYBODY in {fact.to for fact in said} and len({fact.to for fact in said}) > 1
    for audience in (SPECTATOR, 0, 1, 2):
        heard = [fact for fact in said if fact.to == EVERYBODY or audience in fact.to]
        assert [fact["answer"] for fact in words(game, audience)] == [fact.answer for fact in heard]


def words(game: Game, audience: int) -> list[dict[str, Any]]:
    events = [row["event"] for row in json.loads(record(game, audience))["rows"]]
    return [fact for event in events for fact in event["data"].get("facts", []) if fact["type"] == "admitted"]

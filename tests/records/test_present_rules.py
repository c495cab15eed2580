"""Stored games are replayed under the current rules, with the expected results."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ludarium.ops.log_verification import LogSource
from ludarium.ops.rules_check import TableResult, compare_all
from ludarium.records.present_rules import Comparison, compare
from ludarium.tables.model.events import Acted, GameStarted
from ludarium_engine.registry import titles
from ludarium_engine.titles.game_of_kingdoms.state import at
from ludarium_eventstore import EventStore
from tests.records.vectors import KINGDOMS, changed_rules, kingdoms, released
from tests.support.kept_logs import answer, answers, brief, load, names, read
from tests.support.pure_games import Game

TITLE = titles()[KINGDOMS]


@pytest.mark.parametrize("name", names())
async def test_a_kept_game_is_what_is_expected_of_it(name: str) -> None:
    assert await answer(name) == answers()[name], "if rules changed on purpose: python -m tests.support.kept_logs --answers"


def compared(game: Game) -> Comparison:
    return compare(game.stream, game.rows)


def test_the_same_rules_make_the_same_game_also_after_undo_and_new_rules() -> None:
    for game in (kingdoms("same").start().play(), kingdoms("undo").start().undo().play(), changed_rules()):
        found = compared(game)
        assert (found.verdict, found.rows) == ("same", len(game.rows))
        assert found.stored == found.now == game.history.playing.outcome


def test_a_running_game_and_one_that_was_never_begun() -> None:
    running = compared(kingdoms("running").start().play(9))
    assert (running.verdict, running.stored, running.now) == ("same", None, None)
    assert not compared(kingdoms("open")).begun


def test_what_the_rules_do_otherwise_is_named_by_its_row() -> None:
    game = kingdoms("other").start().play()
    started = next(entry.version for entry in game.rows if isinstance(entry.event, GameStarted))

    def turned(t: Any) -> None:
        TITLE.setup(t)
        t.pass_turn(1 - t.s.turn)

    def richer(t: Any) -> None:
        TITLE.setup(t)
        t.move_all(at.hand[0], at.hand[1])

    with released(replace(TITLE, revision=TITLE.revision + 1, setup=turned)):
        found = compared(game)
    assert (found.verdict, found.differs, found.stored) == ("differs", started, game.history.playing.outcome)
    with released(replace(TITLE, revision=TITLE.revision + 1, setup=richer)):
        found = compared(game)
    assert (found.verdict, found.differs, found.now) == ("refuses", started, None)
    assert isinstance(game.rows[found.refuses or 0].event, Acted)


async def test_all_tables_of_a_database_in_several_processes(database_url: str) -> None:
    told: list[TableResult] = []
    async with await EventStore.open(database_url) as store:
        tables = {await load(store, read(name)) for name in names()[:3]}
        await compare_all(LogSource(database_url), store, 2, told.append, lambda done, total: None)
    assert {stream for stream, _ in told} == tables
    assert sorted(brief(found) for _, found in told if not isinstance(found, str)) == sorted(
        answers()[name] for name in names()[:3]
    )

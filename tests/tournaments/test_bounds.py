"""Limits of tournaments on sizes and times, tested on both sides of each limit."""
from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tables.model.hash_chain import EPOCH
from ludarium.tournaments import organiser_commands, player_commands, time_commands
from ludarium.tournaments.boards import phase_of
from ludarium.tournaments.events import Drafted, Published, Result, TournamentOpened
from ludarium.tournaments.plan import MOST_ENTRIES, PlanBody, StageBody, TablesBody
from ludarium.tournaments.routes.tournaments import MOST_HELD
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board, Entrant, RoundState
from ludarium.tournaments.times import SECOND
from ludarium_pairing.model import VERSION
from tests.support.entropy import ENTROPY
from tests.support.tournaments import SWISS, Event, code, host_of, key, plan


def state_of(**more: Any) -> TournamentState:
    """Return the state of a tournament whose plan has defaults wherever possible."""
    usual = PlanBody(TablesBody("game-of-kingdoms"), (StageBody("swiss", rounds=1),), **more)
    opened = TournamentOpened(b"", "host", msgspec.to_builtins(usual), b"", VERSION)
    return TournamentState(ids.new_id(ENTROPY), opened, bytes(32))


def played(boards: int) -> tuple[TournamentState, RoundState]:
    """Return a tournament with a published round that has an entry for each seat."""
    state, drafted = state_of(), Drafted("host", 1, 1, b"", [])
    round = RoundState(1, 1, drafted, 0, published=Published("host", 1, 1, b"", [], [], [], 0, [], []), boards={
        at: Board(at, ids.new_id(ENTROPY), (2 * at - 1, 2 * at), 0, b"", 1_000 * SECOND) for at in range(1, boards + 1)
    })  # fmt: skip
    state.version, state.rounds[1, 1] = 0, round
    for number in range(1, 2 * boards + 1):
        state.entrants[number] = Entrant(number, f"player {number}", 0, 1, 0, 0)
        state.by_player[f"player {number}"] = number
    return state, round


def refused(work: Callable[[], object]) -> str:
    with pytest.raises(Problem) as found:
        work()
    return found.value.code


def test_a_board_begins_at_its_time_and_not_while_the_desk_has_it_paused() -> None:
    state, round = played(1)
    board, starts = round.boards[1], EPOCH + timedelta(seconds=1_000)

    def phase(seconds: int) -> int:
        return phase_of(state.stage_of(1), board, starts + timedelta(seconds=seconds))

    assert [phase(after) for after in (-1, 0, 60)] == [0, 1, 1]
    board.stopped_at = 970 * SECOND
    assert phase(500) == 0


def test_a_result_is_disputed_within_a_quarter_of_an_hour() -> None:
    state, round = played(1)
    board, over = round.boards[1], EPOCH + timedelta(seconds=2_000)
    board.result, board.ended_at = Result(1, 1, 1, "finished", [1, 2], [], [], b""), 2_000 * SECOND

    def dispute(minutes: float) -> player_commands.Events:
        return organiser_commands.dispute(state, "player 1", round, board, b"", over + timedelta(minutes=minutes))

    assert len(dispute(15)) == 1
    assert refused(lambda: dispute(15.001)) == "dispute-late"


def test_so_many_tables_are_shown_first() -> None:
    state, round = played(time_commands.MOST_FEATURED + 1)
    *shown, last = round.boards.values()
    for board in shown:
        assert time_commands.feature(state, "host", round, board, 0, True)
        board.featured = True
    assert refused(lambda: time_commands.feature(state, "host", round, last, 0, True)) == "too-many-featured"
    shown[0].featured = False
    assert time_commands.feature(state, "host", round, last, 0, True)


def test_there_are_so_many_officials_and_entries() -> None:
    state = state_of(late_rounds=1)
    state.status, state.version = "open", 0
    for nth in range(1, player_commands.MOST_OFFICIALS):
        state.roles[f"official {nth}"] = "arbiter", 0
    assert refused(lambda: player_commands.give_role(state, "host", 0, "one more", "broadcaster")) == "tournament-full"
    assert player_commands.give_role(state, "host", 0, "official 1", "broadcaster")
    assert player_commands.enter(state, "ada", guest=True, knows=False, more=MOST_ENTRIES - 1)
    assert refused(lambda: player_commands.enter(state, "ada", guest=True, knows=False, more=MOST_ENTRIES)) == "tournament-full"


def test_one_joins_as_late_as_the_plan_lets_one() -> None:
    state, round = played(1)
    state.status = "open"
    assert refused(lambda: player_commands.enter(state, "ada", guest=True, knows=False)) == "entry-late"
    state.plan = msgspec.structs.replace(state.plan, late_rounds=1)
    assert player_commands.enter(state, "ada", guest=True, knows=False)
    state.rounds[1, 2] = msgspec.structs.replace(round, number=2)
    assert refused(lambda: player_commands.enter(state, "ada", guest=True, knows=False)) == "entry-late"


def test_a_stage_that_is_over_has_no_more_rounds() -> None:
    state, round = played(1)
    round.closed, state.stage = True, 2
    assert refused(lambda: organiser_commands.draft(state, "host", 1, 0)) == "stage-over"


async def test_an_owner_holds_so_many_at_a_time(http: httpx.AsyncClient, base: Database) -> None:
    host = await host_of(http, base, "Max")
    events = [await Event.set_up(host, plan(SWISS)) for _ in range(MOST_HELD)]
    assert await code(host, "POST", "/tournaments", {"title": "Cup", "plan": plan(SWISS)}) == "too-many-tournaments"
    await events[0].act("/cancel", 0)
    assert (await host.ask("POST", "/tournaments", json={"title": "Cup", "plan": plan(SWISS)}, headers=key())).is_success

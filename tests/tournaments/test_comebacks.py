"""Players who withdraw and return, or sit out a round."""
from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tournaments import organiser_commands, player_commands
from ludarium.tournaments.derived import history_of
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.events import StatusSet
from ludarium.tournaments.plan import StageBody
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Entrant
from ludarium_eventstore import EventStore
from tests.support.clock import SteppedClock
from tests.support.people import fine
from tests.support.tournaments import code, event_of, key
from tests.tournaments.stepped import HOST, SteppedEvent
from tests.tournaments.test_absence import clock, store

__all__ = ["clock", "store"]

SWISS = StageBody("swiss", seats=2, rounds=4)
FIVE = ("ada", "ben", "cy", "dee", "eve")


async def held(store: EventStore, clock: SteppedClock, *stages: StageBody, late_rounds: int = 3) -> SteppedEvent:
    event = await SteppedEvent.opened(store, clock, FIVE, *(stages or (SWISS,)), late_rounds=late_rounds)
    await round_of(event)
    return event


async def round_of(event: SteppedEvent) -> None:
    """Publish a round, and rule on its boards as the organiser."""
    await event.published()
    await finished(event)


async def finished(event: SteppedEvent) -> None:
    round = (await event.state()).current
    assert round is not None
    for number in round.boards:
        await event.desk(lambda s, number=number: rule(s, number))      # type: ignore[misc]
    await event.look()
    await event.closed()


def rule(state: TournamentState, number: int) -> Events:
    assert state.current is not None
    board = state.current.boards[number]
    return organiser_commands.rule(state, HOST, state.current, board, state.version, "places", [1, 2], bytes(16))


async def withdraws(event: SteppedEvent, player: str) -> None:
    await event.desk(lambda s: player_commands.withdraw(s, player))


async def refused(event: SteppedEvent, decide: Callable[[TournamentState], Events]) -> str:
    with pytest.raises(Problem) as found:
        await event.desk(decide)
    return found.value.code


def enters(player: str) -> Callable[[TournamentState], Events]:
    return lambda state: player_commands.enter(state, player, guest=False, knows=False)


def rests(player: str, round: int, *, on: bool = True) -> Callable[[TournamentState], Events]:
    return lambda state: player_commands.sit_out(state, player_commands.entry_of(state, player), None, round, on=on)


async def entrant(event: SteppedEvent, player: str) -> Entrant:
    found = (await event.state()).entrant_of(player)
    assert found is not None
    return found


async def seated(event: SteppedEvent) -> set[str]:
    """Return the players at the newest round's tables, or with its bye."""
    state = await event.state()
    round = state.current
    assert round is not None
    numbers = [number for board in round.boards.values() for number in board.seats] + [*round.byes]
    return {state.entrants[number].player for number in numbers}


async def opens(event: SteppedEvent) -> None:
    await event.desk(lambda s: [StatusSet(HOST, "open")])


# --- coming back ----------------------------------------------------------------------------------------------------------
async def test_a_withdrawal_is_undone_while_no_round_was_missed(store: EventStore, clock: SteppedClock) -> None:
    """This holds even if no new players may enter."""
    event = await held(store, clock, late_rounds=0)
    before = (await entrant(event, "ada")).number
    await withdraws(event, "ada")
    await event.desk(enters("ada"))
    one = await entrant(event, "ada")
    assert (one.number, one.left, one.sits_out) == (before, None, frozenset())
    await event.published()
    assert await seated(event) == {*FIVE}
    await withdraws(event, "ada")               # during a round
    await event.desk(enters("ada"))
    await finished(event)
    await round_of(event)
    assert await seated(event) == {*FIVE}
    await event.checked()


async def test_a_player_who_missed_rounds_comes_back_as_late_as_a_newcomer(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock, late_rounds=2)
    await withdraws(event, "ada")
    await round_of(event)
    assert "ada" not in await seated(event)
    points, tables = await event.points(), history_of(await event.state(), 1)
    assert await refused(event, enters("ada")) == "tournament-not-open"
    await opens(event)
    await event.desk(enters("ada"))
    assert await event.points() == points, "a missed round gives no points"
    assert history_of(await event.state(), 1) == tables
    assert (await entrant(event, "ada")).sits_out == {(1, 2)}
    await round_of(event)
    assert "ada" in await seated(event)
    assert history_of(await event.state(), 1, 2) == tables
    await withdraws(event, "ada")
    await round_of(event)
    await event.checked()


async def test_a_player_comes_back_no_later_than_a_newcomer(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock, late_rounds=1)
    await withdraws(event, "ada")
    await round_of(event)
    await opens(event)
    assert await refused(event, enters("zoe")) == await refused(event, enters("ada")) == "entry-late"
    number = (await entrant(event, "ada")).number
    assert await refused(event, lambda s: player_commands.bring_back(s, HOST, s.version, number)) == "entry-late"
    assert await refused(event, enters("ben")) == "already-entered"


async def test_only_a_host_brings_back_whom_a_host_has_withdrawn(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock)
    number = (await entrant(event, "ada")).number
    await event.desk(lambda s: player_commands.remove(s, HOST, s.version, number))
    await opens(event)
    assert await refused(event, enters("ada")) == "entry-refused"
    assert await refused(event, lambda s: player_commands.bring_back(s, "ben", s.version, number)) == "forbidden"
    assert await refused(event, lambda s: player_commands.bring_back(s, HOST, 0, number)) == "stale-desk"
    await event.desk(lambda s: player_commands.bring_back(s, HOST, s.version, number))
    await withdraws(event, "ada")
    await event.desk(enters("ada"))             # this time the player withdrew
    await event.checked()


async def drafted(event: SteppedEvent) -> None:
    await event.desk(lambda s: organiser_commands.draft(s, HOST, 1, s.version))


async def publish(event: SteppedEvent) -> None:
    state = await event.state()
    assert state.current is not None
    await Drafts(event.tournaments).publish(
        event.stream, HOST, (1, state.current.number), state.version, event.tournaments.now(), None
    )
    await event.rounds.process(event.stream)


async def test_who_leaves_and_comes_back_while_a_round_is_a_draft_is_in_it(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock)
    await drafted(event)
    await withdraws(event, "ada")
    await event.desk(enters("ada"))
    await publish(event)
    assert await seated(event) == {*FIVE}
    await event.checked()


async def test_who_comes_back_after_a_draft_was_made_without_them_is_in_the_next_one(
    store: EventStore, clock: SteppedClock
) -> None:
    """A draft has boards only for the entries that were in it when it was made."""
    event = await held(store, clock)
    await withdraws(event, "ada")
    await drafted(event)
    await opens(event)
    await event.desk(enters("ada"))
    await publish(event)
    assert "ada" not in await seated(event) and (await entrant(event, "ada")).sits_out == {(1, 2)}
    await finished(event)
    await round_of(event)
    assert await seated(event) == {*FIVE}
    await event.checked()


async def test_nobody_comes_back_into_a_knock_out(store: EventStore, clock: SteppedClock) -> None:
    """A player who missed a round of a single elimination has lost that round."""
    event = await held(store, clock, StageBody("single-elimination"))
    played = (await event.state()).rounds[1, 1]
    onward = (await event.state()).entrants[next(iter(played.byes))].player
    await withdraws(event, onward)
    await round_of(event)
    await opens(event)
    assert await refused(event, enters(onward)) == "entry-late"


# --- sitting out ----------------------------------------------------------------------------------------------------------
async def test_a_player_sits_out_a_round_and_has_no_points_from_it(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock)
    before = await event.points()
    await event.desk(rests("ada", 2))
    await event.desk(rests("ada", 3))
    await event.desk(rests("ada", 3, on=False))
    await round_of(event)
    assert await seated(event) == {*FIVE} - {"ada"}
    assert (await event.points())["ada"] == before["ada"]
    assert await refused(event, rests("ada", 2, on=False)) == "round-published"
    await round_of(event)
    assert await seated(event) == {*FIVE}
    await event.checked()


async def test_a_player_sits_out_a_round_of_a_later_stage(store: EventStore, clock: SteppedClock) -> None:
    first, second = StageBody("swiss", seats=2, rounds=1), StageBody("swiss", seats=2, rounds=2, through=4)
    event = await held(store, clock, first, second)
    state = await event.state()
    through = [state.entrants[number].player for number in state.stage_entries[2]]
    await event.desk(rests(through[0], 1))
    await event.published()
    assert await seated(event) == {*through[1:]}
    await event.checked()


async def test_a_draft_is_paired_anew_without_who_sits_it_out(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock)
    await event.desk(rests("ben", 2))
    await drafted(event)
    seq = (await event.state()).version
    assert await refused(event, rests("ben", 2, on=False)) == "round-drafted"
    await event.desk(rests("ada", 2))
    await event.desk(rests("ada", 2, on=False))
    await event.desk(rests("ada", 2))
    round = (await event.state()).current
    assert round is not None and round.seq > seq, "the desk has to look at the draft again"
    await publish(event)
    assert await seated(event) == {"cy", "dee", "eve"}
    await event.checked()


async def test_what_cannot_be_sat_out_is_refused(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock, StageBody("swiss", seats=2, rounds=2), StageBody("single-elimination", through=4))
    assert await refused(event, rests("ada", 1)) == "round-published"
    assert await refused(event, rests("ada", 3)) == "not-found"
    assert await refused(event, lambda s: player_commands.host_sit_out(s, "ben", s.version, 1, 2, on=True)) == "forbidden"
    await event.desk(lambda s: player_commands.host_sit_out(s, HOST, s.version, 1, 2, on=True))
    await round_of(event)
    first = (await event.state()).stage_entries[2][0]
    player = (await event.state()).entrants[first].player
    assert await refused(event, rests(player, 1)) == "no-sitting-out"
    await withdraws(event, player)
    assert await refused(event, rests(player, 1)) == "not-entered"
    await event.checked()


async def test_a_recut_leaves_out_who_sits_the_round_out(store: EventStore, clock: SteppedClock) -> None:
    event = await held(store, clock)
    await event.desk(rests("ada", 2))
    await event.published()
    state = await event.state()
    round = state.current
    assert round is not None
    first, second = (board.seats for board in round.boards.values())
    tables = [[first[0], second[0]], [first[1], second[1]]]
    await event.desk(lambda s: organiser_commands.recut_round(s, HOST, s.rounds[1, 2], s.version, tables, [], []))
    assert await seated(event) == {*FIVE} - {"ada"}
    await event.checked()


# --- over HTTP ------------------------------------------------------------------------------------------------------------
async def test_players_and_hosts_come_back_and_sit_out_over_http(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 4, {"format": "swiss", "seats": 2, "rounds": 3})
    ada, path = event.people[1], event.path
    assert await code(ada, "POST", f"{path}/entries", {"code": ""}) == "already-entered"
    await event.whole_round()
    await ada.patiently("DELETE", f"{path}/entries", headers=key())
    back = await ada.post(f"{path}/entries", {"code": ""}, **key())
    assert back["entry"] == 1
    await event.act("/entries/1/remove", back["seq"])
    assert await code(ada, "POST", f"{path}/entries", {"code": ""}) == "entry-refused"
    assert await code(ada, "POST", f"{path}/entries/1/return", {"expected_seq": back["seq"]}) == "insufficient-scope"
    told = await event.act("/entries/1/return", (await event.body())["seq"])
    assert told["entry"] == 1
    fine(await ada.patiently("PUT", f"{path}/sitting-out", json={"round": 2}, headers=key()))
    await event.put("/entries/2/sitting-out", (await event.body())["seq"], round=2)
    await event.put("/entries/2/sitting-out", (await event.body())["seq"], round=2, on=False)
    assert await code(ada, "PUT", f"{path}/sitting-out", {"round": 1}) == "round-published"
    entries = (await event.host.get(f"{path}/entries"))["entries"]
    assert [(one["status"], one["sits_out"]) for one in entries] == [("in", [2]), *[("in", [])] * 3]
    assert (await event.body())["entries"] == 4
    told = await event.published()
    assert 1 not in [entry for table in told["tables"] for entry in table["seats"]] and 1 not in told["byes"]
    assert (await ada.get(f"{path}/me"))["table"] is None

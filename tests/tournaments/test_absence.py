"""Absence at a board, and the end of a game that all players have left."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from random import Random

import pytest

from ludarium.platform.problems import Problem
from ludarium.platform.schema_check import migrated
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model import access, endings, seating, tournament_tables
from ludarium.tables.model.event_types import NAMES, AnyEvent
from ludarium.tables.model.table_state import TableState
from ludarium.tournaments import organiser_commands
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.events import Verdict
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.state import TournamentState
from ludarium_eventstore import EventStore
from tests.support.clock import SteppedClock
from tests.tournaments.stepped import GRACE, HOST, WAIT, SteppedEvent

FOUR = ("ada", "ben", "cy", "dee")
Act = Callable[[TableState, str], list[AnyEvent]]


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[EventStore]:
    await migrated(database_url)
    async with await EventStore.open(database_url) as opened:
        await opened.name_types({**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES})
        yield opened


@pytest.fixture
async def clock(store: EventStore, database_url: str) -> SteppedClock:
    return await SteppedClock.begun(database_url)


async def started(store: EventStore, clock: SteppedClock, players: tuple[str, ...] = FOUR, late: int = 1) -> SteppedEvent:
    """Start a table at its time, with the last `late` players in turn order missing."""
    event = await SteppedEvent.opened(store, clock, players)
    await event.published()
    here = [seat.player for seat in (await event.table_state()).seats if seat and seat.player][: len(players) - late]
    for player in here:
        await event.tables.change((await event.board()).table, player, lambda h, player=player: seating.ready(h, player, True))  # type: ignore[misc]
    await event.step(WAIT)
    assert (await event.table_state()).status == "playing"
    return event


def late_ones(table: TableState) -> list[str]:
    return [seat.player for seat in table.seats if seat and seat.player and seat.seat not in table.lifecycle.ready]


async def ready(event: SteppedEvent, player: str) -> None:
    await event.tables.change((await event.board()).table, player, lambda h: seating.ready(h, player, True))


async def not_ready_yet(event: SteppedEvent, player: str) -> None:
    await event.tables.change((await event.board()).table, player, lambda h: seating.ready(h, player, False))


async def looks(event: SteppedEvent, player: str) -> None:
    """View the table as a player, like the API."""
    await event.tables.view((await event.board()).table, player, None)


async def listens(event: SteppedEvent, player: str) -> None:
    """Follow the table as a player, like the gateway for a socket or a stream."""
    await event.tables.attend((await event.board()).table, player, None)


async def resigns(event: SteppedEvent, player: str) -> None:
    await event.tables.change((await event.board()).table, player, lambda h: endings.resign(h, player))


@pytest.mark.parametrize("arrives", [ready, looks, listens, resigns])
async def test_a_player_who_is_at_the_table_is_not_scored_as_absent(
    store: EventStore, clock: SteppedClock, arrives: Callable[[SteppedEvent, str], object]
) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await event.step(2)
    await arrives(event, late)                  # type: ignore[misc]
    for player in FOUR:
        if player != late and (await event.table_state()).status == "playing":
            await resigns(event, player)
    await event.look()
    board = await event.board()
    assert board.result is not None and board.absent == ()
    await event.checked()


@pytest.mark.parametrize("arrives", [looks, listens, not_ready_yet])
async def test_a_player_who_has_come_before_the_start_is_not_absent(
    store: EventStore, clock: SteppedClock, arrives: Callable[[SteppedEvent, str], object]
) -> None:
    event = await SteppedEvent.opened(store, clock, ("ada", "ben"))
    await event.published()
    await arrives(event, "ada")                 # type: ignore[misc]
    assert (await event.table_state()).status == "open", "the game begins when all are ready, not when all look"
    await event.step(WAIT)
    await resigns(event, "ben")
    await event.look()
    board, seat = await event.board(), await event.seat_of("ada")
    assert board.absent == () and board.places[seat] == 1
    await event.checked()


async def test_looking_as_a_spectator_or_at_the_past_is_not_being_there(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    table = (await event.board()).table
    await event.tables.view(table, late, -1)
    await event.tables.view(table, late, None, at=2)
    await event.tables.attend(table, None, None)
    assert access.never_came(await event.table_state()) == [await event.seat_of(late)]


async def test_nobody_arrives_at_a_table_that_is_over(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock, ("ada", "ben"))
    (late,) = late_ones(await event.table_state())
    await event.step(2)
    here = next(player for player in ("ada", "ben") if player != late)
    await resigns(event, here)
    await event.look()
    assert (await event.board()).absent == (await event.seat_of(late),)
    await looks(event, late)
    await listens(event, late)
    assert (await event.board()).absent == (await event.seat_of(late),)
    with pytest.raises(Problem, match="table-not-open"):
        await ready(event, late)
    await event.checked()


# --- grace ----------------------------------------------------------------------------------------------------------------
async def first_asked(event: SteppedEvent, late: str) -> None:
    """Let the others play until the late player has to act for the first time."""
    luck = Random(1)
    while late not in await event.asked():
        await event.answered((await event.asked())[0], luck)


async def is_away(event: SteppedEvent, player: str) -> bool:
    return await event.seat_of(player) in (await event.table_state()).lifecycle.away


async def test_the_grace_starts_when_a_seat_owes_its_first_answer(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await event.step(GRACE + 30)                # the others think for longer than the grace
    await first_asked(event, late)
    await event.step(GRACE - 1)
    assert not await is_away(event, late)
    await event.step(1)
    assert await is_away(event, late)
    await event.stood_in()
    for player in FOUR:
        if player != late and (await event.table_state()).status == "playing":
            await resigns(event, player)
    await event.look()
    assert (await event.board()).absent == (await event.seat_of(late),)
    await event.checked()


async def test_who_answers_within_the_grace_plays_on(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await event.step(GRACE + 30)
    await first_asked(event, late)
    await event.step(GRACE - 1)
    await event.answered(late, Random(2))
    await event.step(2 * GRACE)
    assert not await is_away(event, late)


async def test_who_is_there_and_stays_silent_is_stood_in_for_but_not_absent(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await first_asked(event, late)
    await event.step(GRACE - 1)
    await listens(event, late)                  # the whole grace starts anew
    await event.step(GRACE - 1)
    assert not await is_away(event, late)
    await event.step(1)
    assert await is_away(event, late)
    assert access.never_came(await event.table_state()) == []


async def test_who_comes_after_they_were_stood_in_for_has_their_seat_back(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await first_asked(event, late)
    await event.step(GRACE)
    assert await is_away(event, late)
    await looks(event, late)
    assert not await is_away(event, late)
    await event.step(GRACE - 1)
    assert not await is_away(event, late)
    await event.step(1)                         # silent again: only a command or a message brings them back
    assert await is_away(event, late)
    await looks(event, late)
    assert await is_away(event, late)
    await event.checked()


async def test_an_outage_is_not_taken_from_the_grace(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await first_asked(event, late)
    await event.tables.server_clock.outages.beat()
    await clock.step(timedelta(seconds=GRACE), alive=False)
    await event.tables.server_clock.outages.beat()
    await event.look()
    assert not await is_away(event, late)
    await event.step(GRACE)
    assert await is_away(event, late)


async def test_a_pause_of_the_desk_starts_the_grace_anew(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock)
    (late,) = late_ones(await event.table_state())
    await first_asked(event, late)
    await event.step(GRACE - 1)
    await event.does(tournament_tables.pause_by_officials)
    await clock.step(timedelta(seconds=5))
    await event.does(tournament_tables.resume_by_officials)
    await event.step(GRACE - 1)
    assert not await is_away(event, late)
    await event.step(1)
    assert await is_away(event, late)


# --- boards without players -----------------------------------------------------------------------------------------------
async def test_a_round_in_which_nobody_is_left_ends_at_once(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock, ("ada", "ben", "cy"), late=2)
    late = late_ones(await event.table_state())
    (here,) = {"ada", "ben", "cy"} - {*late}
    await resigns(event, here)
    for _ in range(2):
        await event.step(GRACE)
        await event.stood_in()
    board = await event.board()
    assert board.result is not None and board.result.reason == "abandoned"
    assert {(await event.seat_of(player)) for player in late} == {*board.absent}
    assert board.places[await event.seat_of(here)] == 1
    await event.checked()


async def test_a_game_to_which_nobody_comes_ends_at_once(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock, ("ada", "ben"), late=2)
    for _ in range(2):
        await event.step(GRACE)
        await event.stood_in()
    board = await event.board()
    assert board.result is not None and board.result.reason == "abandoned" and board.absent == (0, 1)
    assert await event.points() == {"ada": 0, "ben": 0}


# --- rulings --------------------------------------------------------------------------------------------------------------
def ruling(places: list[int], verdict: Verdict = "places") -> Callable[[TournamentState], Events]:
    def rule(state: TournamentState) -> Events:
        round = state.rounds[1, 1]
        return organiser_commands.rule(state, HOST, round, round.boards[1], state.version, verdict, places, bytes(16))

    return rule


async def test_a_ruling_before_anybody_is_ready_counts_at_once(store: EventStore, clock: SteppedClock) -> None:
    event = await SteppedEvent.opened(store, clock, ("ada", "ben"))
    await event.published()
    await event.desk(ruling([1, 2]))
    await event.look()                          # without a step of the clock: the start is not waited for
    board = await event.board()
    assert board.result is not None and board.result.absent == [0, 1], "the log says that they never came"
    assert board.absent == () and board.places == (1, 2)
    await event.closed()
    state = await event.state()
    first, second = (state.entrants[number].player for number in board.seats)
    assert await event.points() == {first: 120, second: 0}
    await event.checked()


async def test_what_is_ruled_last_counts_for_players_who_never_came(store: EventStore, clock: SteppedClock) -> None:
    event = await started(store, clock, ("ada", "ben"))
    (late,) = late_ones(await event.table_state())
    here = ({"ada", "ben"} - {late}).pop()
    await resigns(event, here)
    await event.look()
    assert await event.points() == {here: 120, late: 0}
    wins = [1 if seat == await event.seat_of(late) else 2 for seat in range(2)]
    await event.desk(ruling(wins))
    assert await event.points() == {here: 0, late: 120}
    await event.desk(ruling([1, 1]))
    assert await event.points() == {here: 60, late: 60}
    await event.desk(ruling([], "upheld"))
    assert await event.points() == {here: 120, late: 0} and (await event.board()).absent == (await event.seat_of(late),)
    await event.checked()

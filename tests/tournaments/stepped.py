"""A tournament in one process without a network, whose time the test steps."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, Self

import msgspec

from ludarium.platform import ids
from ludarium.records.tournament_tables import faults_of_tournament
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model import decisions
from ludarium.tables.model.endings import stand_in
from ludarium.tables.model.hash_chain import commitment
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody
from ludarium.tables.service import Decide, Tables
from ludarium.tournaments import organiser_commands as desk
from ludarium.tournaments import player_commands
from ludarium.tournaments.derived import standings_of
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.events import StatusSet, TournamentOpened
from ludarium.tournaments.plan import PlanBody, StageBody, TablesBody, checked_plan
from ludarium.tournaments.rounds import Rounds
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.state_parts import Board
from ludarium.tournaments.store import Decide as DeskDecide
from ludarium.tournaments.store import TournamentStore
from ludarium_engine.kernel import seats_to_act
from ludarium_engine.kernel.bodies import DEFAULT
from ludarium_engine.kernel.describe import describe_choice, describe_view
from ludarium_eventstore import EventStore
from ludarium_pairing.model import VERSION
from tests.support.clock import SteppedClock
from tests.support.entropy import ENTROPY
from tests.support.table_games import RULESET, Silent, chosen

HOST = "host"
WAIT, GRACE = 10, 60
"""Seconds until the start of a round, and the grace for absent players."""


class SteppedEvent:
    """A tournament in which automatic work runs only when the test says so."""

    def __init__(self, store: EventStore, clock: SteppedClock) -> None:
        self.clock, self.store = clock, store
        self.tables = Tables(store, Silent(), ENTROPY, server_clock=clock.server_clock(store))
        self.tournaments = TournamentStore(store, self.tables.server_clock.now, ENTROPY)
        self.rounds, self.deadlines = Rounds(self.tournaments, self.tables), Deadlines(self.tables)
        self.stream = ids.new_id(ENTROPY, "stepped")

    @classmethod
    async def opened(
        cls, store: EventStore, clock: SteppedClock, players: Sequence[str], *stages: StageBody, **more: Any
    ) -> Self:
        event = cls(store, clock)
        await event.tables.server_clock.learn()
        key = bytes(32)
        stages = stages or (StageBody("swiss", seats=len(players), rounds=1),)
        body = PlanBody(TablesBody(RULESET), stages, wait=WAIT, grace=GRACE, **more)
        plan = msgspec.to_builtins(checked_plan(body))
        await event.tournaments.open(event.stream, TournamentOpened(commitment(key), HOST, plan, bytes(16), VERSION), key)
        await event.desk(lambda state: [StatusSet(HOST, "open")])
        for player in players:
            await event.enter(player)
        await event.desk(lambda state: [StatusSet(HOST, "closed")])
        return event

    async def enter(self, player: str) -> None:
        await self.desk(lambda state: player_commands.enter(state, player, guest=False, knows=False))

    async def desk(self, decide: DeskDecide) -> None:
        await self.tournaments.change(self.stream, decide)

    async def published(self) -> None:
        """Publish the next round of the stage and open its tables."""
        drafted = await self.tournaments.change(self.stream, lambda s: desk.draft(s, HOST, s.stage, s.version))
        state = await self.state()
        await Drafts(self.tournaments).publish(
            self.stream, HOST, state.next_round, drafted.version, self.tournaments.now(), None
        )
        await self.rounds.process(self.stream)

    async def closed(self) -> None:
        await self.desk(lambda s: desk.close(s, HOST, s.rounds[s.stage, len(s.rounds_of(s.stage))], s.version))

    async def state(self) -> TournamentState:
        return await self.tournaments.fresh(self.stream)

    async def board(self, number: int = 1) -> Board:
        round = (await self.state()).current
        assert round is not None
        return round.boards[number]

    async def table_state(self, number: int = 1) -> TableState:
        return await self.tables.cache.fresh((await self.board(number)).table)

    async def step(self, seconds: float) -> None:
        """Step the clock, and do all automatic work that is due by then."""
        await self.clock.step(timedelta(seconds=seconds))
        await self.look()

    async def look(self) -> None:
        for _ in range(2):
            await self.deadlines.process_due()
            await self.rounds.process(self.stream)

    async def does(self, decide: Decide) -> None:
        await self.tables.decide_and_append((await self.board()).table, decide)

    async def seat_of(self, player: str) -> int:
        return next(seat.seat for seat in (await self.table_state()).seats if seat and seat.player == player)

    async def asked(self) -> list[str]:
        """Return the players who have to act."""
        table = await self.table_state()
        seats = [table.seats[seat] for seat in seats_to_act(table.playing)] if table.status == "playing" else []
        return [seat.player for seat in seats if seat and seat.player]

    async def answered(self, player: str, luck: Random) -> None:
        """Answer a player's question at random."""
        table, seat = await self.table_state(), await self.seat_of(player)
        await self.tables.command(table.stream, player, await chosen(self.tables, table.stream, seat, luck, player))

    async def stood_in(self) -> None:
        """Give default answers for absent players until a present player has to act."""
        while (table := await self.table_state()).status == "playing":
            seats = [seat for seat in seats_to_act(table.playing) if stand_in(table, seat) == DEFAULT]
            if not seats:
                return
            seat, action = seats[0], by_default(table, seats[0])
            await self.tables.decide_and_append(table.stream, partial(decisions.stand_in_act, seat=seat, action=action))

    async def played(self, luck: Random, silent: Sequence[str] = ()) -> None:
        """Play until a silent player has to act or the game is over."""
        while (asked := await self.asked()) and not {*asked} & {*silent}:
            await self.answered(asked[0], luck)
            await self.stood_in()

    async def points(self) -> dict[str, int]:
        state = await self.state()
        return {state.entrants[int(row.id)].player: row.points for row in standings_of(state, state.stage)}

    async def checked(self) -> None:
        """Check that every event of the tournament follows from the previous ones."""
        stored = await self.store.read(self.stream)
        assert [fault async for fault in faults_of_tournament(self.store, self.stream, stored)] == []


def by_default(table: TableState, seat: int) -> ActionBody:
    choice = describe_choice(table.title, table.playing, seat)
    assert choice is not None
    offer, subset = table.title.default_answer(describe_view(table.title, table.playing, seat), choice)
    return ActionBody(offer, [*subset])

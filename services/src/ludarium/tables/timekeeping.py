"""Time at tables: clock ticks of new events, outages, and players' playing hours."""
from __future__ import annotations

from datetime import datetime

from ludarium.clocks.hours import Rest
from ludarium.clocks.playing_hours import rests_of
from ludarium.clocks.server_clock import ServerClock
from ludarium.clocks.settings import LiveClock
from ludarium.platform.problems import Problem
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import MILLISECOND, Arrival, EventTimes, Timed, Timing, instant, ms
from ludarium_eventstore import EventStore


class Timekeeper:
    def __init__(self, store: EventStore, server_clock: ServerClock) -> None:
        self.store, self.server_clock = store, server_clock

    async def with_clocks(self, table: TableState, events: list[AnyEvent], arrival: Arrival) -> Timed:
        """Add clock ticks to the events, if the table has clocks.

        Returns:
            The events, and the clocks after them.

        Raises:
            Problem: `out-of-time` if the command arrived too late.
        """
        if table.clocks is None or not events:
            return events, None
        outages = self.server_clock.outages
        if outages.may_lack(arrival.at):
            await outages.beat()
        rests = {} if isinstance(table.clocks.clock, LiveClock) else await self.rests(table, arrival)
        try:
            return self.judged(table, events, arrival, rests)
        except Problem:
            if outages.seen >= arrival.at:
                raise
            await self.server_clock.confirm_until(arrival.at)  # a command must not be late if this may turn out to be an outage
            return self.judged(table, events, arrival, rests)

    def judged(self, table: TableState, events: list[AnyEvent], arrival: Arrival, rests: dict[int, Rest]) -> Timed:
        clocks, at = table.clocks, arrival.at if arrival.at >= table.at else table.at
        assert clocks is not None
        away, late = self.outage_since(table, at), 0 if at is arrival.at else self.lateness(arrival.at, at)
        agenda = table.playing.agenda if table.state else ()
        timing = Timing(table.title, clocks, agenda, arrival, EventTimes(ms(at), away, late), rests)
        return timing.with_clocks(table.version + 1, events)

    async def learn_outage(self, table: TableState) -> bool:
        """Ask the database about an outage that may just have ended, if a clock runs.

        Returns:
            Whether the database was asked.

        Raises:
            StoreUnavailable: the database does not respond.
        """
        outages = self.server_clock.outages
        if table.clocks is None or not table.clocks.owes or not outages.may_lack(self.server_clock.now()):
            return False
        await outages.beat()
        return True

    def outage_since(self, table: TableState, at: datetime) -> int:
        """Return milliseconds of outages since the newest event, 0 if no clock runs."""
        outages, clocks = self.server_clock.outages, table.clocks
        if not outages.known or clocks is None or not clocks.owes or clocks.paused:
            return 0
        return outages.between(instant(clocks.at), at) // MILLISECOND

    def lateness(self, received: datetime, at: datetime) -> int:
        """Return milliseconds from a command's arrival to its event, without outages."""
        return (at - received - self.server_clock.outages.between(received, at)) // MILLISECOND

    async def rests(self, table: TableState, arrival: Arrival) -> dict[int, Rest]:
        """Return playing hours by seat, as they apply to turns that begin now."""
        players = {seat: sat.player for seat, sat in enumerate(table.seats) if sat and sat.player}
        known = await rests_of(self.store, players.values(), max(arrival.at, table.at))
        return {seat: known[player] for seat, player in players.items() if player in known}

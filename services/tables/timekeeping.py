"""What a process tells the clocks of a table: when a change came, how long nobody could append, when people rest."""
from __future__ import annotations

from datetime import datetime

from eventstore import EventStore
from services.clocks.hours import Rest
from services.clocks.house import House
from services.clocks.rests import rests_of
from services.clocks.settings import LiveClock
from services.problems import Problem
from services.tables import timing
from services.tables.history import History
from services.tables.rows import AnyRow
from services.tables.timing import Arrival, Moment, Timed


class Timekeeper:
    def __init__(self, store: EventStore, house: House) -> None:
        self.store, self.house = store, house

    async def timed(self, history: History, rows: list[AnyRow], arrival: Arrival) -> Timed:
        """The rows with what they say of the table's clocks, if it has any. Raises Problem `out-of-time`."""
        if history.clocks is None or not rows:
            return rows, None
        outages = self.house.outages
        await outages.look(arrival.at)
        try:
            return await self.told(history, rows, arrival)
        except Problem:
            if outages.seen >= arrival.at:
                raise
            await self.house.seen(arrival.at)   # nobody is late in what may yet turn out to be an outage
            return await self.told(history, rows, arrival)

    async def told(self, history: History, rows: list[AnyRow], arrival: Arrival) -> Timed:
        clocks, at = history.clocks, max(arrival.at, history.at)
        assert clocks is not None
        rests = {} if isinstance(clocks.clock, LiveClock) else await self.rests(history, at)
        moment = Moment(arrival, timing.ms(at), self.away(history, at), self.late(arrival.at, at), rests)
        agenda = history.playing.agenda if history.state else ()
        return timing.timed(history.title, clocks, agenda, history.version + 1, rows, moment)

    def away(self, history: History, at: datetime) -> int:
        """Milliseconds, since its clocks were last told, in which nobody could append."""
        outages = self.house.outages
        if history.clocks is None or not history.clocks.owes or not outages.known:
            return 0
        return outages.between(timing.instant(history.clocks.at), at) // timing.MILLISECOND

    def late(self, received: datetime, at: datetime) -> int:
        """Milliseconds from then to the moment of its row, without outages: no clock ran in them."""
        if at is received:
            return 0
        return (at - received - self.house.outages.between(received, at)) // timing.MILLISECOND

    async def rests(self, history: History, at: datetime) -> dict[int, Rest]:
        """Of whom sits where, as they hold for a span that begins then."""
        players = {seat: sat.player for seat, sat in enumerate(history.seats) if sat and sat.player}
        known = await rests_of(self.store, players.values(), at)
        return {seat: known[player] for seat, player in players.items() if player in known}

"""A clock for tests that steps the time of the database and of processes together."""

import asyncio
from datetime import UTC, datetime, timedelta

import asyncpg

from ludarium.clocks.server_clock import ServerClock
from ludarium_eventstore import EventStore

START = datetime(2026, 3, 27, 12, tzinfo=UTC)
INSTALL = """
    create schema stepped;
    grant usage on schema stepped to public;
    create table stepped.clock (at timestamptz not null);
    insert into stepped.clock values ('-infinity');
    grant select on stepped.clock to public;
    create or replace function es.now() returns timestamptz language sql volatile as 'select at from stepped.clock';
"""


async def set_database_clock(dsn: str, at: datetime, *, alive: bool = True) -> None:
    """Make es.now() return the given time in a test's own database.

    The time is returned until the next call.

    Args:
        dsn: The login that owns the log. Only this login can replace es.now().
        at: The time to return.
        alive: Whether to record that the service was running until then. Otherwise the service takes a long step for
            an outage.
    """
    owner = await asyncpg.connect(dsn)
    try:
        async with owner.transaction():         # the service must not see the new time without the sign of life
            if not await owner.fetchval("select to_regclass('stepped.clock') is not null"):
                await owner.execute(INSTALL)
            await owner.execute("update stepped.clock set at = $1", at)
            if alive:
                await owner.execute("update clocks.beat set at = es.now()")
    finally:
        await owner.close()


class SteppedClock:
    """A clock that moves only when the test steps it.

    Pass `server_clock` to a server to make its process follow this clock.
    """

    def __init__(self, dsn: str) -> None:
        self._dsn, self.seconds = dsn, 0.0
        self._sleepers: list[tuple[float, asyncio.Event]] = []

    @classmethod
    async def begun(cls, dsn: str) -> "SteppedClock":
        """Return a clock that shows START, for a migrated database."""
        clock = cls(dsn)
        await set_database_clock(dsn, START)
        return clock

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds)

    def server_clock(self, store: EventStore) -> ServerClock:
        """Create the server clock of a process that follows this clock."""
        return ServerClock(store, self.monotonic, self.sleep)

    def monotonic(self) -> float:
        return self.seconds

    async def step(self, by: timedelta, *, alive: bool = True) -> None:
        """Step the clocks of the database and of this process, and wake due sleepers."""
        await set_database_clock(self._dsn, self.now() + by, alive=alive)
        self.seconds += by.total_seconds()
        for until, woken in self._sleepers:
            if until <= self.seconds:
                woken.set()

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has been stepped that far, or for that time in reality.

        While the clock stands still, polling loops therefore go on, and find work that arrived just before they
        slept.
        """
        sleeper = (self.seconds + seconds, asyncio.Event())
        self._sleepers.append(sleeper)
        try:
            await asyncio.wait_for(sleeper[1].wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self._sleepers.remove(sleeper)

"""The checks that a process must pass to be ready.

`/readyz` and `ludarium doctor` report their results.
"""

import asyncio

import msgspec

from ludarium.platform import valkey
from ludarium.projections.registry import Projections
from ludarium_eventstore import Probe, Pulse

VALKEY_TIMEOUT = 2.0
"""Seconds in which Valkey must respond to count as up."""


class Readiness(msgspec.Struct, frozen=True):
    """Without a database that can be written the service is not ready; without Valkey it is, only slower to tell of moves.

    database: it answers. writable: it accepts rows, and ends their commits; a standby does not, nor a server with a full disk,
    nor one whose synchronous standby is away.
    stopped: lists that are out of date because their projection cannot go on, each with the position of the log behind
    which it stands. Everything else goes on.
    """

    status: str
    database: bool
    writable: bool
    redis: bool
    stopped: dict[str, int]


async def readiness(probe: Probe, redis: valkey.Client, projections: Projections) -> Readiness:
    pulse, failure = await asyncio.gather(probe.look(), valkey_failure(redis))
    return Readiness(status_of(pulse), pulse.answers, pulse.writes, failure is None, projections.stopped())


def status_of(pulse: Pulse) -> str:
    if not pulse.answers:
        return "waiting for the database"
    return "ready" if pulse.writes else "the database cannot be written"


async def valkey_failure(client: valkey.Client) -> Exception | None:
    """Return the error if Valkey cannot be used, None if it responds in time."""
    try:
        async with asyncio.timeout(VALKEY_TIMEOUT):
            await client.ping()
    except valkey.AWAY as error:
        return error
    return None

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
    """Whether a process is ready to serve requests.

    Without a writable database the service is not ready. Without Valkey it is ready, but events reach clients more
    slowly.

    - `database` means that the database answers.
    - `writable` means that it accepts and commits rows. A standby does not, nor does a server with a full disk or a
      missing synchronous standby.
    - `stopped` names the lists whose projection cannot continue, each with the position of the log that it has reached.
      They are out of date; everything else works.
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

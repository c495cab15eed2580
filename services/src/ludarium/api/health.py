"""Whether the process runs, and whether what it runs on answers."""

import asyncio

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import SkipValidation

from ludarium.platform import valkey
from ludarium.projections.registry import Projections
from ludarium_eventstore import Probe, Pulse

PATIENCE = 2.0
"""Seconds in which Valkey must answer to count as up."""


class Health(msgspec.Struct, frozen=True):
    status: str


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


@get("/healthz", tags=["operations"], opt={"unlimited": True})
async def healthz() -> Health:
    """The process runs.

    For whoever starts it anew if it does not answer.
    """
    return Health("ok")


@get(
    "/readyz", tags=["operations"], opt={"unlimited": True},
    responses={503: ResponseSpec(Readiness, description="The same, while the process cannot serve.")},
)  # fmt: skip
async def readyz(
    probe: NamedDependency[Probe],
    redis: NamedDependency[SkipValidation[valkey.Client]],
    projections: NamedDependency[Projections],
) -> Response[Readiness]:
    """The process can serve: 503 while it cannot.

    For whoever decides whether to send it requests.
    """
    return await looked(probe, redis, projections)


async def looked(probe: Probe, redis: valkey.Client, projections: Projections) -> Response[Readiness]:
    pulse, redis_up = await asyncio.gather(probe.look(), _listens(redis))
    readiness = Readiness(status_of(pulse), pulse.answers, pulse.writes, redis_up, projections.stopped())
    return Response(readiness, status_code=200 if pulse.writes else 503)


def status_of(pulse: Pulse) -> str:
    if not pulse.answers:
        return "waiting for the database"
    return "ready" if pulse.writes else "the database cannot be written"


async def _listens(redis: valkey.Client) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return bool(await redis.ping())
    except valkey.AWAY:
        return False

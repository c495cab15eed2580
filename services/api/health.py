"""Whether the process runs, and whether what it runs on answers."""

import asyncio

import msgspec
from asyncpg import PostgresError
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import SkipValidation

from services import valkey
from services.database import DOWN, Database
from services.problems import Problem
from services.projections.following import Projections

PATIENCE = 2.0
"""Seconds in which a part must answer to count as up."""


class Health(msgspec.Struct, frozen=True):
    status: str


class Readiness(msgspec.Struct, frozen=True):
    """Without its database the service is not ready; without Valkey it is, only slower to tell of moves.

    stopped: lists that are out of date because their projection cannot go on, each with the position of the log behind
    which it stands. Everything else goes on.
    """

    status: str
    database: bool
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
    database: NamedDependency[Database],
    redis: NamedDependency[SkipValidation[valkey.Client]],
    projections: NamedDependency[Projections],
) -> Response[Readiness]:
    """The process can serve: 503 while it cannot.

    For whoever decides whether to send it requests.
    """
    database_up, redis_up = await asyncio.gather(_answers(database), _listens(redis))
    status = "ready" if database_up else "waiting for the database"
    readiness = Readiness(status, database_up, redis_up, projections.stopped())
    return Response(readiness, status_code=200 if database_up else 503)


async def _answers(database: Database) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return await database.row("select 1") is not None
    except (Problem, *DOWN, PostgresError):
        return False


async def _listens(redis: valkey.Client) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return bool(await redis.ping())
    except valkey.AWAY:
        return False

"""Health checks: whether the process runs, and whether its services respond."""

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import SkipValidation

from ludarium.ops.readiness import Readiness, readiness
from ludarium.platform import valkey
from ludarium.projections.registry import Projections
from ludarium_eventstore import Probe


class Health(msgspec.Struct, frozen=True):
    status: str


@get("/healthz", tags=["operations"], opt={"unlimited": True})
async def get_health() -> Health:
    """The process runs.

    For whoever starts it anew if it does not answer.
    """
    return Health("ok")


@get(
    "/readyz", tags=["operations"], opt={"unlimited": True},
    responses={503: ResponseSpec(Readiness, description="The same, while the process cannot serve.")},
)  # fmt: skip
async def get_readiness(
    probe: NamedDependency[Probe],
    redis: NamedDependency[SkipValidation[valkey.Client]],
    projections: NamedDependency[Projections],
) -> Response[Readiness]:
    """The process can serve: 503 while it cannot.

    For whoever decides whether to send it requests.
    """
    return await looked(probe, redis, projections)


async def looked(probe: Probe, redis: valkey.Client, projections: Projections) -> Response[Readiness]:
    found = await readiness(probe, redis, projections)
    return Response(found, status_code=200 if found.writable else 503)

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
    """The result of a health check."""

    status: str


@get("/healthz", tags=["operations"], opt={"unlimited": True})
async def get_health() -> Health:
    """Check that the process runs.

    A supervisor can restart a process that does not answer.
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
    """Check that the process can serve requests; if not, the status is 503.

    A load balancer can use this to decide where to send requests.
    """
    return await looked(probe, redis, projections)


async def looked(probe: Probe, redis: valkey.Client, projections: Projections) -> Response[Readiness]:
    found = await readiness(probe, redis, projections)
    return Response(found, status_code=200 if found.writable else 503)

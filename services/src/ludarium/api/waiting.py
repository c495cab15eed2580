"""HTTP applications for processes that do not serve the API.

Such a process is still waiting for its database, or has another role.
"""

from litestar import HttpMethod, Litestar, Response, get, route

from ludarium.api.health import get_health, looked
from ludarium.http import errors
from ludarium.ops.readiness import Readiness
from ludarium.platform import valkey
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium_eventstore import Probe

RETRY_AFTER = 5


@route("/readyz", http_method=HttpMethod.GET)
async def not_ready() -> Response[Readiness]:
    return Response(Readiness("waiting for the database and its migrations", False, False, False, {}), status_code=503)


@route(["/", "/{path:path}"], http_method=[*HttpMethod])
async def later() -> None:
    raise Problem("unavailable", retry_after=RETRY_AFTER)


def working(probe: Probe, redis: valkey.Client, projections: Projections) -> Litestar:
    """Return the application of a process without the `api` role: health checks only."""

    @get("/readyz")
    async def ready() -> Response[Readiness]:
        return await looked(probe, redis, projections)

    return Litestar([get_health, ready], exception_handlers=errors.HANDLERS, openapi_config=None, logging_config=None)


def waiting() -> Litestar:
    handlers = [get_health, not_ready, later]
    return Litestar(handlers, exception_handlers=errors.HANDLERS, openapi_config=None, logging_config=None)

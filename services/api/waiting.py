"""What a process answers that still waits for its database to be migrated: it lives, and is not ready."""

from litestar import HttpMethod, Litestar, Response, route

from services.api import errors
from services.api.health import Readiness, healthz
from services.problems import Problem

RETRY_AFTER = 5


@route("/readyz", http_method=HttpMethod.GET)
async def not_ready() -> Response[Readiness]:
    return Response(Readiness("waiting for the database and its migrations", False, False, False, {}), status_code=503)


@route(["/", "/{path:path}"], http_method=[*HttpMethod])
async def later() -> None:
    raise Problem("unavailable", retry_after=RETRY_AFTER)


def waiting() -> Litestar:
    return Litestar([healthz, not_ready, later], exception_handlers=errors.HANDLERS, openapi_config=None, logging_config=None)

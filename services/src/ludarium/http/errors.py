"""Convert errors to HTTP responses in the format application/problem+json.

Responses to internal errors reveal no details.
"""

import logging
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ExceptionHandlersMap

from ludarium.http import html
from ludarium.http.negotiation import asked, locale_of
from ludarium.http.strictness import Gone
from ludarium.platform.problems import FieldError, Problem
from ludarium_eventstore import StoreUnavailable

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
MISSING = "not-found", "no-such-path"
PAGES = {
    "en": ("Page not found", "There is no page at this address. The link may be old or mistyped.", "Go to the home page"),
    "es": (
        "Página no encontrada", "No hay ninguna página en esta dirección. Puede que el enlace sea antiguo o esté mal escrito.",
        "Ir a la página de inicio",
    ),
    "hu": (
        "Az oldal nem található", "Ezen a címen nincs oldal. Lehet, hogy a link régi, vagy el van írva.",
        "Vissza a kezdőlapra",
    ),
}  # fmt: skip
"""The texts of the page for unknown addresses by locale: heading, explanation, and link to the home page."""
BY_STATUS = {400: "invalid-request", 404: "no-such-path", 405: "method-not-allowed", 413: "body-too-large"}


def headers_of(problem: Problem, locale: str) -> dict[str, str]:
    headers = {"cache-control": "no-store", "content-language": locale}
    if problem.retry_after is not None:
        headers["retry-after"] = str(problem.retry_after)
    if problem.kind.status == 401:
        headers["www-authenticate"] = "Bearer"
    return headers


def encoded(problem: Problem, path: str, locale: str, *, texts: bool) -> bytes:
    return msgspec.json.encode(problem.body(path, locale, texts=texts))


def told(request: Request[Any, Any, Any], problem: Problem) -> Response[bytes]:
    """Return the response to a request that is refused with a problem."""
    tag = request.query_params.get("locale")
    locale = locale_of(request.scope, tag)
    if problem.code in MISSING and is_browsing(request):
        return page_of(problem, locale)
    return Response(
        encoded(problem, request.scope["path"], locale, texts=tag is not None),
        status_code=problem.kind.status,
        media_type=MEDIA_TYPE,
        headers=headers_of(problem, locale),
    )


def is_browsing(request: Request[Any, Any, Any]) -> bool:
    """Return whether a browser requests a page outside the API."""
    return not request.scope["path"].startswith("/api/") and "text/html" in asked(request.scope, "Accept")


def page_of(problem: Problem, locale: str) -> Response[bytes]:
    heading, text, home = PAGES[locale]
    content = html.page(locale, heading, f'<h1>{heading}</h1>\n<p>{text}</p>\n<p><a href="/">{home}</a></p>\n')
    headers = {**headers_of(problem, locale), **html.HEADERS}
    return Response(content, status_code=problem.kind.status, headers=headers, media_type="text/html")


def of_litestar(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Return the response to an error that Litestar has raised."""
    if isinstance(error, ValidationException):          # in parameters; `strictness` checks bodies
        return told(request, Problem("invalid-request", errors=_errors(request, error.extra)))
    code = BY_STATUS.get(error.status_code)
    if code is None:
        return of_anything(request, error)
    answer = told(request, Problem(code))
    for name, value in (error.headers or {}).items():
        answer.set_header(name, value)
    return answer


def problem_of(error: Exception, path: str) -> Problem:
    """Return the problem for an error, and log the error if it is an internal one."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, StoreUnavailable):
        return Problem("unavailable", retry_after=5)
    if isinstance(error, Gone):
        log.debug("%s: the client is gone", path)
        return Problem("invalid-json")
    log.error("%s failed", path, exc_info=error)
    return Problem("internal")


def of_anything(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return told(request, problem_of(error, request.scope["path"]))


def _errors(request: Request[Any, Any, Any], extra: Any) -> list[FieldError]:
    handler = request.scope["route_handler"]
    return [FieldError(told_name(handler, str(item.get("key", ""))), str(item["message"])) for item in extra or []]


def told_name(handler: Any, parameter: str) -> str:
    """Return the public name of a handler's parameter."""
    field = handler.parsed_fn_signature.parameters.get(parameter)
    return getattr(field and field.kwarg_definition, "name", None) or parameter


HANDLERS: ExceptionHandlersMap = {
    HTTPException: of_litestar,
    Exception: of_anything,
}

"""Requests as they come in: strictly what the schema says.

Litestar alone would take "2" for 2 in a body, as in a query, and `null` in a query for a parameter that was left out.
"""

from functools import cache
from typing import Any

from litestar import Litestar, Request
from litestar.exceptions import InternalServerException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from ludarium.http.parameters import KEY
from ludarium.platform.json_input import NO_NUL, parsed
from ludarium.platform.problems import FieldError, Problem
from ludarium_engine.kernel.decoding import json_decoder

LARGEST_BODY = 64 * 1024
"""Bytes."""


class Gone(Exception):
    """The client went in the middle of its body: there is nobody left to answer."""


async def check(request: Request[Any, Any, Any]) -> None:
    """Before every handler. Raises Problem `invalid-request`, `invalid-json`, `key-not-taken`; Gone."""
    for name, value in request.query_params.multi_items():
        if value.lower() == "null":
            raise Problem("invalid-request", errors=[FieldError(name, "leave it out rather than null")])
        if "\0" in name + value:
            raise Problem("invalid-request", errors=[FieldError("", NO_NUL)])
    handler = request.scope["route_handler"]
    if KEY.name in request.headers and not takes_key(handler):
        raise Problem("key-not-taken")
    if isinstance(handler, HTTPRouteHandler) and handler.parsed_data_field is not None:
        parsed(await body_of(request), json_decoder(handler.parsed_data_field.annotation))


def prepare(app: Litestar) -> None:
    """Make the decoders of all bodies, before any thread starts that may decode the same types."""
    handlers = [handler for route in app.routes if isinstance(route, HTTPRoute) for handler in route.route_handlers]
    for handler in handlers:
        if handler.parsed_data_field is not None:
            json_decoder(handler.parsed_data_field.annotation)


async def body_of(request: Request[Any, Any, Any]) -> bytes:
    """Raises Gone."""
    try:
        return await request.body()
    except InternalServerException as error:            # Litestar's word for it
        raise Gone from error


@cache
def takes_key(handler: HTTPRouteHandler) -> bool:
    fields = handler.parsed_fn_signature.parameters.values()
    return any(getattr(field.kwarg_definition, "name", None) == KEY.name for field in fields)

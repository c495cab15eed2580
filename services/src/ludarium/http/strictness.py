"""Validate requests strictly against the schema.

Litestar alone would accept "2" for the number 2 in a body, and `null` in a query as if the parameter were missing.
"""

from functools import cache
from typing import Any

from litestar import Litestar, Request
from litestar.exceptions import InternalServerException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import Receive

from ludarium.http.negotiation import header_parameters
from ludarium.http.parameters import KEY
from ludarium.platform.json_input import MARK, NO_NUL, parsed
from ludarium.platform.problems import FieldError, Problem
from ludarium.platform.request_context import vary
from ludarium_engine.kernel.decoding import json_decoder

LARGEST_BODY = 64 * 1024
"""Maximum bytes of a request body."""


class Gone(Exception):
    """The client disconnected before its body was complete."""


async def check(request: Request[Any, Any, Any]) -> None:
    """Validate a request, before every handler.

    Raises:
        Problem: `invalid-request`, `invalid-json`, `key-not-taken`.
        Gone: the client has disconnected.
    """
    for name, value in request.query_params.multi_items():
        if value.lower() == "null":
            raise Problem("invalid-request", errors=[FieldError(name, "leave it out rather than null")])
        if "\0" in name + value:
            raise Problem("invalid-request", errors=[FieldError("", NO_NUL)])
    handler = request.scope["route_handler"]
    if KEY.name in request.headers and not takes_key(handler):
        raise Problem("key-not-taken")
    if isinstance(handler, HTTPRouteHandler):
        vary(*header_parameters(handler))
    if isinstance(handler, HTTPRouteHandler) and handler.parsed_data_field is not None:
        parsed(await body_of(request), json_decoder(handler.parsed_data_field.annotation))


def without_mark(receive: Receive) -> Receive:
    """Remove a byte-order mark from the body, even if it is split over several chunks."""
    begun = False

    async def received() -> Any:
        nonlocal begun
        message = await receive()
        if begun or message["type"] != "http.request":
            return message
        body, begun = message["body"], True
        while len(body) < len(MARK) and message["more_body"]:
            message = await receive()
            if message["type"] != "http.request":
                return message
            body += message["body"]
        return {**message, "body": body.removeprefix(MARK)}

    return received


def prepare(app: Litestar) -> None:
    """Create the decoders of all bodies, before any thread may decode the same types."""
    handlers = [handler for route in app.routes if isinstance(route, HTTPRoute) for handler in route.route_handlers]
    for handler in handlers:
        if handler.parsed_data_field is not None:
            json_decoder(handler.parsed_data_field.annotation)


async def body_of(request: Request[Any, Any, Any]) -> bytes:
    """Return the request's body. Raises Gone if the client has disconnected."""
    try:
        return await request.body()
    except InternalServerException as error:            # Litestar's error for a disconnected client
        raise Gone from error


@cache
def takes_key(handler: HTTPRouteHandler) -> bool:
    fields = handler.parsed_fn_signature.parameters.values()
    return any(getattr(field.kwarg_definition, "name", None) == KEY.name for field in fields)

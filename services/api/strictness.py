"""Requests as they come in: strictly what the schema says.

Litestar alone would take "2" for 2 in a body, as in a query, and `null` in a query for a parameter that was left out.
"""

from functools import cache
from typing import Any, TypeVar

import msgspec
from litestar import Request
from litestar.handlers import HTTPRouteHandler

from services.problems import FieldError, Problem, pointer_of

LARGEST_BODY = 64 * 1024
"""Bytes."""
T = TypeVar("T")


async def check(request: Request[Any, Any, Any]) -> None:
    """Before every handler. Raises Problem `invalid-request`, `invalid-json`."""
    for name, value in request.query_params.multi_items():
        if value.lower() == "null":
            raise Problem("invalid-request", errors=[FieldError(name, "leave it out rather than null")])
    handler = request.scope["route_handler"]
    if isinstance(handler, HTTPRouteHandler) and handler.parsed_data_field is not None:
        decoded(await request.body(), decoder(handler.parsed_data_field.annotation))


def decoded(body: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Raises Problem `invalid-request`, `invalid-json`."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise Problem("invalid-request", errors=[pointer_of(error)]) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Problem("invalid-json") from None


@cache
def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    return msgspec.json.Decoder(kind)

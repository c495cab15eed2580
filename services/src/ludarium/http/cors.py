"""CORS: pages of all other origins may call, with a token in the header.

There are no cookies to misuse. The names come from the source of the OpenAPI document, so that every header described
there can be sent and read.
"""

from collections.abc import Iterable, Iterator

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.params import HeaderParameter
from litestar.routes import HTTPRoute

from ludarium.http.headers import HEADERS

METHODS = "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"
SENT = (
    "Accept", "Accept-Language", "Authorization", "Content-Language", "Content-Type", "If-Modified-Since", "If-None-Match",
    "If-Range", "Range", "X-Request-Id", "baggage", "traceparent", "tracestate",
)  # fmt: skip
"""Request headers that no operation declares: those of HTTP itself, and of tracing libraries."""
READ = "Accept-Ranges", "Allow", "Content-Length", "Content-Range", "Date", "traceparent", "tracestate"
"""Headers of answers that the document does not describe: those of HTTP itself, and of tracing."""
MAX_AGE = 7200
"""Seconds that browsers may cache the answer to a preflight; Chromium allows no more."""
Headers = list[tuple[bytes, bytes]]


class Cors:
    """Encoded CORS headers: of every answer, and additional ones of a preflight."""

    def __init__(self, app: Litestar) -> None:
        exposed = listed([*HEADERS, *READ])
        self.answer: Headers = [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", exposed)]
        self.preflight: Headers = [
            (b"access-control-allow-methods", ", ".join(METHODS).encode()),
            (b"access-control-allow-headers", listed([*SENT, *header_parameters(app)])),
            (b"access-control-max-age", str(MAX_AGE).encode()),
        ]


def listed(names: Iterable[str]) -> bytes:
    return ", ".join(sorted(set(names), key=str.lower)).encode()


def header_parameters(app: Litestar) -> Iterator[str]:
    """Yield the request headers that some operation declares."""
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            yield from declared(handler)


def declared(handler: HTTPRouteHandler) -> Iterator[str]:
    for field in handler.parsed_fn_signature.parameters.values():
        if isinstance(field.kwarg_definition, HeaderParameter):
            yield str(field.kwarg_definition.name)

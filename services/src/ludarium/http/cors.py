"""Allow pages of all origins to call the API (CORS).

This is safe because callers identify themselves by a token in a header, and there are no cookies that a foreign page
could misuse. The allowed headers come from the declarations of the operations, so every header in the OpenAPI document
can be sent or read.
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
"""Allowed request headers that no operation declares, since they belong to HTTP itself or to tracing libraries."""
READ = "Accept-Ranges", "Allow", "Content-Length", "Content-Range", "Date", "traceparent", "tracestate"
"""Readable response headers that the OpenAPI document does not describe, since they belong to HTTP itself or to tracing."""
MAX_AGE = 7200
"""Seconds for which browsers may cache the response to a preflight request. Chromium's maximum is the same."""
Headers = list[tuple[bytes, bytes]]


class Cors:
    """The CORS headers of all responses, and those of responses to preflights."""

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
    """Yield the names of all request headers that any operation declares."""
    for route in app.routes:
        for handler in route.route_handlers if isinstance(route, HTTPRoute) else ():
            yield from declared(handler)


def declared(handler: HTTPRouteHandler) -> Iterator[str]:
    for field in handler.parsed_fn_signature.parameters.values():
        if isinstance(field.kwarg_definition, HeaderParameter):
            yield str(field.kwarg_definition.name)

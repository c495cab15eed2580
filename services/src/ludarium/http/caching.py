"""Which answers of the API caches may keep: none that is personal, unless its handler says how."""

from collections.abc import Iterable

from litestar.types import HTTPScope

PREFIX = "/api/"
READS = ("GET", "HEAD")
Headers = list[tuple[bytes, bytes]]


def guarded(headers: Headers, scope: HTTPScope) -> Headers:
    """Add `Cache-Control: no-store` to answers to a token or a change, and `Vary: Authorization`.

    Handlers that set `Cache-Control` decide for themselves; `public` ones are the same for everyone.
    """
    if not scope["path"].startswith(PREFIX):
        return headers
    cache = value_of(headers, b"cache-control")
    if cache is not None and cache.startswith(b"public"):
        return headers
    added = []
    if not any(name == b"vary" and b"authorization" in value.lower() for name, value in headers):
        added.append((b"vary", b"Authorization"))
    if cache is None and (scope["method"] not in READS or value_of(scope["headers"], b"authorization") is not None):
        added.append((b"cache-control", b"no-store"))
    return [*headers, *added]


def value_of(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes | None:
    return next((value for key, value in headers if key == name), None)

"""Send cached and compressed responses.

ETags contain the release. Content is compressed with brotli or gzip, but only if it is the same for everyone: rulesets,
assets, the API document, public lists, records and replays. Other responses may contain secrets next to text that other
people have chosen, and the length after compression would reveal the secrets (the BREACH attack).
"""

import gzip
import re
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, Literal

import brotli
from litestar import MediaType, Request, Response
from litestar.config.compression import CompressionConfig
from litestar.enums import ScopeType
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.types import Receive, Scope, Send

from ludarium.http.negotiation import asked
from ludarium.platform.metering import in_thread

AnyRequest = Request[Any, Any, Any]
Coding = Literal["br", "gzip"]
RELEASE = version("ludarium")
REFUSED = re.compile(r";q=0(\.0{0,3})?$")
WORTH_IT = 1024
"""Minimum bytes of a compressed response, since shorter ones fit into one packet uncompressed."""
QUICK, BEST = 5, 11
"""Brotli's quality while a caller waits, and for content that is compressed only once."""
PACKED_ALREADY = "image/png", "image/webp"
FOREVER = "public, max-age=31536000, immutable"
"""The Cache-Control header for URLs that contain the hash of their content."""


class Compressed(CompressionMiddleware):
    """Litestar's compression, with two corrections.

    Uncompressed responses have `Vary` too, and `q=0` in Accept-Encoding is respected.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not {"br", "gzip"} & codings_of(scope):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


COMPRESSED = DefineMiddleware(Compressed, config=CompressionConfig(
    backend="brotli", minimum_size=WORTH_IT, brotli_quality=QUICK, gzip_compress_level=4,
))  # fmt: skip
"""Middleware for routes that compute a new response for each request."""


def etag_of(*parts: object) -> str:
    """Return a weak ETag, which is equal for all content codings.

    The ETag contains the release, since another release may respond differently.
    """
    return f'W/"{"-".join(map(str, [RELEASE, *parts]))}"'


def hash_of(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()


def is_known(request: AnyRequest, etag: str) -> bool:
    """Return whether If-None-Match says that the caller has this version.

    ETags are compared weakly, as RFC 9110 requires.
    """
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return "*" in known or etag.removeprefix("W/") in known


async def kept(
    request: AnyRequest, content: bytes, media_type: str, headers: dict[str, str], packing: bytes | None = None
) -> Response[Any]:
    """Respond with constant content that clients may store and revalidate.

    Args:
        packing: the content compressed with brotli, if it has been compressed before.
    """
    headers = {"cache-control": "no-cache", **headers, "etag": etag_of(hash_of(content))}
    packable = len(content) >= WORTH_IT and media_type not in PACKED_ALREADY
    coding = coding_of(request) if packable else None
    if is_known(request, headers["etag"]):
        return Response(b"", status_code=304, media_type=media_type, headers=headers)
    if coding is not None:
        if coding == "br":
            smaller = await in_thread(squeezed, content) if packing is None else packing
            return packed(smaller, media_type, headers, "br")
        return packed(await in_thread(compressed, content), media_type, headers)
    return Response(content, media_type=media_type, headers=headers)


def packed(content: bytes, media_type: str, headers: dict[str, str], by: Coding = "gzip") -> Response[Any]:
    """Respond with content that is already compressed."""
    return Response(content, media_type=media_type, headers=headers | {"content-encoding": by})


async def unpacked(
    request: AnyRequest, content: bytes, headers: Mapping[str, str] = MappingProxyType({}), *, secret: bool = False
) -> Response[Any]:
    """Respond with JSON that is stored in gzip form.

    The content is decompressed first if the caller does not accept gzip, or if the content is secret.
    """
    if takes_gzip(request) and not secret:
        return packed(content, MediaType.JSON, {**headers})
    return Response(await in_thread(gzip.decompress, content), media_type=MediaType.JSON, headers={**headers})


def takes_gzip(request: AnyRequest) -> bool:
    return "gzip" in codings_of(request.scope)


def coding_of(request: AnyRequest) -> Coding | None:
    """Return the best content coding that the caller accepts, None for no compression."""
    taken = codings_of(request.scope)
    return "br" if "br" in taken else "gzip" if "gzip" in taken else None


def codings_of(scope: Scope) -> set[str]:
    """Return the content codings that the caller accepts (RFC 9110, section 12.5.3)."""
    wishes = [wish.replace(" ", "").lower() for wish in asked(scope, "Accept-Encoding").split(",")]
    return {wish.partition(";")[0] for wish in wishes if not REFUSED.search(wish)}


@lru_cache(maxsize=256)
def compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@lru_cache(maxsize=1024)
def squeezed(content: bytes, quality: int = QUICK) -> bytes:
    smaller: bytes = brotli.compress(content, quality=quality)
    return smaller

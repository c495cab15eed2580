"""Cached and compressed answers.

ETags with the release, brotli or gzip for public content. Only what everyone gets alike is compressed: rulesets,
assets, the API document, public lists, records and replays. In other answers, secrets may be next to text chosen by
others, and the compressed length would reveal them (BREACH).
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
"""Bytes; shorter answers fit into a packet uncompressed."""
QUICK, BEST = 5, 11
"""Brotli's quality while a caller waits, and for what is compressed once."""
PACKED_ALREADY = "image/png", "image/webp"
FOREVER = "public, max-age=31536000, immutable"
"""For addresses that contain the hash of their content."""


class Compressed(CompressionMiddleware):
    """Litestar's compression, with `Vary` on uncompressed answers too.

    It also respects `q=0` in Accept-Encoding.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and not {"br", "gzip"} & codings_of(scope):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


COMPRESSED = DefineMiddleware(Compressed, config=CompressionConfig(
    backend="brotli", minimum_size=WORTH_IT, brotli_quality=QUICK, gzip_compress_level=4,
))  # fmt: skip
"""For routes whose answers are computed each time."""


def etag_of(*parts: object) -> str:
    """Return a weak ETag, which is the same for all codings.

    It contains the release, since another one may answer differently.
    """
    return f'W/"{"-".join(map(str, [RELEASE, *parts]))}"'


def hash_of(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()


def is_known(request: AnyRequest, etag: str) -> bool:
    """Return whether the caller has this version, by If-None-Match.

    RFC 9110, weak comparison.
    """
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return "*" in known or etag.removeprefix("W/") in known


async def kept(
    request: AnyRequest, content: bytes, media_type: str, headers: dict[str, str], packing: bytes | None = None
) -> Response[Any]:
    """Answer with constant content that clients may store and revalidate.

    Args:
        packing: the content compressed by brotli, if there is one.
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
    """Answer with compressed content."""
    return Response(content, media_type=media_type, headers=headers | {"content-encoding": by})


async def unpacked(
    request: AnyRequest, content: bytes, headers: Mapping[str, str] = MappingProxyType({}), *, secret: bool = False
) -> Response[Any]:
    """Answer with gzipped JSON.

    It is decompressed if the caller does not accept that, or if it is secret.
    """
    if takes_gzip(request) and not secret:
        return packed(content, MediaType.JSON, {**headers})
    return Response(await in_thread(gzip.decompress, content), media_type=MediaType.JSON, headers={**headers})


def takes_gzip(request: AnyRequest) -> bool:
    return "gzip" in codings_of(request.scope)


def coding_of(request: AnyRequest) -> Coding | None:
    """Return the coding to compress an answer with, the better one first."""
    taken = codings_of(request.scope)
    return "br" if "br" in taken else "gzip" if "gzip" in taken else None


def codings_of(scope: Scope) -> set[str]:
    """Return the codings that the caller accepts (RFC 9110, section 12.5.3)."""
    wishes = [wish.replace(" ", "").lower() for wish in asked(scope, "Accept-Encoding").split(",")]
    return {wish.partition(";")[0] for wish in wishes if not REFUSED.search(wish)}


@lru_cache(maxsize=256)
def compressed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


@lru_cache(maxsize=1024)
def squeezed(content: bytes, quality: int = QUICK) -> bytes:
    smaller: bytes = brotli.compress(content, quality=quality)
    return smaller

"""Send responses about finished games and about earlier states of running games.

Responses about finished games are encoded once, and clients can cache them.
"""

import gzip
from collections.abc import Coroutine, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, cast

import msgspec
from litestar import MediaType, Response
from litestar.openapi import ResponseSpec

from ludarium.http.answers import WORTH_IT, AnyRequest, etag_of, hash_of, is_known, packed, takes_gzip
from ludarium.platform.metering import in_thread
from ludarium.projections.replay_worker import GZIP_LEVEL, ResultCache
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR

UNCHANGED = {304: ResponseSpec(None, description="As the caller has it, by `If-None-Match`.")}
HEADERS = "Cache-Control", "ETag"
FIXED = "private, max-age=3600, immutable"
"""The Cache-Control header for responses without names, which cannot change once the game is over. They are private
because access depends on the caller."""
CHECKED = "private, no-cache"
"""The Cache-Control header for responses that can change, since players can change their names and running games
continue. Clients revalidate them."""
encode = msgspec.json.Encoder().encode


class Make(Protocol):
    def __call__(self) -> Coroutine[Any, Any, bytes]: ...


class Question:
    """A request about a past game, and how the response to it is sent."""

    def __init__(
        self, history: TableState, audience: int, *about: Hashable, fixed: bool = False, media_type: str = MediaType.JSON
    ) -> None:
        """Identify the response.

        Args:
            history: the table as the caller may see it.
            audience: the caller's audience.
            about: everything else on which the response depends.
            fixed: whether the response about a finished game can never change.
            media_type: the media type of the response.
        """
        self.history, self.audience, self.fixed, self.media_type = history, audience, fixed, media_type
        self.key = history.stream, history.version, history.hash, audience, media_type, about

    @property
    def over(self) -> bool:
        return self.history.is_open_to_all

    @property
    def secret(self) -> bool:
        """True if the length of a compressed response could reveal hidden information."""
        return not self.over and self.audience != SPECTATOR

    def headers(self) -> dict[str, str]:
        return {
            "cache-control": FIXED if self.over and self.fixed else CHECKED,
            "etag": etag_of(self.history.version, hash_of(repr(self.key).encode())),
        }  # fmt: skip


async def answered(
    request: AnyRequest, kept: ResultCache[Hashable], question: Question, make: Make, headers: Mapping[str, str]
) -> Response[Any]:
    """Send a response from the cache, or compute the response.

    The response is cached if the game is over.

    Args:
        kept: the cache.
        question: identifies the response.
        make: computes the response's content.
        headers: further headers of the response.
    """
    headers = {**question.headers(), **headers}
    gzipped = takes_gzip(request) and not question.secret
    if is_known(request, headers["etag"]):
        return Response(cast(Any, None), status_code=304, headers=headers)
    if not question.over:
        content = await make()
        if len(content) < WORTH_IT or not gzipped:
            return Response(content, media_type=question.media_type, headers=headers)
        return packed(await in_thread(gzip.compress, content, GZIP_LEVEL, mtime=0), question.media_type, headers)
    content = await kept.get(question.key, partial(compressed, make))
    if gzipped:
        return packed(content, question.media_type, headers)
    return Response(await in_thread(gzip.decompress, content), media_type=question.media_type, headers=headers)


async def compressed(make: Make, _: Hashable) -> bytes:
    return await in_thread(gzip.compress, await make(), GZIP_LEVEL, mtime=0)


async def rows_of(tables: Tables, history: TableState) -> Sequence[LogEntry]:
    """Return the events of a table, as far as the caller may see them.

    Args:
        history: the table as the caller may see it.

    Raises:
        Problem: `log-damaged`, or `unavailable` if too many such reads are waiting.
    """
    return (await tables.cache.events(history.stream, tables.cache.lookback))[: history.version + 1]

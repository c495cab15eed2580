"""Send views and events with texts if the request asks for a language.

`locale` in the query asks for texts. Accept-Language alone does not, since every browser sends it; it chooses the language
if `locale` is `auto`.

See docs/decisions/135.
"""

from collections.abc import Awaitable, Callable, Hashable
from typing import Any, cast

import msgspec
from litestar import MediaType, Response

from ludarium.http.answers import AnyRequest, hash_of
from ludarium.http.negotiation import locale_of
from ludarium.tables.texts import TableTexts, Texts

encode = msgspec.json.Encoder().encode


async def texts_for(request: AnyRequest, source: TableTexts, table: str, audience: int, tag: str | None) -> Texts | None:
    """Return the texts of a table that a request asks for, None if it asks for none.

    Args:
        tag: `locale` of the query.
    """
    return None if tag is None else await source.of(table, audience, locale_of(request.scope, tag))


def known_by(texts: Texts | None) -> tuple[Hashable, ...]:
    """Return what an ETag contains of the texts: the language, and a hash of the names."""
    return () if texts is None else (texts.locale, hash_of(encode(texts.names)))


def language_of(texts: Texts | None) -> dict[str, str]:
    """Return the header that names the language of a response."""
    return {} if texts is None else {"content-language": texts.locale}


def in_words(add: Callable[[bytes], bytes] | None, body: Any, headers: dict[str, str]) -> Response[Any]:
    """Return the response with a body, with texts if `add` adds any."""
    if add is None:
        return Response(body, headers=headers)
    return Response(cast(Any, add(encode(body))), media_type=MediaType.JSON, headers=headers)


async def answered_in_words(
    request: AnyRequest, source: TableTexts, table: str, player: str, tag: str | None, work: Awaitable[Any]
) -> Response[Any]:
    """Return the response to a player's command, with texts if the request asks for a language.

    Args:
        tag: `locale` of the query.
        work: the command; its result is the body.
    """
    locale = None if tag is None else locale_of(request.scope, tag)

    async def encoded() -> bytes:
        return encode(await work)

    answer = await source.answered(table, player, locale, encoded())
    return Response(cast(Any, answer), media_type=MediaType.JSON, headers={"content-language": locale} if locale else {})

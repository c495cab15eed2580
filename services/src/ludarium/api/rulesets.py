"""Routes for the catalogue of rulesets, with all that clients need to show them."""

from functools import cache
from re import fullmatch
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from ludarium.api.ruleset_schemas import Ruleset, Rulesets, described, in_one_language, summary, with_details
from ludarium.http.answers import BEST, COMPRESSED, FOREVER, hash_of, kept, squeezed
from ludarium.http.negotiation import locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import LANGUAGE, Locale, RulesetId, TextLocale
from ludarium.platform.locale import ENGLISH, TAG
from ludarium.platform.metering import in_thread
from ludarium.platform.problems import Problem
from ludarium.tables.model.data import load
from ludarium.tables.model.events import AnyTitle
from ludarium.tables.model.rulesets import ruleset_at
from ludarium.tables.service import Tables
from ludarium_engine.guides import pictures_in
from ludarium_engine.kernel.published import schemas
from ludarium_engine.registry import provided, title_of, titles

JSON = MediaType.JSON.value
UNCHANGED = {304: ResponseSpec(None, description="As the caller has it, by `If-None-Match`.")}
WEBP = "image/webp"
KEPT = operation("no-such-ruleset", "not-found", headers=("Content-Language", "ETag"))
DRAWN = operation("no-such-ruleset", "not-found", headers=("Cache-Control", "ETag"))
Alone = Annotated[
    str | None,
    QueryParameter(
        name="language", pattern=TAG, description=f"For names and texts in it alone; by default in all. {LANGUAGE}"
    ),
]
Digest = Annotated[
    str | None, QueryParameter(pattern="^[0-9a-f]{24}$", description="As the root has it: then that may be kept for ever.")
]
DataHash = Annotated[
    str | None, QueryParameter(pattern="^[0-9a-f]{64}$", description="Of a game, as `game_started` has it.")
]
ChapterId = Annotated[
    str, PathParameter(description="A chapter of the guide that has a picture.", schema_extra={"pattern": "^[a-z_]{1,40}$"})
]


@get("/rulesets", tags=["rulesets"], middleware=[COMPRESSED])
async def list_rulesets() -> Rulesets:
    """List the games that can be played on this server.

    Each has its names by locale, its numbers of seats and its bots.
    """
    return Rulesets([summary(title) for title in titles().values()])


@get("/rulesets/{ruleset_id:str}", tags=["rulesets"], opt=KEPT, responses=UNCHANGED)
async def get_ruleset(
    request: Request[Any, Any, Any],
    ruleset_id: RulesetId,
    tables: NamedDependency[Tables],
    data_hash: DataHash = None,
    language: Alone = None,
    digest: Digest = None,
    text_locale: TextLocale = None,
) -> Response[Ruleset]:
    """Get a ruleset with its options, rulings, cards, zones, boards and texts.

    By default these are the data with which new games begin. With a data hash, they are the data with which a game
    began.

    The text of rulings is in the language of Accept-Language, unless you set `language`. With `language`, the texts are
    in that language only, and in English only those for numbers in zones, which identify colours. With `locale`, each
    card has `details` in words; if you also set `language`, they are in that language.
    """
    title = await asked_for(tables, ruleset_id, data_hash)
    locale = locale_of(request.scope, text_locale if language is None else language, title.texts)
    headers = {"content-language": locale}
    if digest == digest_of(title):
        headers["cache-control"] = FOREVER
    content = encoded(title, locale, language is not None, text_locale is not None)
    return await kept(request, content, JSON, headers, await in_thread(squeezed, content, BEST))


@get("/rulesets/{ruleset_id:str}/texts/{locale:str}", tags=["rulesets"], opt=KEPT, responses=UNCHANGED)
async def get_ruleset_texts(
    request: Request[Any, Any, Any],
    ruleset_id: RulesetId,
    locale: Locale,
    tables: NamedDependency[Tables],
    data_hash: DataHash = None,
) -> Response[dict[str, str]]:
    """Get the texts of a ruleset in one language, by message id.

    Messages are in ICU MessageFormat 1. For a message's parameter k (from 0), `{k}` inserts its text, and `nk` is its
    number, for `plural` and `selectordinal`.

    If the ruleset has no texts in this language, they are in English; Content-Language names the language. `GET
    /rulesets/{id}` returns the texts in all languages.
    """
    if not fullmatch(TAG, locale):
        raise Problem("not-found")
    texts = (await asked_for(tables, ruleset_id, data_hash)).texts
    found = locale_of(request.scope, locale, texts)
    return await kept(request, msgspec.json.encode(texts[found]), JSON, {"content-language": found})


@get("/rulesets/{ruleset_id:str}/pictures/{chapter:str}", tags=["rulesets"], media_type=WEBP, opt=DRAWN, responses=UNCHANGED)
async def get_ruleset_picture(
    request: Request[Any, Any, Any], ruleset_id: RulesetId, chapter: ChapterId, digest: Digest = None
) -> Response[bytes]:
    """Get the picture of a chapter of a ruleset's guide.

    It shows a game on our own table. The ruleset's `guide` has its address and size, and the text
    `how.<chapter>.picture` describes it.
    """
    picture = pictures_in(ruleset_at(ruleset_id).package).get(chapter)
    if picture is None:
        raise Problem("not-found")
    headers = {"cache-control": FOREVER} if digest == hash_of(picture.content) else {}
    return await kept(request, picture.content, WEBP, headers)


@get("/rulesets/{ruleset_id:str}/schema", tags=["rulesets"], middleware=[COMPRESSED], opt=operation("no-such-ruleset"))
async def get_ruleset_schema(ruleset_id: RulesetId) -> dict[str, Any]:
    """Get the JSON Schema of a ruleset's options, view, choice and facts.

    The response also has the layout of the ruleset's log. It describes the parts that differ between games and that
    this document leaves open: `options`, `zones` and the `facts` of cards.
    """
    return schemas(ruleset_at(ruleset_id))


async def asked_for(tables: Tables, ruleset_id: str, data_hash: str | None) -> AnyTitle:
    """Return the title of a ruleset, with these data if a hash is given.

    Raises:
        Problem: `no-such-ruleset`; `not-found` if no game here began with these data.
    """
    return await with_data(tables, ruleset_id, bytes.fromhex(data_hash)) if data_hash else ruleset_at(ruleset_id)


async def with_data(tables: Tables, ruleset_id: str, data_hash: bytes) -> AnyTitle:
    """Return the title of a ruleset with these data.

    Raises:
        Problem: `no-such-ruleset`; `not-found` if no game here began with these data.
    """
    ruleset_at(ruleset_id)
    if not provided(ruleset_id, data_hash):
        await load(tables.store.document, ruleset_id, data_hash)
    if not provided(ruleset_id, data_hash):
        raise Problem("not-found")
    return title_of(ruleset_id, data_hash)


@cache
def encoded(title: AnyTitle, locale: str, alone: bool = False, details: bool = False) -> bytes:
    """Encode a ruleset.

    Args:
        alone: without the texts of other languages.
        details: with the details of cards in words.
    """
    body = with_details(title, described(title, locale), locale) if details else described(title, locale)
    return msgspec.json.encode(in_one_language(title, body, locale) if alone else body)


@cache
def digest_of(title: AnyTitle) -> str:
    """Return the digest of the whole ruleset, with the texts of all languages."""
    return hash_of(encoded(title, ENGLISH))

"""The route for the game log of a table in sentences, as JSON or text."""

from collections.abc import Sequence
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency

from ludarium.accounts.access import viewer_of
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.names import isolated
from ludarium.http import past_games
from ludarium.http.negotiation import asked, locale_of
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, Language, TableId
from ludarium.http.rate_limits import LOOK_BACK
from ludarium.platform.locale import language_of
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.routes.tables import VIEWED, Visitor, audience_of
from ludarium.tables.service import Tables
from ludarium.tables.story import Story, story_of, words_of
from ludarium.tables.texts import names_at
from ludarium_engine.story.transcript import plain

TEXT = MediaType.TEXT.value


@get(
    "/tables/{table_id:str}/story", tags=["tables"], responses=past_games.UNCHANGED,
    opt=operation(*VIEWED, headers=("Content-Language", *past_games.HEADERS), also=(TEXT,), price=LOOK_BACK),
)  # fmt: skip
async def get_story(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts],
    projections: NamedDependency[Projections],
    locale: Language = None,
    viewer: As = None,
    after: After = -1,
) -> Response[Story]:
    """Get the game log in sentences, as far as you may know it.

    With `after`, the response has only the part after that event. With `Accept: text/plain`, it is a text with numbered
    turns. `locale` is the language of the lines.
    """
    table, audience = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, audience_of(viewer)))
    if after > table.version:
        raise Problem("future-sequence", seq=table.version)
    found = locale_of(request.scope, locale, table.title.texts)
    wanted = found if locale is None else language_of(locale)
    names = {player: isolated(name) for player, name in (await names_at(accounts, table)).items()}
    words, as_text = words_of(table, found, names), TEXT in asked(request.scope, "Accept")

    def encoded(events: Sequence[LogEntry]) -> bytes:
        lines = story_of(table, events, audience, after, words)
        if as_text:
            return plain(lines, words).encode()
        return past_games.encode(Story(table.id, table.version, words.locale, wanted, lines))

    async def made() -> bytes:
        events = await past_games.rows_of(tables, table)
        return await tables.cache.lookback.run(len(events), lambda: encoded(events))

    question = past_games.Question(
        table, audience, "story", after, wanted, words.locale, *sorted(names.items()),
        media_type=TEXT if as_text else MediaType.JSON,
    )  # fmt: skip
    headers = {"content-language": words.locale}
    return await past_games.answered(request, projections.finished, question, made, headers)

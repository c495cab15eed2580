"""What has happened at a table, in sentences: as JSON, or as text if that is accepted."""

from typing import Annotated, Any

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from engine.story.transcript import plain
from services.accounts.access import looking
from services.accounts.accounts import Accounts
from services.api.answers import COMPRESSED
from services.api.operations import operation
from services.api.parameters import After, As, TableId
from services.api.tables import VIEWED, Visitor, audience_of, names_at
from services.languages import preferred
from services.problems import Problem
from services.tables.commands import stream_of
from services.tables.story import Story, story_of, words_of
from services.tables.tables import Tables

TEXT = MediaType.TEXT.value
Language = Annotated[
    str | None,
    QueryParameter(
        name="locale", pattern="^[a-z]{2,3}$",
        description="`en`, `es`, `hu`; by default as Accept-Language has it. In any other language the story is English.",
    ),
]


@get(
    "/tables/{table_id:str}/story", tags=["tables"], middleware=[COMPRESSED],
    opt=operation(*VIEWED, headers=("Content-Language",), also=(TEXT,)),
)  # fmt: skip
async def story(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts],
    locale: Language = None,
    viewer: As = None,
    after: After = -1,
) -> Response[Story]:
    """What has happened, in sentences, as its viewer may know it; all of it, or what came behind event `after`.

    With `Accept: text/plain` as a text with numbered turns. `locale` tells in which language the lines are.
    """
    stream = stream_of(table_id)
    history, audience = await tables.seen(stream, *looking(visitor, audience_of(viewer)))
    if after > history.version:
        raise Problem("future-sequence", seq=history.version)
    rows = (await tables.hot.rows(stream))[: history.version + 1]
    asked = locale or preferred(request.headers.get("accept-language", ""))
    words = words_of(history, asked, await names_at(accounts, history))
    lines = await tables.hot.workers.run(len(rows), lambda: story_of(history, rows, audience, after, words))
    headers = {"content-language": words.locale, "vary": "Accept, Accept-Language, Authorization"}
    if TEXT in request.headers.get("accept", ""):
        return Response(plain(lines, words), media_type=TEXT, headers=headers)  # type: ignore[arg-type]
    return Response(Story(history.id, history.version, words.locale, asked, lines), headers=headers)

"""Routes for studies, and for comments on finished games."""

import re
from typing import Annotated, Any, cast

from litestar import Request, Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import HeaderParameter, JSONBody, PathParameter, QueryParameter

from ludarium.accounts import relations
from ludarium.accounts.access import Access, viewer_of
from ludarium.accounts.accounts import Accounts
from ludarium.http.answers import is_known
from ludarium.http.operations import operation
from ludarium.http.parameters import LAST, Key, Page, TableId
from ludarium.http.rate_limits import STUDIES, TALK
from ludarium.moderation.acts import Moderation
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.sharing.studies import studies as written
from ludarium.sharing.studies.comments import Comments
from ludarium.sharing.studies.schemas import Comment, CommentPage, NewComment, NewStudy, Study, StudyPage
from ludarium.sharing.studies.studies import Studies
from ludarium.tables.commands import stream_of
from ludarium.tables.model.table_state import TableState
from ludarium.tables.routes.tables import SEEN, Visitor, id_of
from ludarium.tables.service import Tables

AccessDep = NamedDependency[Access]
StudiesDep = NamedDependency[Studies]
CommentsDep = NamedDependency[Comments]
TablesDep = NamedDependency[Tables]
AccountsDep = NamedDependency[Accounts]
DatabaseDep = NamedDependency[Database]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]
StudyId = Annotated[str, PathParameter(description="The study's id.", schema_extra={"pattern": ids.PATTERN})]
CommentId = Annotated[str, PathParameter(description="The comment's id.", schema_extra={"pattern": ids.PATTERN})]
VERSION = r'^(W/)?"[0-9]{1,9}"$'
IfMatch = Annotated[
    str | None,
    HeaderParameter(name="If-Match", pattern=VERSION, description="The `ETag` of the version that you changed."),
]
Version = Annotated[int | None, QueryParameter(ge=1, le=LAST, description="One of its newest 50; by default the last.")]
WRITE_PROBLEMS = ("game-not-started", "game-not-over", "deal-running", "future-sequence", "unkind-words", "key-reused")
UNCHANGED = {304: ResponseSpec(None, description="Not modified since the `If-None-Match` of the request.")}
EXAMPLE = {"title": "How it was lost", "chapters": [{"title": "The turn", "notes": [{"at": 0, "glyph": "mistake"}]}]}


@post(
    "/tables/{table_id:str}/studies", tags=["studies"],
    opt=operation(
        *SEEN, *WRITE_PROBLEMS, "too-many-studies", need="me:write", rate=STUDIES, headers=("ETag", "Location"), example=EXAMPLE
    ),
)  # fmt: skip
async def create_study(
    table_id: TableId, data: JSONBody[NewStudy], access: AccessDep, tables: TablesDep, studies: StudiesDep,
    accounts: AccountsDep, key: Key = None,
) -> Response[Study]:  # fmt: skip
    """Create a study of a game, with chapters, notes, glyphs and arrows on pieces.

    Each chapter begins at an event. Only you can read the study. With `shared`, everyone with the link can; this is
    possible only for finished games.
    """
    table = await table_seen_by(tables, table_id, access)
    study_fields = checked_study(table, data)
    study_id = await accounts.keys.made(identity_of(key, access.player.id, (table_id, data)), "study", access.player.id)
    study = await studies.make(study_id, table.stream, access.player.id, study_fields)
    return Response(study, status_code=201, headers={**etag_header(study), "location": f"/api/v1/studies/{study.id}"})


@get("/tables/{table_id:str}/studies", tags=["studies"], opt=operation("not-found", need="me:read"))
async def list_table_studies(
    table_id: TableId, access: AccessDep, studies: StudiesDep, after: Page = None, limit: Limit = 50
) -> StudyPage:
    """List your studies of a table.

    The newest come first.
    """
    return await studies.page(access.player.id, stream_of(table_id), after, limit)


@get("/studies", tags=["studies"], opt=operation(need="me:read"))
async def list_studies(access: AccessDep, studies: StudiesDep, after: Page = None, limit: Limit = 50) -> StudyPage:
    """List all your studies.

    The newest come first.
    """
    return await studies.page(access.player.id, None, after, limit)


@get(
    "/studies/{study_id:str}", tags=["studies"], opt=operation(*SEEN, "deal-running", headers=("ETag",)), responses=UNCHANGED
)
async def get_study(
    request: Request[Any, Any, Any], study_id: StudyId, visitor: Visitor, tables: TablesDep, studies: StudiesDep,
    version: Version = None,
) -> Response[Study]:  # fmt: skip
    """Get one of your studies, or a shared one.

    `version` selects an older version of your own study. The `ETag` is that of the returned version.
    """
    study = await readable_study(tables, studies, study_id, visitor, version)
    if is_known(request, etag_header(study)["etag"]):
        return Response(cast(Any, None), status_code=304, headers=etag_header(study))
    return Response(study, headers={**etag_header(study), "cache-control": "no-cache"})


@put(
    "/studies/{study_id:str}", tags=["studies"],
    opt=operation(
        *SEEN, *WRITE_PROBLEMS, "if-match-needed", "study-changed", need="me:write", headers=("ETag",), example=EXAMPLE
    ),
)  # fmt: skip
async def change_study(
    study_id: StudyId, data: JSONBody[NewStudy], access: AccessDep, tables: TablesDep, studies: StudiesDep,
    accounts: AccountsDep, match: IfMatch = None, key: Key = None,
) -> Response[Study]:  # fmt: skip
    """Replace your study by a new version.

    Send the `ETag` of the version that you changed as `If-Match`. If there is a newer version, the response is
    `study-changed` (412).
    """
    study = await own_study(studies, study_id, access)
    if match is None:
        raise Problem("if-match-needed")
    study_fields = checked_study(await table_seen_by(tables, study.table, access), data)
    identity = identity_of(key, access.player.id, (study_id, match, data))
    change_id = await accounts.keys.made(identity, "change of a study", access.player.id)
    changed = await studies.change(change_id, study, version_of(match), study_fields)
    return Response(changed, headers=etag_header(changed))


@delete("/studies/{study_id:str}", tags=["studies"], opt=operation("not-found", need="me:write"))
async def delete_study(study_id: StudyId, access: AccessDep, studies: StudiesDep) -> None:
    """Delete your study with all versions.

    This cannot be undone.
    """
    await studies.forget(await own_study(studies, study_id, access))


# --- comments -------------------------------------------------------------------------------------------------------------
@get("/tables/{table_id:str}/comments", tags=["studies"], opt=operation(*SEEN, "deal-running"))
async def list_comments(
    table_id: TableId, visitor: Visitor, tables: TablesDep, comments: CommentsDep, people: DatabaseDep, after: Page = None,
    limit: Limit = 50,
) -> CommentPage:  # fmt: skip
    """List the comments on a finished game, the oldest first.

    Comments of players whom you have blocked, or who have blocked you, are left out.
    """
    table, _ = await tables.queries.seen_by(stream_of(table_id), *viewer_of(visitor, None))
    barred = await relations.blocked_either_way(people, id_of(visitor))
    return await comments.page(table.stream, id_of(visitor), after, limit, barred)


@post(
    "/tables/{table_id:str}/comments", tags=["studies"],
    opt=operation(
        *SEEN, "deal-running", "game-not-over", "future-sequence", "muted", "unkind-words", "key-reused", need="chat",
        rate=TALK, example={"text": "Well played", "at": 0},
    ),
)  # fmt: skip
async def create_comment(
    table_id: TableId, data: JSONBody[NewComment], access: AccessDep, tables: TablesDep, comments: CommentsDep,
    accounts: AccountsDep, moderation: NamedDependency[Moderation], key: Key = None,
) -> Response[Comment]:  # fmt: skip
    """Comment on a finished public game, or on a moment of it.

    Everyone who may see the game can read the comment and report it. You can delete it.
    """
    table = await table_seen_by(tables, table_id, access)
    check_public(table)
    if data.at is not None and data.at > table.version:
        raise Problem("future-sequence", seq=table.version)
    await moderation.check_not_muted(access.player.id)
    comment_id = await accounts.keys.made(identity_of(key, access.player.id, (table_id, data)), "comment", access.player.id)
    return Response(await comments.say(comment_id, table.stream, access.player.id, data), status_code=201)


@delete(
    "/tables/{table_id:str}/comments/{comment_id:str}", tags=["studies"], opt=operation("not-found", "forbidden", need="chat")
)
async def delete_comment(table_id: TableId, comment_id: CommentId, access: AccessDep, comments: CommentsDep) -> None:
    """Delete your comment.

    The server keeps nothing of it.
    """
    found = await comments.found(stream_of(table_id), comment_id)
    if found.player != access.player.id:
        raise Problem("not-found" if found.hidden else "forbidden")
    await comments.forget(found)


# --- permissions -----------------------------------------------------------------------------------------------------------
async def table_seen_by(tables: Tables, table: str, access: Access) -> TableState:
    """Return the latest state of the table that the caller may see."""
    table_state, _ = await tables.queries.seen_by(stream_of(table), *viewer_of(access, None))
    return table_state


def checked_study(table: TableState, study: NewStudy) -> NewStudy:
    """Check a study against the state of its table.

    Raises:
        Problem: `game-not-started`, `game-not-over`, and the problems of `studies.checked`.
    """
    if table.state is None:
        raise Problem("game-not-started")
    if study.shared and not table.is_open_to_all:
        raise Problem("game-not-over")
    return written.checked(study, table.version)


def check_public(table: TableState) -> None:
    """Check that the game is over and not private.

    Raises:
        Problem: `forbidden`, `game-not-over`.
    """
    if table.policies.spectators.are_private:
        raise Problem("forbidden", "for public games")
    if not table.is_open_to_all:
        raise Problem("game-not-over")


async def readable_study(
    tables: Tables, studies: Studies, study_id: str, visitor: Access | None, version: int | None = None
) -> Study:
    """Return a study that belongs to the caller or is shared.

    Raises:
        Problem: `not-found`, and the problems of viewing the table.
    """
    study = await studies.found(study_id, version)
    if id_of(visitor) != study.player:
        await check_reader(tables, study, visitor, version)
    return study


async def check_reader(tables: Tables, study: Study, visitor: Access | None, version: int | None) -> None:
    """Check that the visitor may read another player's study.

    Raises:
        Problem: `not-found`, and the problems of viewing the table.
    """
    if not study.shared or study.hidden or version is not None:
        raise Problem("not-found")
    table, _ = await tables.queries.seen_by(stream_of(study.table), *viewer_of(visitor, None))
    if not table.is_open_to_all:
        raise Problem("not-found")


async def own_study(studies: Studies, study_id: str, access: Access) -> Study:
    """Return a study that belongs to the caller.

    Raises:
        Problem: `not-found`.
    """
    study = await studies.found(study_id)
    if study.player != access.player.id:
        raise Problem("not-found")
    return study


def etag_header(study: Study) -> dict[str, str]:
    return {"etag": f'"{study.version}"'}


def version_of(etag: str) -> int:
    return int(re.sub(r"\D", "", etag))

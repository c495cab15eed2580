"""Routes for imported records."""

from typing import Annotated, Any

from litestar import MediaType, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from ludarium.http.answers import unpacked
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, At, Looking, Page
from ludarium.http.rate_limits import IMPORTS
from ludarium.http.strictness import body_of
from ludarium.platform import ids
from ludarium.projections.replays import ALL_HANDS
from ludarium.projections.routes.lists import MAX_FRAMES
from ludarium.projections.schemas import FramePage, Replay
from ludarium.records.record import GameRecord
from ludarium.sharing.imports import replaying
from ludarium.sharing.imports.imports import Imports
from ludarium.sharing.imports.schemas import ImportBody, ImportPage
from ludarium.tables.event_schemas import EventPage
from ludarium.tables.routes.tables import Caller, audience_of
from ludarium.tables.routes.views import Limit as EventLimit
from ludarium.tables.schemas import TableView
from ludarium_engine.kernel import SPECTATOR

ImportsDep = NamedDependency[Imports]
ImportId = Annotated[str, PathParameter(description="The import's id.", schema_extra={"pattern": ids.PATTERN})]
PROBLEMS = ("not-found", "no-such-seat", "superseded-rules")


@post(
    "/imports", tags=["archive"], request_max_body_size=replaying.MAX_BYTES,
    opt=operation(
        "account-needed", "too-many-imports", "no-record", "record-broken", "record-not-whole", "unknown-ruleset",
        "superseded-rules", need="me:write", rate=IMPORTS, file=GameRecord,
    ),
)  # fmt: skip
async def import_record(request: Request[Any, Any, Any], player: Caller, imports: ImportsDep) -> ImportBody:
    """Import the record of a game that was played elsewhere, at most 8 MiB.

    The body is the file itself. It is checked like with `ludarium verify`: for an invalid record, `record-broken` names
    the first invalid row in `seq`. An import is not a table, and does not appear in any list, statistics or rating.
    Only you can see it. The same file is imported only once.
    """
    await imports.check_room(player)
    return await imports.add(player, await body_of(request))


@get("/imports", tags=["archive"], opt=operation(need="me:read"))
async def list_imports(
    player: Caller, imports: ImportsDep, after: Page = None, limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50
) -> ImportPage:
    """List your imported records.

    The newest come first.
    """
    return await imports.page(player.id, after, limit)


@get("/imports/{import_id:str}", tags=["archive"], opt=operation("not-found", need="me:read"))
async def get_import(import_id: ImportId, player: Caller, imports: ImportsDep) -> ImportBody:
    """Get a summary of an imported record.

    The names are those in the file, and not verified.
    """
    return await imports.one(player.id, import_id)


@delete("/imports/{import_id:str}", tags=["archive"], opt=operation("not-found", need="me:write"))
async def delete_import(import_id: ImportId, player: Caller, imports: ImportsDep) -> None:
    """Delete an imported record.

    The server keeps nothing of it.
    """
    await imports.forget(player.id, import_id)


@get("/imports/{import_id:str}/record", tags=["archive"], opt=operation("not-found", need="me:read", tells=GameRecord))
async def get_imported_record(
    request: Request[Any, Any, Any], import_id: ImportId, player: Caller, imports: ImportsDep
) -> Response[Any]:
    """Download the file of an imported record.

    It has the same bytes as the upload.
    """
    return await unpacked(request, await imports.file(player.id, import_id))


@get("/imports/{import_id:str}/events", tags=["archive"], opt=operation(*PROBLEMS, "future-sequence", need="me:read"))
async def list_imported_events(
    import_id: ImportId, player: Caller, imports: ImportsDep, viewer: As = None, after: After = -1, limit: EventLimit = 100
) -> Response[EventPage]:
    """Get the events of an imported game, by default for spectators.

    They are as in `GET /tables/{id}/events`. The newest event includes the view after it.
    """
    return json(await imports.answer(player.id, import_id, audience(viewer), replaying.events, after, limit))


@get("/imports/{import_id:str}/view", tags=["archive"], opt=operation(*PROBLEMS, "future-sequence", need="me:read"))
async def get_imported_view(
    import_id: ImportId, player: Caller, imports: ImportsDep, viewer: As = None, at: At = None
) -> Response[TableView]:
    """Get the view of an imported game for a seat or for spectators.

    It is the view at the end or, with `at`, after that event.
    """
    return json(await imports.answer(player.id, import_id, audience(viewer), replaying.view, at))


@get("/imports/{import_id:str}/frames", tags=["archive"], opt=operation(*PROBLEMS, need="me:read"))
async def list_imported_frames(
    request: Request[Any, Any, Any],
    import_id: ImportId,
    player: Caller,
    imports: ImportsDep,
    viewer: As = None,
    after: After = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_FRAMES)] = 100,
) -> Response[FramePage]:
    """Get an imported game view by view, as `GET /tables/{id}/frames` does.

    Follow `next` until it is null.
    """
    answer = await imports.answer(player.id, import_id, audience(viewer), replaying.frames, after, limit)
    return await unpacked(request, answer)


@get("/imports/{import_id:str}/replay", tags=["archive"], opt=operation(*PROBLEMS, need="me:read"))
async def get_imported_replay(
    request: Request[Any, Any, Any], import_id: ImportId, player: Caller, imports: ImportsDep, viewer: Looking = None
) -> Response[Replay]:
    """Get an imported game event by event, by default for spectators.

    It is as in `GET /tables/{id}/replay`. With `as=everything`, a complete record shows all hands.
    """
    seen = ALL_HANDS if viewer == "everything" else audience(viewer)
    return await unpacked(request, await imports.answer(player.id, import_id, seen, replaying.replay))


def audience(viewer: str | None) -> int:
    found = audience_of(viewer)
    return SPECTATOR if found is None else found


def json(content: bytes) -> Response[Any]:
    return Response(content, media_type=MediaType.JSON)

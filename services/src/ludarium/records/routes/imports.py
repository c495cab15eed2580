"""Records from elsewhere: brought here, looked at as tables are, taken away again."""

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
from ludarium.projections.replays import EVERYTHING
from ludarium.projections.routes.lists import MOST_FRAMES
from ludarium.projections.schemas import FramePage, Replay
from ludarium.records.record import Record
from ludarium.sharing.imports import replaying
from ludarium.sharing.imports.imports import Imports
from ludarium.sharing.imports.schemas import Import, ImportPage
from ludarium.tables.event_schemas import EventPage
from ludarium.tables.routes.tables import Caller, audience_of
from ludarium.tables.routes.tables import Limit as EventLimit
from ludarium.tables.schemas import TableView
from ludarium_engine.kernel import SPECTATOR

ImportsDep = NamedDependency[Imports]
ImportId = Annotated[str, PathParameter(description="The import's id.", schema_extra={"pattern": ids.PATTERN})]
TOLD = ("not-found", "no-such-seat", "superseded-rules")


@post(
    "/imports", tags=["archive"], request_max_body_size=replaying.LARGEST,
    opt=operation(
        "account-needed", "too-many-imports", "no-record", "record-broken", "record-not-whole", "unknown-ruleset",
        "superseded-rules", need="me:write", rate=IMPORTS, file=Record,
    ),
)  # fmt: skip
async def bring_record(request: Request[Any, Any, Any], player: Caller, imports: ImportsDep) -> Import:
    """Bring the record of a game that was played elsewhere, to look at it here: the file as it is, at most 8 MiB.

    All of it is checked, as `ludarium verify` does: `record-broken` names in `seq` the first row that does not fit. It becomes
    no table, is in no list, figure or rating, and nobody else sees it. The same file is taken once.
    """
    await imports.check_room(player)
    return await imports.take(player, await body_of(request))


@get("/imports", tags=["archive"], opt=operation(need="me:read"))
async def list_imports(
    player: Caller, imports: ImportsDep, after: Page = None, limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50
) -> ImportPage:
    """The records that the caller has brought here.

    The newest first.
    """
    return await imports.page(player.id, after, limit)


@get("/imports/{import_id:str}", tags=["archive"], opt=operation("not-found", need="me:read"))
async def imported(import_id: ImportId, player: Caller, imports: ImportsDep) -> Import:
    """What an imported record says, in short.

    Names are as the file says: nobody has checked them.
    """
    return await imports.one(player.id, import_id)


@delete("/imports/{import_id:str}", tags=["archive"], opt=operation("not-found", need="me:write"))
async def forget_import(import_id: ImportId, player: Caller, imports: ImportsDep) -> None:
    """Take an imported record away again.

    Nothing of it is kept.
    """
    await imports.forget(player.id, import_id)


@get("/imports/{import_id:str}/record", tags=["archive"], opt=operation("not-found", need="me:read", tells=Record))
async def imported_record(
    request: Request[Any, Any, Any], import_id: ImportId, player: Caller, imports: ImportsDep
) -> Response[Any]:
    """The file of an imported record.

    Byte by byte as it came.
    """
    return await unpacked(request, await imports.file(player.id, import_id))


@get("/imports/{import_id:str}/events", tags=["archive"], opt=operation(*TOLD, "future-sequence", need="me:read"))
async def imported_events(
    import_id: ImportId, player: Caller, imports: ImportsDep, viewer: As = None, after: After = -1, limit: EventLimit = 100
) -> Response[EventPage]:
    """The events of an imported game, as `GET /tables/{id}/events` tells those of a table; by default as spectators saw them.

    The newest brings the view after it.
    """
    return json(await imports.told(player.id, import_id, audience(viewer), replaying.events, after, limit))


@get("/imports/{import_id:str}/view", tags=["archive"], opt=operation(*TOLD, "future-sequence", need="me:read"))
async def imported_view(
    import_id: ImportId, player: Caller, imports: ImportsDep, viewer: As = None, at: At = None
) -> Response[TableView]:
    """An imported game as a seat or spectators saw it.

    At its end, or as it was after event `at`.
    """
    return json(await imports.told(player.id, import_id, audience(viewer), replaying.view, at))


@get("/imports/{import_id:str}/frames", tags=["archive"], opt=operation(*TOLD, need="me:read"))
async def imported_frames(
    request: Request[Any, Any, Any],
    import_id: ImportId,
    player: Caller,
    imports: ImportsDep,
    viewer: As = None,
    after: After = -1,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_FRAMES)] = 100,
) -> Response[FramePage]:
    """An imported game view by view, as `GET /tables/{id}/frames` tells that of a table.

    Go from `next` to `next` until it is null.
    """
    told = await imports.told(player.id, import_id, audience(viewer), replaying.frames, after, limit)
    return await unpacked(request, told)


@get("/imports/{import_id:str}/replay", tags=["archive"], opt=operation(*TOLD, need="me:read"))
async def imported_replay(
    request: Request[Any, Any, Any], import_id: ImportId, player: Caller, imports: ImportsDep, viewer: Looking = None
) -> Response[Replay]:
    """An imported game event by event, as `GET /tables/{id}/replay` tells that of a table; by default as spectators saw it.

    With `as=everything` all hands: a whole record has them.
    """
    seen = EVERYTHING if viewer == "everything" else audience(viewer)
    return await unpacked(request, await imports.told(player.id, import_id, seen, replaying.replay))


def audience(viewer: str | None) -> int:
    found = audience_of(viewer)
    return SPECTATOR if found is None else found


def json(content: bytes) -> Response[Any]:
    return Response(content, media_type=MediaType.JSON)

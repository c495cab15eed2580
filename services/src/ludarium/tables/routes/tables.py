"""Tables: open, sit down, start, view, undo, rematch, branch."""

from typing import Annotated, Any, cast
from uuid import UUID

import msgspec
from litestar import Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.access import Access, Player, viewer_of
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import Consent
from ludarium.http import past_games
from ludarium.http.answers import etag_of, is_known
from ludarium.http.operations import operation
from ludarium.http.parameters import After, As, At, Head, Key, TableId
from ludarium.http.past_games import UNCHANGED
from ludarium.http.rate_limits import LOOK_BACK, NEWCOMER, ORGANISER
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.moderation.acts import Moderation
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.projections.bot_quota import BotGameQuota, check_table_quota
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.event_schemas import Accepted, EventPage
from ludarium.tables.invitations import Invitations
from ludarium.tables.model import decisions, seating
from ludarium.tables.model.opening import checked_table
from ludarium.tables.model.seating import Newcomer, check_rated
from ludarium.tables.model.table_state import TableState
from ludarium.tables.queries import MOST_EVENTS
from ludarium.tables.schemas import NewBranch, NewTable, Preference, PresenceBody, Seat, TableBody, TableView, Undo
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR

MORE_TABLES = ("draining", "too-many-tables")
JOINED = ("not-invited", "seat-reserved", "table-closed", "no-guests", "no-bots", "people-only")
SEEN = ("not-found", "forbidden", "log-damaged", "superseded-rules")
VIEWED = (*SEEN, "no-such-seat", "future-sequence")
CHANGED = ("not-found", "forbidden", "busy", "log-damaged", "superseded-rules", "table-full", "key-reused")
COMMANDED = (
    *CHANGED, "not-seated", "game-not-started", "game-over", "stale-sequence", "future-sequence"
)  # fmt: skip
ACTED = (*COMMANDED, "retired", "game-paused", "lost-row", "not-asked", "action-not-offered", "key-in-use", "rules-limit")
Caller = NamedDependency[Player]
AccessDep = NamedDependency[Access]
Visitor = NamedDependency[Access | None]
Limit = Annotated[int, QueryParameter(ge=1, le=MOST_EVENTS, description="The most events in the answer.")]


class Sit(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A seat to take. `seat`: by default the first free one.

    `bot`: seats this bot instead of the caller. `nonce`: up to 32 bytes in hexadecimal, mixed into the randomness of
    the game; anyone can check this once the game is over.
    """

    seat: Seat | None = None
    bot: Annotated[str, Meta(min_length=1, max_length=32)] | None = None
    nonce: Annotated[str, Meta(pattern="^([0-9a-f]{2}){0,32}$")] = ""


def audience_of(viewer: str | None) -> int | None:
    return None if viewer is None else SPECTATOR if viewer == "spectator" else int(viewer)


def id_of(visitor: Access | None) -> str | None:
    return visitor.player.id if visitor else None


def answered(access: Access, accepted: Accepted) -> Accepted:
    """Return the response to a change of a table.

    The response contains events only if the caller's token may `play`.
    """
    return accepted if "play" in access.scopes else Accepted(accepted.seq, accepted.head, [])


async def names_at(accounts: Accounts, table: TableState) -> dict[str, str]:
    """Return the names of the people in the seats, by player id."""
    people = [seated.player for seated in table.seats if seated and seated.player]
    return {id_: player.name for id_, player in (await accounts.named(people)).items()}


async def newcomer(people: Database, player: Player) -> Newcomer:
    return Newcomer(player.kind == "guest", player.owner, await relations.blocked_either_way(people, player.id))


@post(
    "/tables", tags=["tables"],
    opt=operation(
        "key-reused", "unknown-ruleset", "invalid-seats", "invalid-options", "invalid-policies", "unknown-bot", "no-guests",
        *MORE_TABLES, need="tables", rate=NEWCOMER, organisers=ORGANISER, headers=("Location",),
        example={"ruleset": "game-of-kingdoms", "seats": 3, "options": {"version": "ruthless"}},
    ),
)  # fmt: skip
async def create_table(
    data: JSONBody[NewTable],
    player: Caller,
    tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts],
    moderation: NamedDependency[Moderation],
    projections: NamedDependency[Projections],
    key: Key = None,
) -> Response[TableBody]:
    """Open a table. Its host adds bots and starts the game, and need not play.

    Settings that are left out have the ruleset's defaults. The answer's `id` is all that others need to join.
    """
    wanted = checked_table(data)
    check_rated(data.policies, Newcomer(player.kind == "guest", player.owner))
    await moderation.check_not_draining()
    await check_table_quota(projections, player)
    stream = await accounts.keys.made_table(identity_of(key, player.id, data), "table", player.id)
    table = await tables.open(stream, player.id, wanted)
    return Response(table, status_code=201, headers={"location": f"/api/v1/tables/{table.id}"})


@get("/tables/{table_id:str}", tags=["tables"], opt=operation(*SEEN))
async def get_table(
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    presence: NamedDependency[Presence],
) -> TableBody:
    """Get a table as everyone may see it: its rules, seats, progress and viewers.

    A private table is only found by its players and host, by invited players, and by named spectators.
    """
    body = await tables.queries.table(stream_of(table_id), id_of(visitor))
    present = await presence.of(table_id)
    return msgspec.structs.replace(body, presence=PresenceBody(present.seats, present.spectators)) if present else body


@post(
    "/tables/{table_id:str}/seats", tags=["tables"],
    opt=operation(
        *CHANGED, "table-not-open", "seat-taken", "already-seated", "no-such-seat", "unknown-bot", *JOINED,
        "people-only", "too-many-tables", need="tables", example={"bot": "simple"},
    ),
)  # fmt: skip
async def take_seat(
    table_id: TableId,
    data: JSONBody[Sit],
    access: AccessDep,
    tables: NamedDependency[Tables],
    people: NamedDependency[Database],
    projections: NamedDependency[Projections],
    invitations: NamedDependency[Invitations],
    consent: NamedDependency[Consent],
    key: Key = None,
) -> Accepted:
    """Sit down or, with `bot`, add a bot to your table.

    An empty object takes the seat reserved for you, or the first free one. Seats change only before the game starts.
    """
    identity, stream, player = identity_of(key, access.player.id, data), stream_of(table_id), access.player.id
    if (bot := data.bot) is not None:
        accepted = await tables.change(stream, player, lambda t: seating.add_bot(t, player, bot, data.seat), identity)
    else:
        await check_table_quota(projections, access.player)
        who = await newcomer(people, access.player)
        accepted = await tables.sit(
            stream, player, await wanted_seat(tables, invitations, stream, player, data.seat), bytes.fromhex(data.nonce),
            identity, who,
        )  # fmt: skip
        await consent.settle([(stream, player)])
    return answered(access, accepted)


async def wanted_seat(
    tables: Tables, invitations: Invitations, stream: UUID, player: str, seat: int | None
) -> int | None:
    """Return the seat that a player requests or, by default, was invited to.

    Returns:
        None if the player requests no seat, and the seat of the invitation is not free or there is none.
    """
    if seat is not None:
        return seat
    invited = await invitations.seat_of(stream, player)
    table = await tables.cache.fresh(stream) if invited is not None else None
    free = table is not None and invited is not None and table.seats[invited] is None
    return invited if free else None


@delete(
    "/tables/{table_id:str}/seats/{seat:int}", tags=["tables"], status_code=200,
    opt=operation(*CHANGED, "table-not-open", "table-closed", "no-such-seat", need="tables"),
)  # fmt: skip
async def leave_seat(
    table_id: TableId,
    seat: Annotated[int, PathParameter(ge=0, le=15)],
    access: AccessDep,
    tables: NamedDependency[Tables],
    key: Key = None,
) -> Accepted:
    """Leave your seat before the game starts or, at your table, remove a bot.

    You can sit down again, there or elsewhere.
    """
    identity = identity_of(key, access.player.id, ("leave", seat))
    stream, player = stream_of(table_id), access.player.id
    return answered(access, await tables.change(stream, player, lambda t: seating.leave(t, player, seat), identity))


@post(
    "/tables/{table_id:str}/start", tags=["tables"], status_code=200,
    opt=operation(
        *CHANGED, "table-not-open", "seats-empty", "seats-not-ready", "table-closed", "too-many-bot-games", need="tables"
    ),
)  # fmt: skip
async def start_game(
    table_id: TableId, access: AccessDep, tables: NamedDependency[Tables], bot_games: NamedDependency[BotGameQuota],
    key: Key = None,
) -> Accepted:  # fmt: skip
    """Start the game, as the host, when every seat is taken.

    After that the game asks its seats. All who follow the table are notified.
    """
    stream, player = stream_of(table_id), access.player.id
    async with bot_games.room(await tables.cache.fresh(stream), player):
        accepted = await tables.change(stream, player, lambda t: seating.start(t, player), identity_of(key, player, "start"))
    return answered(access, accepted)


@get(
    "/tables/{table_id:str}/view", tags=["tables"], opt=operation(*VIEWED, headers=past_games.HEADERS), responses=UNCHANGED,
)  # fmt: skip
async def get_view(
    request: Request[Any, Any, Any],
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    projections: NamedDependency[Projections],
    viewer: As = None,
    at: At = None,
) -> Response[TableView]:
    """Get the table as a seat or a spectator sees it, with the seat's question.

    The view is the current one or, with `at`, the one after that event. Without a token or a seat, it is the
    spectators' view. Its `ETag` changes with the view.
    """
    looker = viewer_of(visitor, audience_of(viewer))
    if at is not None:
        table, audience = await tables.queries.seen_by(stream_of(table_id), *looker)
        if at < table.version and table.is_open_to_all:
            return await past_view(request, tables, projections, table, audience, at)
    seen = await tables.view(stream_of(table_id), *looker, at)
    etag = etag_of(seen.seq, seen.head)
    if is_known(request, etag):
        return Response(cast(Any, None), status_code=304, headers={"etag": etag})
    return Response(seen, headers={"etag": etag, "cache-control": "no-cache"})


async def past_view(
    request: Request[Any, Any, Any], tables: Tables, projections: Projections, table: TableState, audience: int, at: int
) -> Response[TableView]:
    """Return the response with the view of a finished game after an earlier event."""

    async def made() -> bytes:
        return past_games.encode(await tables.queries.past_view(table.stream, audience, at))

    question = past_games.Question(table, audience, "view", at, fixed=True)
    return await past_games.answered(request, projections.finished, question, made, {})


@get("/tables/{table_id:str}/events", tags=["tables"], opt=operation(*VIEWED, "lost-row", price=LOOK_BACK))
async def list_events(
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    viewer: As = None,
    after: After = -1,
    head: Head = None,
    limit: Limit = 100,
) -> EventPage:
    """List the events of a table as the viewer may see them.

    Events that hide everything have the type `hidden`. `seq` is the same for all viewers. The newest event includes the
    view after it.
    """
    stream = stream_of(table_id)
    audience = await tables.queries.audience(stream, *viewer_of(visitor, audience_of(viewer)))
    if head is not None and after >= 0:
        await tables.queries.check_event(stream, audience, after, head)
    page = await tables.queries.events(stream, audience, after, limit, tables.cache.lookback)
    return EventPage(page, page[-1].seq if len(page) == limit else None)


@post(
    "/tables/{table_id:str}/undo", tags=["tables"], status_code=200,
    opt=operation(*COMMANDED, "retired", "game-paused", "lost-row", "undo-refused", need="play", example={"expected_seq": 12}),
)  # fmt: skip
async def undo_command(
    table_id: TableId, data: JSONBody[Undo], player: Caller, tables: NamedDependency[Tables], key: Key = None
) -> Accepted:
    """Undo your latest command.

    Only if it revealed nothing to others and drew nothing at random. The view's `undo.count` is the number of commands
    that can be undone. The game is then as before; the log contains both.
    """
    return await tables.command(stream_of(table_id), player.id, data, identity_of(key, player.id, data))


@post(
    "/tables/{table_id:str}/preferences", tags=["tables"], status_code=200,
    opt=operation(*COMMANDED, "no-such-seat", need="play", example={"seat": 0, "window": "wave", "on": True}),
)  # fmt: skip
async def set_preference(
    table_id: TableId, data: JSONBody[Preference], player: Caller, tables: NamedDependency[Tables], key: Key = None
) -> Accepted:
    """Set whether your seat always passes a window. Other players do not learn of it.

    The choice lists the names by which it can be passed (`passes`): for all cards or one kind of card, for the game or
    until the turn passes. The ruleset lists its `windows`; `always_passes` of the view has the names that the seat
    passes.
    """
    identity = identity_of(key, player.id, data)
    return await tables.change(stream_of(table_id), player.id, lambda t: decisions.prefer(t, player.id, data), identity)


@post(
    "/tables/{table_id:str}/rematch", tags=["tables"],
    opt=operation(
        *CHANGED, "not-seated", "game-not-over", *MORE_TABLES, need="tables", rate=NEWCOMER, headers=("Location",)
    ),
)  # fmt: skip
async def create_rematch(
    table_id: TableId,
    player: Caller,
    tables: NamedDependency[Tables],
    people: NamedDependency[Database],
    moderation: NamedDependency[Moderation],
    projections: NamedDependency[Projections],
    publisher: NamedDependency[Publisher],
    key: Key = None,
) -> Response[TableBody]:
    """Get the rematch of a finished game, with the same players in the same seats.

    There is one, even if several players ask. The first request opens it, and all who follow the finished table are
    notified. Players who do not want to play leave it before it starts.
    """
    identity_of(key, player.id, "rematch")
    await moderation.check_not_draining()
    await check_table_quota(projections, player)
    table = await tables.rematch(stream_of(table_id), player.id, await newcomer(people, player))
    publisher.publish_rematch(table_id)
    return Response(table, status_code=201, headers={"location": f"/api/v1/tables/{table.id}"})


@post(
    "/tables/{table_id:str}/branches", tags=["tables"],
    opt=operation(
        *SEEN, "key-reused", "no-such-seat", "unknown-bot", "future-sequence", "game-not-started", "game-over", "no-branch",
        "deal-running", "rules-limit", *MORE_TABLES, need="tables", rate=NEWCOMER, headers=("Location",), example={"at": 12},
    ),
)  # fmt: skip
async def create_branch(
    table_id: TableId,
    data: JSONBody[NewBranch],
    player: Caller,
    tables: NamedDependency[Tables],
    accounts: NamedDependency[Accounts],
    moderation: NamedDependency[Moderation],
    projections: NamedDependency[Projections],
    key: Key = None,
) -> Response[TableBody]:
    """Continue a finished game from any event, against bots.

    Or continue a running game, if its policies allow `branches`. A finished game continues exactly as it was. In a
    running game, your seat sees what it knew; everything else is dealt again, each possible deal with equal
    probability. The new table has already begun. It is private for good, and in no list or statistics.
    """
    table = stream_of(table_id)
    await moderation.check_not_draining()
    await check_table_quota(projections, player)
    stream = await accounts.keys.made_table(identity_of(key, player.id, (table_id, data)), "branch", player.id)
    made = await tables.branch(stream, table, player.id, data)
    return Response(made, status_code=201, headers={"location": f"/api/v1/tables/{made.id}"})

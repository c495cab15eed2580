"""Routes to open and view tables, sit down, start, undo, rematch and branch."""

from typing import Annotated
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.access import Access, Player
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import Consent
from ludarium.http.answers import AnyRequest
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, TableId, TextLocale
from ludarium.http.rate_limits import NEWCOMER, ORGANISER
from ludarium.http.texts import answered_in_words, in_words, language_of, texts_for
from ludarium.live.presence import Presence
from ludarium.live.publisher import Publisher
from ludarium.moderation.acts import Moderation
from ludarium.platform.database import Database
from ludarium.platform.idempotency import identity_of
from ludarium.projections.bot_quota import BotGameQuota, check_table_quota
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.invitations import Invitations
from ludarium.tables.model import decisions, seating
from ludarium.tables.model.opening import checked_table
from ludarium.tables.model.seating import Newcomer, check_rated
from ludarium.tables.schemas import NewBranch, NewTable, Preference, PresenceBody, Seat, TableBody, Undo
from ludarium.tables.service import Tables
from ludarium.tables.texts import TableTexts
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


class Sit(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A seat to take.

    - `seat` is by default the first free one.
    - `bot` is a bot to seat instead of the caller.
    - `nonce`, up to 32 bytes in hexadecimal, is mixed into the randomness of the game. Anyone can verify this once the
      game is over.
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
    """Open a table.

    You become its host: you can add bots and start the game, and need not play. Settings that you leave out have the
    ruleset's defaults. Others need only the `id` in the response to join.
    """
    wanted = checked_table(data)
    check_rated(data.policies, Newcomer(player.kind == "guest", player.owner))
    await moderation.check_not_draining()
    await check_table_quota(projections, player)
    stream = await accounts.keys.made_table(identity_of(key, player.id, data), "table", player.id)
    table = await tables.open(stream, player.id, wanted)
    return Response(table, status_code=201, headers={"location": f"/api/v1/tables/{table.id}"})


@get("/tables/{table_id:str}", tags=["tables"], opt=operation(*SEEN, texts=True))
async def get_table(
    request: AnyRequest,
    table_id: TableId,
    visitor: Visitor,
    tables: NamedDependency[Tables],
    table_texts: NamedDependency[TableTexts],
    presence: NamedDependency[Presence],
    locale: TextLocale = None,
) -> Response[TableBody]:
    """Get a table as everyone may see it: its rules, seats, progress and viewers.

    Only its players, its host, invited players and named spectators can find a private table.
    """
    body = await tables.queries.table(stream_of(table_id), id_of(visitor))
    present = await presence.of(table_id)
    if present:
        body = msgspec.structs.replace(body, presence=PresenceBody(present.seats, present.spectators))
    texts = await texts_for(request, table_texts, table_id, SPECTATOR, locale)
    return in_words(texts.table if texts else None, body, language_of(texts))


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
    """Sit down, or add a bot to your table with `bot`.

    With an empty object, you take the seat reserved for you or else the first free one. Seats can change only before
    the game starts.
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
    """Leave your seat before the game starts, or remove a bot from your table.

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
    """Start the game as the host, once every seat is taken.

    After that, the server asks seats for their actions. All who follow the table are notified.
    """
    stream, player = stream_of(table_id), access.player.id
    async with bot_games.room(await tables.cache.fresh(stream), player):
        accepted = await tables.change(stream, player, lambda t: seating.start(t, player), identity_of(key, player, "start"))
    return answered(access, accepted)


@post(
    "/tables/{table_id:str}/undo", tags=["tables"], status_code=200,
    opt=operation(
        *COMMANDED, "retired", "game-paused", "lost-row", "undo-refused", need="play", texts=True,
        example={"expected_seq": 12},
    ),
)  # fmt: skip
async def undo_command(
    request: AnyRequest,
    table_id: TableId,
    data: JSONBody[Undo],
    player: Caller,
    tables: NamedDependency[Tables],
    table_texts: NamedDependency[TableTexts],
    key: Key = None,
    locale: TextLocale = None,
) -> Response[Accepted]:
    """Undo your latest command.

    This is possible only if it revealed nothing to others and drew nothing at random. `undo.count` in the view is the
    number of commands that you can undo. The game returns to its earlier state; the log contains both the command and
    the undo.
    """
    work = tables.command(stream_of(table_id), player.id, data, identity_of(key, player.id, data))
    return await answered_in_words(request, table_texts, table_id, player.id, locale, work)


@post(
    "/tables/{table_id:str}/preferences", tags=["tables"], status_code=200,
    opt=operation(*COMMANDED, "no-such-seat", need="play", example={"seat": 0, "window": "wave", "on": True}),
)  # fmt: skip
async def set_preference(
    table_id: TableId, data: JSONBody[Preference], player: Caller, tables: NamedDependency[Tables], key: Key = None
) -> Accepted:
    """Set whether your seat always passes a window. Other players do not see it.

    `passes` of the choice has the names that you can use: for all cards or one kind of card, for the whole game or
    until the turn passes. The ruleset lists its `windows`. `always_passes` of the view lists the names that your seat
    passes now.
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

    The first request opens the rematch, and all who follow the finished table are notified. Later requests return the
    same table. Players who do not want to play can leave it before it starts.
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

    You can also continue a running game, if its policies allow `branches`. A finished game continues exactly as it was.
    In a running game, your seat sees what it knew. Everything else is dealt again, each possible deal with equal
    probability.

    The new table has already begun. It stays private, and does not appear in any list or statistics.
    """
    table = stream_of(table_id)
    await moderation.check_not_draining()
    await check_table_quota(projections, player)
    stream = await accounts.keys.made_table(identity_of(key, player.id, (table_id, data)), "branch", player.id)
    made = await tables.branch(stream, table, player.id, data)
    return Response(made, status_code=201, headers={"location": f"/api/v1/tables/{made.id}"})

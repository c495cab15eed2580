"""Routes to join a table, and to change its policies before the game."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter
from msgspec import Meta

from ludarium.accounts import relations
from ludarium.accounts.accounts import Accounts
from ludarium.accounts.consent import Consent
from ludarium.http.operations import operation
from ludarium.http.parameters import GuestKey, Key, PlayerId, TableId
from ludarium.http.rate_limits import REJOIN
from ludarium.live.publisher import Publisher
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.idempotency import SECRET_KEY, identity_of
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.invitations import LONGEST, Invitations, Invited, Link, TableGuest
from ludarium.tables.model import seating
from ludarium.tables.model.access import check_host, is_barred, undisclosed
from ludarium.tables.model.opening import check_policies
from ludarium.tables.model.policies import DAY
from ludarium.tables.routes.tables import CHANGED, SEEN, AccessDep, Caller, answered, newcomer
from ludarium.tables.schemas import PoliciesBody, Seat, TableBody, policies_of
from ludarium.tables.service import Tables
from ludarium_engine.registry import titles

DatabaseDep = NamedDependency[Database]
InvitationsDep = NamedDependency[Invitations]
PublisherDep = NamedDependency[Publisher]
TablesDep = NamedDependency[Tables]
LinkId = Annotated[str, PathParameter(description="The link's id.", schema_extra={"pattern": ids.PATTERN})]
Id = Annotated[str, Meta(pattern=ids.PATTERN)]


class ReadyBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Whether the caller is ready to begin under the current policies."""

    ready: bool


class Invite(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An invitation to send to a player, by id.

    `seat` is the seat to reserve for them, if any.
    """

    player: Id
    seat: Seat | None = None


class NewLink(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """An invitation link to create.

    `most` is the number of players who can use it, `seconds` the time for which it is valid.
    """

    most: Annotated[int, Meta(ge=1, le=100)] = 1
    seconds: Annotated[int, Meta(ge=60, le=30 * DAY)] = DAY


class Secret(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The secret of an invitation link."""

    secret: Annotated[str, Meta(min_length=1, max_length=LONGEST)]


class Vacancy(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The seat of an absent player, to be taken over."""

    seat: Seat


class NewHost(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The player to make the host."""

    player: Id


class GuestToken(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The token of the guest who has the seat.

    It is stored on the device that the guest used.
    """

    guest: Annotated[str, Meta(min_length=1, max_length=256, examples=["lud_…"])]


class InvitationList(msgspec.Struct, frozen=True):
    """Links without their secrets, and players who are invited or have used a link."""

    links: list[Link]
    guests: list[TableGuest]


class InvitedPage(msgspec.Struct, frozen=True):
    """The tables to which the caller is invited, the newest first."""

    tables: list[Invited]


@post(
    "/tables/{table_id:str}/policies", tags=["tables"], status_code=200,
    opt=operation(
        *CHANGED, "table-not-open", "table-closed", "invalid-policies", "unknown-bot", "rated-too-late", "no-guests",
        need="tables", example={"undo": "consent", "auto_start": True},
    ),
)  # fmt: skip
async def change_policies(
    table_id: TableId, data: JSONBody[PoliciesBody], access: AccessDep, tables: TablesDep, key: Key = None
) -> Accepted:
    """Replace all policies of your table before the game begins.

    Players who sit there are notified, and must confirm again that they are ready.
    """
    stream, player = stream_of(table_id), access.player.id
    table = await tables.cache.fresh(stream)
    undisclosed(table, player, lambda h: check_host(h, player))
    check_policies(titles()[table.opened.ruleset], data)
    seating.check_rated(data, seating.Newcomer(access.player.kind == "guest", access.player.owner))
    wanted, identity = policies_of(data), identity_of(key, player, data)
    return answered(access, await tables.change(stream, player, lambda h: seating.change_policies(h, player, wanted), identity))


@post(
    "/tables/{table_id:str}/ready", tags=["tables"], status_code=200,
    opt=operation(*CHANGED, "table-not-open", "table-closed", "not-seated", need="tables", example={"ready": True}),
)  # fmt: skip
async def set_ready(
    table_id: TableId, data: JSONBody[ReadyBody], access: AccessDep, tables: TablesDep, key: Key = None
) -> Accepted:
    """Set whether you are ready to begin.

    If you sit down, you count as ready until the policies change. With `auto_start` the game begins when the last
    player is ready.
    """
    player, identity = access.player.id, identity_of(key, access.player.id, data)
    told = await tables.change(stream_of(table_id), player, lambda h: seating.ready(h, player, data.ready), identity)
    return answered(access, told)


@post(
    "/tables/{table_id:str}/host", tags=["tables"], status_code=200,
    opt=operation(*CHANGED, "game-over", "no-such-player", need="tables", example={"player": ids.EXAMPLE}),
)  # fmt: skip
async def hand_over_table(
    table_id: TableId, data: JSONBody[NewHost], access: AccessDep, tables: TablesDep, key: Key = None
) -> Accepted:
    """Make another player at your table its host.

    From then on, they invite players, start the game, and can close the table.
    """
    player, identity = access.player.id, identity_of(key, access.player.id, data)
    told = await tables.change(stream_of(table_id), player, lambda h: seating.hand_over(h, player, data.player), identity)
    return answered(access, told)


@post(
    "/tables/{table_id:str}/take-over", tags=["tables"], status_code=200,
    opt=operation(
        *CHANGED, "account-needed", "invalid-guest", "not-seated", "already-seated", "game-over", "seen-another-hand",
        "deal-closed", "other-board", need="session", example={"guest": "lud_…"},
    ),
)  # fmt: skip
async def take_over_guest_seat(
    table_id: TableId, data: JSONBody[GuestToken], access: AccessDep, accounts: NamedDependency[Accounts], tables: TablesDep,
    key: Key = None,
) -> Accepted:  # fmt: skip
    """Move a seat that you have as a guest to your account.

    Everybody at the table is notified. The guest loses the seat and, if they were the host, the table. You cannot take
    over a seat if you have another seat there, or at another board of the same deal.
    """
    if access.player.kind != "account":
        raise Problem("account-needed")
    player, guest = access.player.id, await accounts.guest(data.guest)
    return await tables.take_over(stream_of(table_id), guest.id, player, identity_of(key, player, ("take-over", guest.id)))


@delete(
    "/tables/{table_id:str}", tags=["tables"], status_code=200,
    opt=operation(*CHANGED, "table-not-open", "table-closed", need="tables"),
)  # fmt: skip
async def cancel_table(table_id: TableId, access: AccessDep, tables: TablesDep, key: Key = None) -> Accepted:
    """Close one of your tables before its game begins.

    The table is then over, without a result. Tables that are not started close automatically, as their policies say.
    """
    player, identity = access.player.id, identity_of(key, access.player.id, "cancel")
    return answered(access, await tables.change(stream_of(table_id), player, lambda h: seating.cancel(h, player), identity))


# --- in mid-game --------------------------------------------------------------------------------------------------------
@post(
    "/tables/{table_id:str}/replacements", tags=["tables"],
    opt=operation(
        *CHANGED, "game-not-started", "game-over", "no-such-seat", "already-seated", "not-vacant", "not-invited", "no-guests",
        "seen-another-hand", need="tables", example={"seat": 1},
    ),
)  # fmt: skip
async def replace_player(
    table_id: TableId, data: JSONBody[Vacancy], access: AccessDep, tables: TablesDep, people: DatabaseDep, key: Key = None
) -> Accepted:
    """Take over the seat of an absent player permanently.

    This is possible only if the policies allow `substitutes`, you may join, and you have not played another seat in
    this game.
    """
    player, identity = access.player.id, identity_of(key, access.player.id, data)
    who = await newcomer(people, access.player)
    return answered(access, await tables.replace(stream_of(table_id), player, data.seat, identity, who))


# --- invitations --------------------------------------------------------------------------------------------------------
@post(
    "/tables/{table_id:str}/invitations", tags=["tables"], status_code=201,
    opt=operation(
        *SEEN, "table-not-open", "table-closed", "no-such-player", "no-such-seat", "seat-taken", "seat-reserved",
        "already-seated", "too-many-invitations", "busy", "key-reused", need="tables", example={"player": ids.EXAMPLE},
    ),
)  # fmt: skip
async def invite_player(
    table_id: TableId,
    data: JSONBody[Invite],
    player: Caller,
    tables: TablesDep,
    consent: NamedDependency[Consent],
    invitations: InvitationsDep,
    key: Key = None,
) -> TableGuest:
    """Invite a player to your table, by their id.

    They can see the table even if it is private, and can sit down even if only invited players can. You can reserve a
    seat for them.
    """
    identity = identity_of(key, player.id, data)
    stream = await own_table(tables, table_id, player.id)
    if data.player not in await consent.reachable(player.id, [data.player]):
        raise Problem("no-such-player")
    until = seating.expires_at(await tables.cache.fresh(stream)) or datetime.now(UTC) + timedelta(seconds=DAY)
    new = await consent.ask(player.id, "table", [(stream, data.player)], until)
    try:
        if (seat := data.seat) is not None:
            await tables.change(stream, player.id, lambda h: seating.reserve(h, player.id, data.player, seat), identity)
        await invitations.invite(stream, data.player)
    except Problem:
        await consent.settle(new)
        raise
    return TableGuest(data.player, "invitation", None)


@post(
    "/tables/{table_id:str}/links", tags=["tables"], status_code=201,
    opt=operation(
        *SEEN, "table-not-open", "table-closed", "too-many-invitations", "key-reused", need="tables", example={"most": 3}
    ),
)  # fmt: skip
async def create_link(
    table_id: TableId,
    data: JSONBody[NewLink],
    player: Caller,
    tables: TablesDep,
    accounts: NamedDependency[Accounts],
    invitations: InvitationsDep,
    key: GuestKey = None,
) -> Link:
    """Create an invitation link, if the policies allow links.

    The response contains its secret. For a day, anyone with the key can get the secret again, so the key must be random
    and used only for this.
    """
    stream = await own_table(tables, table_id, player.id)
    link = await accounts.keys.made(identity_of(key, player.id, (table_id, data), SECRET_KEY), "link", stream)
    return await invitations.new_link(stream, link, data.most, datetime.now(UTC) + timedelta(seconds=data.seconds), key)


@get(
    "/tables/{table_id:str}/invitations", tags=["tables"],
    opt=operation(*SEEN, "table-not-open", "table-closed", need="tables"),
)  # fmt: skip
async def list_invitations(table_id: TableId, player: Caller, tables: TablesDep, invitations: InvitationsDep) -> InvitationList:
    """List the invited players of your table, and its invitation links.

    Links are listed without their secrets, because only hashes of these are stored.
    """
    stream = await own_table(tables, table_id, player.id)
    return InvitationList(await invitations.links(stream), await invitations.guests(stream))


@delete(
    "/tables/{table_id:str}/links/{link_id:str}", tags=["tables"], status_code=204,
    opt=operation(*SEEN, "table-not-open", "table-closed", need="tables"),
)  # fmt: skip
async def revoke_link(
    table_id: TableId, link_id: LinkId, player: Caller, tables: TablesDep, invitations: InvitationsDep, publisher: PublisherDep,
    key: Key = None,
) -> None:  # fmt: skip
    """Revoke an invitation link.

    It stops working. Players who have used it but have not sat down are no longer invited.
    """
    identity_of(key, player.id, ("revoke", table_id, link_id))
    await invitations.revoke_link(await own_table(tables, table_id, player.id), stream_of(link_id))
    publisher.publish_revoked(table_id)


@delete(
    "/tables/{table_id:str}/invitations/{player_id:str}", tags=["tables"], status_code=204,
    opt=operation("not-found", "forbidden", need="tables"),
)  # fmt: skip
async def withdraw_invitation(
    table_id: TableId, player_id: PlayerId, player: Caller, tables: TablesDep, invitations: InvitationsDep,
    publisher: PublisherDep, consent: NamedDependency[Consent], key: Key = None,
) -> None:  # fmt: skip
    """Withdraw an invitation to your table, or decline one of yours.

    A player who has sat down stays.
    """
    identity_of(key, player.id, ("uninvite", table_id, player_id))
    stream = stream_of(table_id) if player_id == player.id else await own_table(tables, table_id, player.id)
    await invitations.revoke(stream, player_id)
    await consent.settle([(stream, player_id)])
    publisher.publish_revoked(table_id)


@post(
    "/invitations/accept", tags=["tables"], status_code=200,
    opt=operation("not-found", "invitation-revoked", "invitation-used", need="tables", rate=REJOIN, example={"secret": "kQ3v"}),
)  # fmt: skip
async def accept_invitation(
    data: JSONBody[Secret], player: Caller, tables: TablesDep, people: DatabaseDep, invitations: InvitationsDep, key: Key = None
) -> TableBody:
    """Accept the invitation of a link.

    After that, you can see the table and take a seat. Repeating the request does not count as another use.
    """
    identity_of(key, player.id, data)
    barred, led = await relations.blocked_either_way(people, player.id), await invitations.led_to(data.secret)
    if led is not None and is_barred(await tables.cache.fresh(led), barred):
        raise Problem("not-found")
    return await tables.queries.table(await invitations.accept(player.id, data.secret), player.id)


@get("/me/invitations", tags=["players"], opt=operation(need="me:read"))
async def list_own_invitations(
    player: Caller, people: DatabaseDep, invitations: InvitationsDep, projections: NamedDependency[Projections]
) -> InvitedPage:
    """List the tables to which you are invited, the newest first.

    The list includes invitations by link, and tables where you already sit.
    """
    await projections.turns_settled()
    return InvitedPage(await invitations.of(player.id, await relations.blocked_either_way(people, player.id)))


async def own_table(tables: Tables, table_id: str, player: str) -> UUID:
    """Return a table whose host is the player and which can be joined.

    Raises:
        Problem: The player is not its host, or it cannot be joined.
    """
    table = await tables.cache.fresh(stream_of(table_id))
    undisclosed(table, player, lambda h: check_host(h, player))
    if not table.policies.substitutes or table.status != "playing":
        seating.check_open(table)
    return table.stream

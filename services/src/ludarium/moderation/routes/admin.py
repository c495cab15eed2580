"""Routes for moderators: searches, acts and the audit log."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, Page, PlayerId, TableId
from ludarium.moderation.acts import Act, Moderation, NewAct, Reason
from ludarium.moderation.lookups import FoundPlayer, PlayerLookup, ReceivedReport
from ludarium.moderation.table_acts import NewTableAct, apply_table_act
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import OwnTable
from ludarium.tables.commands import stream_of
from ludarium.tables.routes.tables import CHANGED
from ludarium.tables.schemas import TableBody
from ludarium.tables.service import Tables
from ludarium.tables.views import table_body
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.routes.tournaments import TournamentId

AccessDep = NamedDependency[Access]
ModerationDep = NamedDependency[Moderation]
PlayerLookupDep = NamedDependency[PlayerLookup]
AccountsDep = NamedDependency[Accounts]
TablesDep = NamedDependency[Tables]
ReportId = Annotated[str, PathParameter(description="The report's id.", schema_extra={"pattern": ids.PATTERN})]
WritingId = Annotated[
    str, PathParameter(description="The id of a comment or a study.", schema_extra={"pattern": ids.PATTERN})
]
SearchText = Annotated[
    str, QueryParameter(max_length=64, description="An id, or the beginning of a login or a name; by default all players.")
]
AboutPlayer = Annotated[str | None, QueryParameter(pattern=ids.PATTERN, description="Only acts about this player.")]


class Because(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for an act."""

    reason: Reason


class NewDrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether to refuse new tables, for example before the server stops.

    Set `on` to false to accept them again. Players whose tables are refused see the reason.
    """

    on: bool
    reason: Reason


class Draining(msgspec.Struct, frozen=True):
    """The reason why new tables are refused; null if they are accepted."""

    reason: str | None


@get("/admin/players", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def find_players(access: AccessDep, known: PlayerLookupDep, wanted: SearchText = "") -> list[FoundPlayer]:
    """Find players and their bots.

    The newest come first, 50 at most.
    """
    return await known.find(wanted)


@get("/admin/players/{player_id:str}/tables", tags=["moderation"], opt=operation("not-found", "passkey-needed", need="admin"))
async def list_player_tables(
    player_id: PlayerId, access: AccessDep, projections: NamedDependency[Projections]
) -> list[OwnTable]:
    """List a player's tables, including private ones.

    The newest 50 are returned, the newest first.
    """
    return (await projections.own_tables(player_id, None, None, None, 50)).tables


@get(
    "/admin/tables/{table_id:str}", tags=["moderation"],
    opt=operation("not-found", "log-damaged", "superseded-rules", "passkey-needed", need="admin"),
)  # fmt: skip
async def inspect_table(table_id: TableId, access: AccessDep, tables: TablesDep) -> TableBody:
    """Get a table as spectators see it, even if it is private.

    Moderators see no hidden cards.
    """
    return table_body(await tables.cache.fresh(stream_of(table_id)))


@post(
    "/admin/players/{player_id:str}/acts", tags=["moderation"], status_code=204,
    opt=operation(
        "not-found", "forbidden", "unkind-words", "key-reused", need="admin-act",
        example={"act": "mute", "seconds": 86_400, "reason": "Insults at the table, after a warning"},
    ),
)  # fmt: skip
async def act_on_player(
    player_id: PlayerId, data: JSONBody[NewAct], access: AccessDep, moderation: ModerationDep, accounts: AccountsDep,
    key: Key = None,
) -> None:  # fmt: skip
    """Warn, mute, ban or rename a player, undo that, or end all their tokens.

    A banned player cannot sign in, play or write. Their sockets end within two seconds, and their games treat them as
    absent. Only administrators can revoke tokens or ban for more than 30 days. The player must have a lower rank than
    you.
    """
    made = await accounts.keys.made(identity_of(key, access.player.id, (player_id, data)), "act", access.player.id)
    await moderation.act(access, player_id, data, made)


@post(
    "/admin/tables/{table_id:str}/acts", tags=["moderation"], status_code=204,
    opt=operation(
        *CHANGED, "game-over", "plays-there", "not-rated", "forbidden", need="admin-act",
        example={"act": "void", "reason": "A table of spam"},
    ),
)  # fmt: skip
async def act_on_table(
    table_id: TableId, data: JSONBody[NewTableAct], access: AccessDep, tables: TablesDep, moderation: ModerationDep,
    accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Close a table, end it without a result, or take its game out of the ratings.

    You cannot act on a table where you or your bot have or had a seat. A closed game is never rated.
    """
    if data.act == "unrate" and access.role != "admin":
        raise Problem("forbidden", "for administrators")
    identity = identity_of(key, access.player.id, (table_id, data))
    await apply_table_act(tables, moderation, accounts, access, table_id, data, identity)


@get("/admin/reports", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def list_reports(
    access: AccessDep, known: PlayerLookupDep, closed: FromQuery[bool] = False, after: Page = None
) -> list[ReceivedReport]:
    """List reports, the newest first, 50 a page.

    For the next page, send the id of the last one as `after`.
    """
    return await known.reports(closed, after)


@post(
    "/admin/reports/{report_id:str}/close", tags=["moderation"], status_code=204,
    opt=operation("not-found", "key-reused", need="admin-act", example={"reason": "Warned"}),
)  # fmt: skip
async def close_report(
    report_id: ReportId, data: JSONBody[Because], access: AccessDep, known: PlayerLookupDep, moderation: ModerationDep,
    accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Close a report and record the outcome.

    The reporter's identity is not disclosed.
    """
    about = await known.player_of_report(report_id)
    if about is None:
        raise Problem("not-found")
    made = await accounts.keys.made(identity_of(key, access.player.id, (report_id, data)), "act", access.player.id)
    await moderation.record(access, "report", made, data.reason, ids.decode(report_id), player=about or None)


@post(
    "/admin/writings/{writing_id:str}/hide", tags=["moderation"], status_code=204,
    opt=operation("not-found", "key-reused", need="admin-act", example={"reason": "Insults"}),
)  # fmt: skip
async def hide_writing(
    writing_id: WritingId, data: JSONBody[Because], access: AccessDep, known: PlayerLookupDep, moderation: ModerationDep,
    accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Hide a comment or shared study from everyone except its author.

    The author sees the reason, but not the moderator's name.
    """
    author = await known.author(writing_id)
    if author is None:
        raise Problem("not-found")
    made = await accounts.keys.made(identity_of(key, access.player.id, (writing_id, data)), "act", access.player.id)
    await moderation.record(access, "hide", made, data.reason, ids.decode(writing_id), player=author)


@post(
    "/admin/tournaments/{tournament_id:str}/listed-names/{player_id:str}/withdraw", tags=["moderation"], status_code=204,
    opt=operation(
        "not-found", "log-damaged", "superseded-rules", "newer-release", "key-reused", need="admin-act",
        example={"reason": "An insult"},
    ),
)  # fmt: skip
async def withdraw_listed_name(
    tournament_id: TournamentId, player_id: PlayerId, data: JSONBody[Because], access: AccessDep,
    listed_names: NamedDependency[ListedNames], moderation: ModerationDep, accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Withdraw the name under which a player is listed in a tournament.

    From then on, the tournament shows the name of their account, and neither they nor a host can set another one. The
    player sees the reason, but not the moderator's name.
    """
    stream, by = stream_of(tournament_id), access.player.id
    made = await accounts.keys.made(identity_of(key, by, (tournament_id, player_id, data)), "act", by)
    if tournament_id not in await listed_names.of_player(player_id) and not await moderation.is_recorded(made):
        raise Problem("not-found")
    await moderation.record(access, "unlist", made, data.reason, player=player_id, table=ids.encode(stream))


@get("/admin/acts", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def list_acts(access: AccessDep, moderation: ModerationDep, about: AboutPlayer = None, after: Page = None) -> list[Act]:
    """List the audit of all moderation acts, the newest first, 50 a page.

    For the next page, send the id of the last one as `after`. Entries are never changed.
    """
    return await moderation.acts(about, after)


@get("/admin/drain", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def get_draining(access: AccessDep, moderation: ModerationDep) -> Draining:
    """Get whether new tables are accepted.

    The response applies to all processes of the service.
    """
    return Draining(await moderation.drain_reason())


@post(
    "/admin/drain", tags=["moderation"], status_code=204,
    opt=operation("forbidden", "key-reused", need="admin-act", example={"on": False, "reason": "All is well again"}),
)  # fmt: skip
async def set_draining(
    data: JSONBody[NewDrain], access: AccessDep, moderation: ModerationDep, accounts: AccountsDep, key: Key = None
) -> None:
    """Refuse new tables, for example before a stop, or accept them again.

    Only administrators can use this. Running games continue.
    """
    if access.role != "admin":
        raise Problem("forbidden", "for administrators")
    made = await accounts.keys.made(identity_of(key, access.player.id, data), "act", access.player.id)
    await moderation.record(access, "drain" if data.on else "undrain", made, data.reason)

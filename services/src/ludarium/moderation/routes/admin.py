"""What moderators look up and do. Each act has a reason, and stands in the audit."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, Page, PlayerId, TableId
from ludarium.moderation.acts import Act, Moderation, NewAct, Notice, Reason
from ludarium.moderation.lookups import FoundPlayer, People, ReceivedReport
from ludarium.moderation.table_acts import NewTableAct, end_table
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import OwnTable
from ludarium.tables.commands import stream_of
from ludarium.tables.routes.tables import CHANGED, Caller
from ludarium.tables.schemas import TableBody
from ludarium.tables.service import Tables
from ludarium.tables.views import table_body
from ludarium.tournaments.listed_names import ListedNames
from ludarium.tournaments.routes.tournaments import TournamentId

AccessDep = NamedDependency[Access]
ModerationDep = NamedDependency[Moderation]
PeopleDep = NamedDependency[People]
AccountsDep = NamedDependency[Accounts]
TablesDep = NamedDependency[Tables]
ReportId = Annotated[str, PathParameter(description="The report's id.", schema_extra={"pattern": ids.PATTERN})]
WritingId = Annotated[
    str, PathParameter(description="The id of a comment or a study.", schema_extra={"pattern": ids.PATTERN})
]
Wanted = Annotated[
    str, QueryParameter(max_length=64, description="An id, or what a login or a name begins with; by default anybody.")
]
About = Annotated[str | None, QueryParameter(pattern=ids.PATTERN, description="Acts about this player alone.")]


class Because(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    reason: Reason


class NewDrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """on: no new tables; off: tables are taken again. The reason is told to who would open one."""

    on: bool
    reason: Reason


class Draining(msgspec.Struct, frozen=True):
    """reason: why no new tables are taken; null: they are."""

    reason: str | None


@get("/admin/players", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def find_players(access: AccessDep, known: PeopleDep, wanted: Wanted = "") -> list[FoundPlayer]:
    """Find people, and bots of theirs.

    The newest first, 50 at most.
    """
    return await known.find(wanted)


@get("/admin/players/{player_id:str}/tables", tags=["moderation"], opt=operation("not-found", "passkey-needed", need="admin"))
async def tables_of_player(
    player_id: PlayerId, access: AccessDep, projections: NamedDependency[Projections]
) -> list[OwnTable]:
    """The tables of somebody, also those that are private.

    The newest first, 50 at most.
    """
    return (await projections.own_tables(player_id, None, None, None, 50)).tables


@get(
    "/admin/tables/{table_id:str}", tags=["moderation"],
    opt=operation("not-found", "log-damaged", "superseded-rules", "passkey-needed", need="admin"),
)  # fmt: skip
async def find_table(table_id: TableId, access: AccessDep, tables: TablesDep) -> TableBody:
    """A table as everybody may know it who finds it, also if it is private.

    What lies hidden on it is for no moderator either.
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
    """Warn somebody; mute, ban or rename them; take that back; end all their tokens.

    Who is banned is not signed in, plays and says nothing until then; sockets end within two seconds, and games take them
    for absent. To revoke, and to ban for more than 30 days, takes an administrator; nobody acts on who stands as high.
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

    Nobody acts on a table where they or a bot of theirs have or had a seat. A closed game is never rated.
    """
    if data.act == "unrate" and access.role != "admin":
        raise Problem("forbidden", "for administrators")
    identity = identity_of(key, access.player.id, (table_id, data))
    await end_table(tables, moderation, accounts, access, table_id, data, identity)


@get("/admin/reports", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def list_reports(
    access: AccessDep, known: PeopleDep, closed: FromQuery[bool] = False, after: Page = None
) -> list[ReceivedReport]:
    """What people have reported, the newest first, 50 at a time.

    The last one's id is the `after` of the next page.
    """
    return await known.reports(closed, after)


@post(
    "/admin/reports/{report_id:str}/close", tags=["moderation"], status_code=204,
    opt=operation("not-found", "key-reused", need="admin-act", example={"reason": "Warned"}),
)  # fmt: skip
async def close_report(
    report_id: ReportId, data: JSONBody[Because], access: AccessDep, known: PeopleDep, moderation: ModerationDep,
    accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Close a report: say what came of it.

    Who has reported is not told.
    """
    about = await known.reported(report_id)
    if about is None:
        raise Problem("not-found")
    made = await accounts.keys.made(identity_of(key, access.player.id, (report_id, data)), "act", access.player.id)
    await moderation.record(access, "report", made, data.reason, ids.decode(report_id), player=about or None)


@post(
    "/admin/writings/{writing_id:str}/hide", tags=["moderation"], status_code=204,
    opt=operation("not-found", "key-reused", need="admin-act", example={"reason": "Insults"}),
)  # fmt: skip
async def hide_writing(
    writing_id: WritingId, data: JSONBody[Because], access: AccessDep, known: PeopleDep, moderation: ModerationDep,
    accounts: AccountsDep, key: Key = None,
) -> None:  # fmt: skip
    """Take a comment or a shared study away from everybody but who wrote it.

    They are told why, and not by whom.
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

    From then on the player has the name of their account there, and neither they nor a host can give them another one. They are
    told why, and not by whom.
    """
    stream, by = stream_of(tournament_id), access.player.id
    made = await accounts.keys.made(identity_of(key, by, (tournament_id, player_id, data)), "act", by)
    if tournament_id not in await listed_names.of_player(player_id) and not await moderation.is_recorded(made):
        raise Problem("not-found")
    await moderation.record(access, "unlist", made, data.reason, player=player_id, table=ids.encode(stream))


@get("/admin/acts", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def list_acts(access: AccessDep, moderation: ModerationDep, about: About = None, after: Page = None) -> list[Act]:
    """The audit: who did what to whom, when and why; the newest first, 50 at a time.

    The last one's id is the `after` of the next page. Nobody changes what stands there.
    """
    return await moderation.acts(about, after)


@get("/admin/drain", tags=["moderation"], opt=operation("passkey-needed", need="admin"))
async def is_draining(access: AccessDep, moderation: ModerationDep) -> Draining:
    """Whether new tables are taken.

    In all processes of the house alike.
    """
    return Draining(await moderation.draining())


@post(
    "/admin/drain", tags=["moderation"], status_code=204,
    opt=operation("forbidden", "key-reused", need="admin-act", example={"on": False, "reason": "All is well again"}),
)  # fmt: skip
async def drain(
    data: JSONBody[NewDrain], access: AccessDep, moderation: ModerationDep, accounts: AccountsDep, key: Key = None
) -> None:
    """Take no new tables, as before a stop; or take them again. For administrators.

    Games go on.
    """
    if access.role != "admin":
        raise Problem("forbidden", "for administrators")
    made = await accounts.keys.made(identity_of(key, access.player.id, data), "act", access.player.id)
    await moderation.record(access, "drain" if data.on else "undrain", made, data.reason)


@get("/me/notices", tags=["players"], opt=operation(need="me:read"))
async def list_notices(player: Caller, moderation: ModerationDep) -> list[Notice]:
    """What moderators did about the caller, and why, the newest first.

    Not who they are.
    """
    return await moderation.notices(player.id)

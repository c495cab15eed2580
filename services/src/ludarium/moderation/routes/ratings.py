"""Routes with which administrators find and undo rating fraud."""

from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter
from msgspec import Meta

from ludarium.accounts.access import Access
from ludarium.accounts.accounts import Accounts
from ludarium.http.operations import operation
from ludarium.http.parameters import Key, Ruleset
from ludarium.moderation.acts import Moderation, Reason
from ludarium.moderation.table_acts import NewTableAct, apply_table_act
from ludarium.platform import ids
from ludarium.platform.idempotency import identity_of
from ludarium.platform.problems import Problem
from ludarium.projections.rated_pairs import RatedPair
from ludarium.projections.registry import Projections
from ludarium.tables.commands import stream_of
from ludarium.tables.service import Tables
from ludarium.tournaments import player_commands
from ludarium.tournaments.player_commands import MOST_OFFICIALS
from ludarium.tournaments.routes.tournaments import CHANGED, TournamentId, done_body
from ludarium.tournaments.schemas.tournaments import ActBody
from ludarium.tournaments.store import TournamentStore

AccessDep = NamedDependency[Access]
ModerationDep = NamedDependency[Moderation]
AccountsDep = NamedDependency[Accounts]
ProjectionsDep = NamedDependency[Projections]
PlayerRef = Annotated[str, Meta(pattern=ids.PATTERN)]
AboutPlayer = Annotated[str | None, QueryParameter(pattern=ids.PATTERN, description="Only pairs with this player.")]


class NewRatingVoid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Players whose common rated games no longer count.

    `players` are two or more who all played in these games. `ruleset` limits this to the games of one ruleset.
    """

    players: Annotated[list[PlayerRef], Meta(min_length=2, max_length=16)]
    reason: Reason
    ruleset: str | None = None


class VoidedGames(msgspec.Struct, frozen=True):
    """The games that were taken out of the ratings.

    `tables` are the tables of these games. If `more` is true, repeat the request for the rest.
    """

    tables: list[str]
    more: bool


class NewSanction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The officials of a tournament for whom the site vouches.

    `officials` are the owner, hosts or arbiters. An empty list ends the sanction.
    """

    officials: Annotated[list[PlayerRef], Meta(max_length=MOST_OFFICIALS)]
    reason: Reason


@get("/admin/ratings/pairs", tags=["moderation"], opt=operation("forbidden", "passkey-needed", need="admin"))
async def list_rated_pairs(
    access: AccessDep, projections: ProjectionsDep, about: AboutPlayer = None, ruleset: Ruleset = None
) -> list[RatedPair]:
    """List pairs of players by their rated games against each other.

    The 50 pairs with the most lopsided results come first. Only administrators can use this. Many games, a score near 0
    or near their number, and many resignations suggest that one player gives rating to the other.
    """
    administrators_only(access)
    return await projections.rated_pairs(about, ruleset)


@post(
    "/admin/ratings/voids", tags=["moderation"], status_code=200,
    opt=operation(
        "forbidden", "plays-there", "key-reused", need="admin-act",
        example={"players": [ids.EXAMPLE, "1".zfill(26)], "reason": "One lost on purpose"},
    ),
)  # fmt: skip
async def void_ratings(
    data: JSONBody[NewRatingVoid], access: AccessDep, projections: ProjectionsDep, tables: NamedDependency[Tables],
    moderation: ModerationDep, accounts: AccountsDep, key: Key = None,
) -> VoidedGames:  # fmt: skip
    """Take the rated games that these players finished together out of the ratings.

    A request covers up to 100 games. Only administrators who played in none of them can use this. All ratings after the
    first of these games are computed again. Each table gets a `rating_voided` event and an entry in the audit.
    """
    administrators_only(access)
    if access.player.id in data.players:
        raise Problem("plays-there")
    found = await projections.rated_games_of(data.players, data.ruleset)
    for table in found.tables:
        identity = identity_of(key, access.player.id, (table, data))
        await apply_table_act(tables, moderation, accounts, access, table, NewTableAct("unrate", data.reason), identity)
    return VoidedGames(found.tables, found.more)


@post(
    "/admin/tournaments/{tournament_id:str}/sanction", tags=["moderation"], status_code=200,
    opt=operation(
        *CHANGED, "forbidden", "not-arbiter", "tournament-over", need="admin-act",
        example={"officials": [ids.EXAMPLE], "reason": "The club's arbiter"},
    ),
)  # fmt: skip
async def sanction_tournament(
    tournament_id: TournamentId, data: JSONBody[NewSanction], access: AccessDep, tournaments: NamedDependency[TournamentStore],
    moderation: ModerationDep, accounts: AccountsDep, key: Key = None,
) -> ActBody:  # fmt: skip
    """Vouch for officials of a tournament: their later rulings count for ratings.

    Only administrators can use this. Without it, a ruling counts only in the tournament. It does not apply to tables
    where a sanctioned official plays. It is public: the tournament's `officials` show it.
    """
    administrators_only(access)
    stream, by = stream_of(tournament_id), access.player.id
    player_commands.sanction(await tournaments.fresh(stream), by, data.officials)
    identity = identity_of(key, by, (tournament_id, data))
    made = await accounts.keys.made(identity, "act", by)
    await moderation.record(access, "sanction", made, data.reason, table=tournament_id)
    return done_body(await tournaments.change(stream, lambda s: player_commands.sanction(s, by, data.officials), identity))


def administrators_only(access: Access) -> None:
    if access.role != "admin":
        raise Problem("forbidden", "for administrators")

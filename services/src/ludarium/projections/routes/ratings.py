"""Routes for ratings."""

from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromQuery, QueryParameter

from ludarium.accounts import profiles
from ludarium.http.operations import operation
from ludarium.http.parameters import PlayerId, RulesetId
from ludarium.platform.database import Database
from ludarium.projections.ratings import MAX_RANKED
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import Leaderboard, PlayerRatings, RankedPlayer
from ludarium.tables.model.rulesets import ruleset_at
from ludarium.tables.routes.tables import Visitor, id_of
from ludarium_pairing.ratings import Size

ProjectionsDep = NamedDependency[Projections]
DatabaseDep = NamedDependency[Database]


@get("/rulesets/{ruleset_id:str}/ratings", tags=["archive"], opt=operation("no-such-ruleset"))
async def get_leaderboard(
    ruleset_id: RulesetId, projections: ProjectionsDep, people: DatabaseDep, visitor: Visitor, size: FromQuery[Size] = "two",
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_RANKED)] = 100,
) -> Leaderboard:  # fmt: skip
    """Get the best players of a ruleset, at tables of two seats or of many.

    Only rated games count, and only the first 1,000 players are ranked. Deleted players and players who hide their
    history keep their rank, but are not listed.
    """
    ruleset_at(ruleset_id)
    ranked = await projections.best((ruleset_id, size))
    names = await profiles.names_with_history(people, [one.player for one in ranked], id_of(visitor))
    listed = [RankedPlayer(one.place, one.player, names[one.player], one.rating) for one in ranked if one.player in names]
    return Leaderboard(ruleset_id, size, listed[:limit])


@get("/players/{player_id:str}/ratings", tags=["players"], opt=operation("not-found"))
async def get_player_ratings(
    player_id: PlayerId, projections: ProjectionsDep, people: DatabaseDep, visitor: Visitor
) -> PlayerRatings:
    """Get a player's rating in each ruleset, with its history game by game.

    If the profile `hides_history`, others get an empty list.
    """
    found = await profiles.profile(people, player_id)
    hidden = found.hides_history and id_of(visitor) != player_id
    return PlayerRatings(player_id, [] if hidden else await projections.ratings_of(player_id))

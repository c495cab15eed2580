"""Routes for the caller's follows and blocks."""

from litestar import delete, get, put
from litestar.di import NamedDependency

from ludarium.accounts import relations
from ludarium.accounts.access import Player
from ludarium.accounts.relations import Tie
from ludarium.http.operations import operation
from ludarium.http.parameters import PlayerId
from ludarium.platform.database import Database

Caller = NamedDependency[Player]
DatabaseDep = NamedDependency[Database]


@get("/me/follows", tags=["players"], opt=operation(need="me:read"))
async def list_follows(player: Caller, people: DatabaseDep) -> list[Tie]:
    """List the players that you follow, the newest first.

    `GET /tables?friends=true` lists the tables where they play.
    """
    return await relations.relations_of(people, "follows", player.id)


@put(
    "/me/follows/{player_id:str}", tags=["players"], status_code=204,
    opt=operation("not-found", "too-many-ties", need="me:write"),
)  # fmt: skip
async def follow_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Follow a player, to find their tables. The player does not see this.

    You cannot find a player who has blocked you.
    """
    await relations.follow(people, player.id, player_id)


@delete("/me/follows/{player_id:str}", tags=["players"], opt=operation("not-found", need="me:write"))
async def unfollow_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Stop following a player.

    This succeeds even if you did not follow them.
    """
    await relations.remove_relation(people, "follows", player.id, player_id)


@get("/me/blocks", tags=["players"], opt=operation(need="me:read"))
async def list_blocks(player: Caller, people: DatabaseDep) -> list[Tie]:
    """List the players that you have blocked, the newest first.

    Blocked players do not see that they are blocked.
    """
    return await relations.relations_of(people, "blocks", player.id)


@put(
    "/me/blocks/{player_id:str}", tags=["players"], status_code=204,
    opt=operation("not-found", "too-many-ties", need="me:write"),
)  # fmt: skip
async def block_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Block a player: you share no chat, invitations, quick matches or tables.

    It applies in both directions. To the other player, your tables look like tables to which they were not invited.
    """
    await relations.block(people, player.id, player_id)


@delete("/me/blocks/{player_id:str}", tags=["players"], opt=operation("not-found", need="me:write"))
async def unblock_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Unblock a player.

    This succeeds even if you had not blocked them.
    """
    await relations.remove_relation(people, "blocks", player.id, player_id)

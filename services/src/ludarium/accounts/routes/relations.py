"""Whom one follows, and whom one blocks."""

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
    """Whom one follows, the newest first.

    `GET /tables?friends=true` shows where they play.
    """
    return await relations.relations_of(people, "follows", player.id)


@put(
    "/me/follows/{player_id:str}", tags=["players"], status_code=204,
    opt=operation("not-found", "too-many-ties", need="me:write"),
)  # fmt: skip
async def follow_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Follow somebody, to find their tables. Nobody is told.

    Who has blocked the caller is not found.
    """
    await relations.follow(people, player.id, player_id)


@delete("/me/follows/{player_id:str}", tags=["players"], opt=operation("not-found", need="me:write"))
async def unfollow_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Follow somebody no longer.

    Also if one did not.
    """
    await relations.remove_relation(people, "follows", player.id, player_id)


@get("/me/blocks", tags=["players"], opt=operation(need="me:read"))
async def list_blocks(player: Caller, people: DatabaseDep) -> list[Tie]:
    """Whom one has blocked, the newest first.

    Nobody is told by whom they were blocked.
    """
    return await relations.relations_of(people, "blocks", player.id)


@put(
    "/me/blocks/{player_id:str}", tags=["players"], status_code=204,
    opt=operation("not-found", "too-many-ties", need="me:write"),
)  # fmt: skip
async def block_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Have nothing to do with somebody any more: no chat, no invitations, no quick match, no table of each other's.

    It holds both ways. To them the caller's tables look like any to which they were not invited.
    """
    await relations.block(people, player.id, player_id)


@delete("/me/blocks/{player_id:str}", tags=["players"], opt=operation("not-found", need="me:write"))
async def unblock_player(player_id: PlayerId, player: Caller, people: DatabaseDep) -> None:
    """Block somebody no longer.

    Also if one did not.
    """
    await relations.remove_relation(people, "blocks", player.id, player_id)

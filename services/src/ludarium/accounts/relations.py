"""Follows and blocks. A block by either player applies to both."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import msgspec

from ludarium.accounts.access import Player
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

MAX_RELATIONS = 1000
"""Maximum number of players that one player can follow, and likewise block."""
Kind = Literal["follows", "blocks"]


class Tie(msgspec.Struct, frozen=True):
    """A player whom the caller follows or blocks, and since when."""

    player: Player
    at: datetime


async def follows(pool: Database, player: str) -> frozenset[str]:
    rows = await pool.rows("select other_id from accounts.follows where player_id = $1", ids.decode(player))
    return frozenset(ids.encode(row["other_id"]) for row in rows)


async def friends(pool: Database, player: str) -> frozenset[str]:
    """Return the players followed by this one who let followers find their tables."""
    rows = await pool.rows(
        """select f.other_id from accounts.follows f join accounts.players p on p.id = f.other_id
           where f.player_id = $1 and not p.hides_presence""",
        ids.decode(player),
    )  # fmt: skip
    return frozenset(ids.encode(row["other_id"]) for row in rows)


async def is_blocked(pool: Database, a: str, b: str) -> bool:
    """Return whether either player blocks the other."""
    row = await pool.row(
        """select from accounts.blocks
           where (player_id, other_id) in (($1, $2), ($2, $1)) limit 1""",
        ids.decode(a), ids.decode(b),
    )  # fmt: skip
    return row is not None


async def blocked_pairs(pool: Database, players: Sequence[str]) -> set[frozenset[str]]:
    """Return the pairs among these players in which one blocks the other."""
    rows = await pool.rows(
        "select player_id, other_id from accounts.blocks where player_id = any($1) and other_id = any($1)",
        [ids.decode(player) for player in players],
    )  # fmt: skip
    return {frozenset((ids.encode(row["player_id"]), ids.encode(row["other_id"]))) for row in rows}


async def blocked_either_way(pool: Database, player: str | None) -> frozenset[str]:
    """Return all players who block this player or are blocked by this player."""
    if player is None:
        return frozenset()
    rows = await pool.rows(
        """select other_id as id from accounts.blocks where player_id = $1
           union select player_id from accounts.blocks where other_id = $1""",
        ids.decode(player),
    )  # fmt: skip
    return frozenset(ids.encode(row["id"]) for row in rows)


async def relations_of(pool: Database, kind: Kind, player: str) -> list[Tie]:
    """Return the player's follows or blocks, newest first."""
    rows = await pool.rows(
        f"""select p.id, p.name, p.kind, t.at from accounts.{kind} t join accounts.players p on p.id = t.other_id
            where t.player_id = $1 order by t.at desc, p.id""",
        ids.decode(player),
    )  # fmt: skip
    return [Tie(Player(ids.encode(row["id"]), row["name"], row["kind"]), row["at"]) for row in rows]


async def follow(pool: Database, player: str, other: str) -> None:
    """Follow a player.

    Raises:
        Problem: `too-many-ties`; `not-found`, also if either player blocks the other.
    """
    if ids.is_id(other) and await is_blocked(pool, player, other):
        raise Problem("not-found")
    await add_relation(pool, "follows", player, other)


async def block(pool: Database, player: str, other: str) -> None:
    """Block a player, which ends follows and open invitations in both directions.

    Raises:
        Problem: `not-found`, `too-many-ties`.
    """
    await add_relation(pool, "blocks", player, other)
    await pool.rows(
        "delete from accounts.follows where (player_id, other_id) in (($1, $2), ($2, $1))",
        ids.decode(player), ids.decode(other),
    )  # fmt: skip
    await pool.rows(
        "delete from accounts.asked where (host_id, player_id) in (($1, $2), ($2, $1))", ids.decode(player), ids.decode(other)
    )


async def add_relation(pool: Database, kind: Kind, player: str, other: str) -> None:
    row = await pool.row_one_at_a_time(
        ids.decode(player),
        f"""with other as (select id from accounts.players where id = $2 and id <> $1),
                 room as (select count(*) < $3 as is_left from accounts.{kind} where player_id = $1 and other_id <> $2),
                 made as (insert into accounts.{kind} (player_id, other_id)
                          select $1, id from other, room where is_left on conflict do nothing)
            select (select id from other) as other, (select is_left from room) as is_left""",
        ids.decode(player), decode_player(other), MAX_RELATIONS,
    )  # fmt: skip
    if row is None or row["other"] is None:
        raise Problem("not-found")
    if not row["is_left"]:
        raise Problem("too-many-ties", f"at most {MAX_RELATIONS}")


async def remove_relation(pool: Database, kind: Kind, player: str, other: str) -> None:
    """Remove a relation. Does nothing if there is none."""
    await pool.rows(
        f"delete from accounts.{kind} where player_id = $1 and other_id = $2", ids.decode(player), decode_player(other)
    )


def decode_player(player: str) -> UUID:
    """Decode a player id. Raises Problem `not-found` if it is not an id."""
    if not ids.is_id(player):
        raise Problem("not-found")
    return ids.decode(player)

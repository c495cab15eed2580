"""Ratings in the database are those that all games give in their order, in whatever order they became known."""
from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import asyncpg
from msgspec import structs

from services import ids
from services.database import Database
from services.projections.ratings import best, note, played_at, rate_again
from services.tables.chain import EPOCH
from services.tournaments.core.ratings import Rated, Rating, ratings
from tests.tournaments.test_ratings import games

CUP = ids.new_id()


async def known(connection: Any, game: Rated, board: int | None = None) -> None:
    """As the last game that became known."""
    size = "two" if len(game.players) == 2 else "many"
    await connection.execute(
        "insert into games values ($1, $2, $3, $4, $5, $6, $7, true, $8, 1, 1, $9)", ids.new_id(), game.position, EPOCH,
        game.ruleset, size, [*game.players], [*game.places], CUP, game.position if board is None else board,
    )  # fmt: skip
    for pool, since in await played_at(connection, (CUP, 1, 1, game.position if board is None else board)):
        await rate_again(connection, pool, since)


async def judged(connection: Any, position: int, **said: Any) -> None:
    board: tuple[UUID, int, int, int] = (CUP, 1, 1, position)
    await note(connection, board, **said)
    for pool, since in await played_at(connection, board):
        await rate_again(connection, pool, since)


async def in_database(base: Database) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    rows = await base.rows("select * from ratings.players")
    return {(r["ruleset"], r["size"], r["player"]): (r["mean"], r["deviation"], r["games"]) for r in rows}


def computed(played: list[Rated]) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    return {
        (*pool, player): (rating.mean, rating.deviation, len(rating.history))
        for pool, found in ratings(played).items() for player, rating in found.items()
    }  # fmt: skip


async def test_they_are_those_of_all_games_in_their_order(base: Database, database_url: str) -> None:
    luck, played = Random(5), games(5, 60)
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        for game in luck.sample(played, len(played)):
            await known(connection, game)
        assert await in_database(base) == computed(played)
        turned = next(game for game in played[10:] if len(game.players) > 3)
        await judged(connection, 7, told=[])
        await judged(connection, turned.position, told=[*turned.places], absent=[0])
        await judged(connection, turned.position, ruled=[*reversed(turned.places)])
        await judged(connection, 8, told=[*played[8].places], absent=[])
        await judged(connection, 8, ruled=[])
        await judged(connection, 8, ruled=None)
    finally:
        await connection.close()
    without = structs.replace(turned, players=turned.players[1:], places=turned.places[::-1][1:])
    counted = [without if game == turned else game for game in played if game.position != 7]
    assert await in_database(base) == computed(counted)


async def test_of_a_board_that_is_played_again_the_last_game_counts(base: Database, database_url: str) -> None:
    played = games(5, 20)
    again = structs.replace(played[3], position=100, places=played[3].places[::-1])
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        for game in played:
            await known(connection, game)
        await judged(connection, 3, told=[], absent=[], ruled=None)
        assert await in_database(base) == computed([game for game in played if game.position != 3])
        await known(connection, again, 3)
        await judged(connection, 3, told=[*again.places], absent=[])
    finally:
        await connection.close()
    assert await in_database(base) == computed([*(game for game in played if game.position != 3), again])


async def test_who_is_best_and_shares_a_rating_shares_the_place(base: Database) -> None:
    for at, mean in enumerate((30.0, 28.0, 30.0)):
        await base.rows("insert into ratings.players values ('kemet', 'two', $1, 5, $2, 2.0, $3)", f"p{at}", mean,
                        Rating(mean, 2.0).shown)  # fmt: skip
    ranked = await best(base, ("kemet", "two"))
    assert [(one.place, one.player) for one in ranked] == [(1, "p0"), (1, "p2"), (3, "p1")]
    assert [one.rating.rating for one in ranked] == [2400, 2400, 2200]

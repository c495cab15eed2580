"""Ratings in the database equal those of all games in order, however games arrive."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
from msgspec import structs

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.ratings import (
    INSERT_GAME,
    UPSERT_SANCTION,
    affected_positions,
    apply_to_board,
    best_players,
    recompute,
)
from ludarium.tables.model.hash_chain import EPOCH
from ludarium.tournaments.events import NextGame, Replayed, Result, Ruled, Verdict
from ludarium_pairing.ratings import RatedGame, Rating, ratings
from tests.support.entropy import ENTROPY
from tests.tournaments.test_ratings import games

CUP = ids.new_id(ENTROPY, __name__)


async def known(connection: Any, game: RatedGame, board: int | None = None, table: UUID | None = None) -> None:
    """Store a game as the newest one.

    Args:
        table: The table, if an earlier game of the board was played at another one.
    """
    at = CUP, 1, 1, game.position if board is None else board
    id_ = table or ids.new_id(ENTROPY)
    if table is None:
        await connection.execute(INSERT_GAME, *at, 1, id_)
    size = "two" if len(game.players) == 2 else "many"
    await connection.execute(
        "insert into games values ($1, $2, $3, $4, $5, $6, $7, true, $8, $9, $10, $11)", id_, game.position, EPOCH,
        game.ruleset, size, [*game.players], [*game.places], *at,
    )  # fmt: skip
    await again(connection, at)


async def again(connection: Any, board: tuple[UUID, int, int, int]) -> None:
    for pool, since in await affected_positions(connection, board):
        await recompute(connection, pool, since)


async def judged(connection: Any, row: NextGame | Replayed | Result | Ruled) -> None:
    board = CUP, row.stage, row.round, row.board
    await apply_to_board(connection, board, row)
    await again(connection, board)


def told(board: int, absent: Sequence[int] = ()) -> Result:
    return Result(1, 1, board, "finished", [], [], [*absent], b"")


def ruled(board: int, verdict: Verdict, places: Sequence[int] = ()) -> Ruled:
    return Ruled("an official", 1, 1, board, verdict, [*places], b"")


def replayed(board: int, table: UUID) -> Replayed:
    return Replayed("an official", 1, 1, board, table.bytes, b"", 0, b"")


async def in_database(base: Database) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    rows = await base.rows("select * from ratings.players")
    return {(r["ruleset"], r["size"], r["player"]): (r["mean"], r["deviation"], r["games"]) for r in rows}


def computed(played: list[RatedGame]) -> dict[tuple[str, str, str], tuple[float, float, int]]:
    return {
        (*pool, player): (rating.mean, rating.deviation, len(rating.history))
        for pool, found in ratings(played).items() for player, rating in found.items()
    }  # fmt: skip


async def test_they_are_those_of_all_games_in_their_order(base: Database, database_url: str) -> None:
    luck, played = Random(5), games(5, 60)
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        await connection.execute(UPSERT_SANCTION, CUP, ["an official"])
        for game in luck.sample(played, len(played)):
            await known(connection, game)
        assert await in_database(base) == computed(played)
        turned = next(game for game in played[10:] if len(game.players) > 3)
        await judged(connection, ruled(7, "void"))
        await judged(connection, told(turned.position, absent=[0]))
        await judged(connection, ruled(turned.position, "places", turned.places[::-1]))
        await judged(connection, told(8))
        await judged(connection, ruled(8, "void"))
        await judged(connection, ruled(8, "upheld"))
    finally:
        await connection.close()
    without = structs.replace(turned, players=turned.players[1:], places=turned.places[::-1][1:])
    counted = [without if game == turned else game for game in played if game.position != 7]
    assert await in_database(base) == computed(counted)


async def test_an_official_without_a_sanction_takes_no_game_back(base: Database, database_url: str) -> None:
    """Both games of a replayed board count, unless an official's ruling ended one."""
    played = games(5, 20)
    anew = structs.replace(played[3], position=100, places=played[3].places[::-1])
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        for game in played:
            await known(connection, game)
        await judged(connection, ruled(4, "places", played[4].places[::-1]))
        await judged(connection, ruled(5, "void"))
        await judged(connection, replayed(3, second := ids.new_id(ENTROPY)))
        await known(connection, anew, 3, second)
        assert await in_database(base) == computed([*played, anew])
        await connection.execute("update games set adjudicated = true where board = 4")
        await judged(connection, ruled(4, "upheld"))
        assert await in_database(base) == computed([*(game for game in played if game.position != 4), anew])
        await judged(connection, replayed(4, ids.new_id(ENTROPY)))
    finally:
        await connection.close()
    assert await in_database(base) == computed([*(game for game in played if game.position != 4), anew])


async def test_a_sanctioned_official_has_the_last_game_of_a_board_count(base: Database, database_url: str) -> None:
    played = games(5, 20)
    anew = structs.replace(played[3], position=100, places=played[3].places[::-1])
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        await connection.execute(UPSERT_SANCTION, CUP, ["an official"])
        for game in played:
            await known(connection, game)
        await judged(connection, ruled(3, "void"))
        await judged(connection, replayed(3, second := ids.new_id(ENTROPY)))
        assert await in_database(base) == computed([game for game in played if game.position != 3])
        await known(connection, anew, 3, second)
        await judged(connection, told(3))
    finally:
        await connection.close()
    assert await in_database(base) == computed([*(game for game in played if game.position != 3), anew])


async def test_each_game_of_a_match_counts_and_none_of_one_that_is_void(base: Database, database_url: str) -> None:
    """The winner of a match, or a ruling on it, changes no game; a replay adds one."""
    played = games(5, 20)
    second, third = (structs.replace(played[3], position=at, places=played[3].places[::-1]) for at in (100, 101))
    without = structs.replace(third, players=third.players[1:], places=third.places[1:])
    connection = await asyncpg.connect(database_url)
    try:
        await connection.execute("set search_path to ratings")
        await connection.execute(UPSERT_SANCTION, CUP, ["an official"])
        for game in played:
            await known(connection, game)
        await judged(connection, told(3))
        await judged(connection, NextGame(1, 1, 3, 2, (first := ids.new_id(ENTROPY)).bytes, b"", 0))
        await known(connection, second, 3, first)
        assert await in_database(base) == computed([*played, second])
        await judged(connection, told(3))
        await judged(connection, ruled(3, "places", played[3].places))
        assert await in_database(base) == computed([*played, second])
        await judged(connection, ruled(3, "void"))
        assert await in_database(base) == computed([game for game in played if game.position != 3])
        await judged(connection, replayed(3, other := ids.new_id(ENTROPY)))
        assert await in_database(base) == computed(played)
        await known(connection, third, 3, other)
        await judged(connection, told(3, absent=[0]))
    finally:
        await connection.close()
    assert await in_database(base) == computed([*played, without])


async def test_who_is_best_and_shares_a_rating_shares_the_place(base: Database) -> None:
    for at, mean in enumerate((30.0, 28.0, 30.0)):
        await base.rows("insert into ratings.players values ('kemet', 'two', $1, 5, $2, 2.0, $3)", f"p{at}", mean,
                        Rating(mean, 2.0).display)  # fmt: skip
    ranked = await best_players(base, ("kemet", "two"))
    assert [(one.place, one.player) for one in ranked] == [(1, "p0"), (1, "p2"), (3, "p1")]
    assert [one.rating.rating for one in ranked] == [2400, 2400, 2200]

"""Pairs of players by their rated games, to find players who lose on purpose."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database

MAX_PAIRS = 50
MAX_VOIDED = 100
"""Games that one request can take out of the ratings."""
SELECT_PAIRS = """
    with sides as (
      select least(players[1], players[2]) as one, greatest(players[1], players[2]) as other,
             players[1] > players[2] as turned, places[1] as first, places[2] as second, resigned, at
      from ratings.games g where size = 'two' and ($1::text is null or players @> array[$1])
        and ($2::text is null or ruleset = $2) and not exists (select from ratings.voids where game = g.id)),
    pairs as (
      select one, other, resigned, at,
             case when first = second then 0.5 when (first < second) <> turned then 1 else 0 end as score
      from sides)
    select one, other, count(*) as games, sum(score)::float8 as score,
           count(*) filter (where resigned and score = 0) as resigned_by_one,
           count(*) filter (where resigned and score = 1) as resigned_by_other, max(at) as newest
    from pairs group by one, other order by count(*) * abs(avg(score) - 0.5) desc, one, other limit $3"""
SELECT_GAMES = """
    select id from ratings.games g where players @> $1::text[] and ($2::text is null or ruleset = $2)
      and not exists (select from ratings.voids where game = g.id) order by position limit $3"""


class RatedPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two players with all their rated games for two.

    - `score` is the score of the first player; a win is 1, a draw 0.5.
    - `resigned` has the number of games that each of them resigned, in the order of `players`.
    - `newest` is when their last game ended.
    """

    players: list[str]
    games: int
    score: float
    resigned: list[int]
    newest: datetime


async def rated_pairs(database: Database, player: str | None, ruleset: str | None) -> list[RatedPair]:
    """Return up to 50 pairs of players with the most lopsided results first.

    Args:
        player: if given, return only pairs with this player.
        ruleset: if given, count only games of this ruleset.
    """
    rows = await database.rows(SELECT_PAIRS, player, ruleset, MAX_PAIRS)
    return [
        RatedPair(
            players=[row["one"], row["other"]], games=row["games"], score=row["score"],
            resigned=[row["resigned_by_one"], row["resigned_by_other"]], newest=row["newest"],
        )
        for row in rows
    ]  # fmt: skip


class RatedGames(NamedTuple):
    """The tables of up to 100 rated games, oldest first.

    `more` means that there are others.
    """

    tables: list[str]
    more: bool


async def common_games(database: Database, players: Sequence[str], ruleset: str | None) -> RatedGames:
    """Return the rated games that all these players finished together and that count."""
    found = [ids.encode(row["id"]) for row in await database.rows(SELECT_GAMES, [*players], ruleset, MAX_VOIDED + 1)]
    return RatedGames(found[:MAX_VOIDED], len(found) > MAX_VOIDED)

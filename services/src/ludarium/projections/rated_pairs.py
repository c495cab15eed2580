"""Pairs of players by their rated games against each other: where one of them may be giving rating away."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database

MOST_PAIRS = 50
MOST_VOIDED = 100
"""Games that one request takes out of the ratings."""
PAIRS = """
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
GAMES = """
    select id from ratings.games g where players @> $1::text[] and ($2::text is null or ruleset = $2)
      and not exists (select from ratings.voids where game = g.id) order by position limit $3"""


class RatedPair(msgspec.Struct, frozen=True, kw_only=True):
    """Two players in all their rated games of two. score: of the first player, 1 a win and 0.5 a draw.

    resigned: the games that each of them resigned, in the order of `players`. newest: when they last finished one.
    """

    players: list[str]
    games: int
    score: float
    resigned: list[int]
    newest: datetime


async def pairs(database: Database, player: str | None, ruleset: str | None) -> list[RatedPair]:
    """The most lopsided first, 50 at most. player: only pairs with this one."""
    rows = await database.rows(PAIRS, player, ruleset, MOST_PAIRS)
    return [
        RatedPair(
            players=[row["one"], row["other"]], games=row["games"], score=row["score"],
            resigned=[row["resigned_by_one"], row["resigned_by_other"]], newest=row["newest"],
        )
        for row in rows
    ]  # fmt: skip


class RatedGames(NamedTuple):
    """tables: 100 at most, the oldest first. more: there are further ones."""

    tables: list[str]
    more: bool


async def games_of_all(database: Database, players: Sequence[str], ruleset: str | None) -> RatedGames:
    """The tables whose rated games all these players finished together, if they still count."""
    found = [ids.encode(row["id"]) for row in await database.rows(GAMES, [*players], ruleset, MOST_VOIDED + 1)]
    return RatedGames(found[:MOST_VOIDED], len(found) > MOST_VOIDED)

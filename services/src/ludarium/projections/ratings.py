"""Ratings of players, computed from their finished rated games.

A game normally counts with its own result. The ruling of a tournament official counts instead if an administrator has
sanctioned that tournament and that official, and no sanctioned official plays at the table. See docs/decisions/094.
"""
from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.outlines import FINISHED, Outline, outlines_of
from ludarium.projections.schemas import PlayerRating, RatingStep
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import OpenedFor, RatingVoided
from ludarium.tables.model.timing import timestamp
from ludarium.tournaments.event_types import TOURNAMENT_NUMBERS, decode
from ludarium.tournaments.events import NextGame, Published, Replayed, Result, Ruled, Sanctioned
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection
from ludarium_pairing.ratings import Pool, RatedGame, Rating, Size, rate, size_class

JUDGING_TYPES = frozenset(TOURNAMENT_NUMBERS[kind][0] for kind in (Published, NextGame, Result, Ruled, Replayed, Sanctioned))
VOIDING_TYPES = frozenset({type_of(RatingVoided)})
MAX_STEPS = 200
"""The newest steps of a rating that are returned."""
MAX_RANKED = 1000
"""The best players of a pool that are returned."""
SELECT_COUNTED_GAMES = """
    select g.position, g.id, g.players, coalesce(b.absent, '{}') as absent,
      case when v.ruled is not null and not g.players && coalesce(s.officials, '{}') then v.ruled
           when g.adjudicated and (b.forced or v.ruled is not null) then '{}'
           else g.places end as places
    from games g left join boards b using (id)
      left join verdicts v on (v.tournament, v.stage, v.round, v.board) = (g.tournament, g.stage, g.round, g.board)
      left join sanctions s on s.tournament = g.tournament
    where g.ruleset = $1 and g.size = $2 and g.position >= $3 and (g.tournament is null or b.id is not null)
      and not exists (select from voids where game = g.id)
    order by g.position"""
"""Games of a pool from a position on, with the places that count; without places the game does not count."""
INSERT_GAME = "insert into boards (tournament, stage, round, board, game, id) values ($1, $2, $3, $4, $5, $6)"
IS_NEWEST_GAME = """
    (tournament, stage, round, board) = ($1, $2, $3, $4) and game = (select max(game) from boards
      where (tournament, stage, round, board) = ($1, $2, $3, $4))"""
UPSERT_VERDICT = """
    insert into verdicts (tournament, stage, round, board, ruled) values ($1, $2, $3, $4, $5)
    on conflict (tournament, stage, round, board) do update set ruled = excluded.ruled"""
UPSERT_SANCTION = """
    insert into sanctions (tournament, officials) values ($1, $2)
    on conflict (tournament) do update set officials = excluded.officials"""
IS_SANCTIONED = "select $2 = any (officials) from sanctions where tournament = $1"
RENUMBER_NEWEST_GAME = f"""
    update boards b set game = (select least(min(game), 0) - 1 from boards
                                where (tournament, stage, round, board) = ($1, $2, $3, $4))
    where {IS_NEWEST_GAME}
    returning (select max(game) from boards where (tournament, stage, round, board) = ($1, $2, $3, $4))"""
"""Renumber the newest game of a board below all others, so that it still counts; return its old number."""
SELECT_LATEST_STEPS = """
    select distinct on (player) player, nth, mean, deviation from steps
    where ruleset = $1 and size = $2 and player = any ($3) order by player, position desc"""
UPDATE_PLAYERS = """
    insert into players (ruleset, size, player, games, mean, deviation, shown)
    select distinct on (player) ruleset, size, player, nth, mean, deviation, round(100 * (mean - 3 * deviation))::int
    from steps where ruleset = $1 and size = $2 and player = any ($3) order by player, position desc"""


BoardKey = tuple[UUID | None, int | None, int | None, int | None]
"""Tournament, stage, round and board; None for a table outside tournaments."""


class Ratings:
    """A projection that computes ratings.

    Each pool is rated in the order in which its games ended, even if events about them arrive in another order.
    """

    event_types = FINISHED | JUDGING_TYPES | VOIDING_TYPES

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        first: dict[Pool, int] = {}
        judged = await apply_verdicts(connection, [row for row in rows if row.type in JUDGING_TYPES])
        played = await self.take_games(connection, [row for row in rows if row.type in FINISHED])
        voided = await apply_voids(connection, [row for row in rows if row.type in VOIDING_TYPES])
        for pool, position in (*judged, *played, *voided):
            first[pool] = min(position, first.get(pool, position))
        for pool, position in first.items():
            await recompute(connection, pool, position)

    async def take_games(self, connection: Connection, rows: Sequence[StoredEvent]) -> list[tuple[Pool, int]]:
        if not rows:
            return []
        last = {row.stream: row for row in rows}
        outlines = await outlines_of(connection, rows, self.archive)
        games = [game_row(game, last[game.stream]) for game in outlines if is_rated(game)]
        await connection.executemany(
            "insert into games (id, position, at, ruleset, size, players, places, public, tournament, stage, round, board,"
            " adjudicated, resigned) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
            games,
        )
        again = [found for game in games if game.tournament for found in await affected_positions(connection, game.place)]
        return [*(((game.ruleset, game.size), game.position) for game in games), *again]


class RatedGameRow(NamedTuple):
    """A row of the table `games`."""

    id: UUID
    position: int
    at: Any
    ruleset: str
    size: Size
    players: list[str]
    places: list[int]
    public: bool
    tournament: UUID | None
    stage: int | None
    round: int | None
    board: int | None
    adjudicated: bool
    resigned: bool

    @property
    def place(self) -> BoardKey:
        return self.tournament, self.stage, self.round, self.board


def is_rated(game: Outline) -> bool:
    """Return whether a game is rated: only people played, and it has places.

    A ruling outside tournaments is not rated, because no official is responsible for it.
    """
    if not game.begun or game.ended is None or not game.ended.outcome:
        return False
    if game.ended.reason == "adjudicated" and not isinstance(game.opened, OpenedFor):
        return False
    return game.rated and len(game.seats) > 1 and game.people == len(game.seats)


def game_row(outline: Outline, last: StoredEvent) -> RatedGameRow:
    """Return the row of a game; `last` is the event that completed its data."""
    assert outline.ended is not None and outline.ended.outcome is not None      # only these count
    players = [seat.player for seat in outline.seats if seat is not None and seat.player is not None]
    opened, public = outline.opened, outline.visibility == "public"
    place: BoardKey = (None, None, None, None)
    if isinstance(opened, OpenedFor):
        place = UUID(bytes=opened.tournament), opened.stage, opened.round, opened.board
    return RatedGameRow(
        outline.stream, last.position, last.at, opened.ruleset, size_class(opened.seats), players, outline.ended.outcome,
        public, *place, outline.ended.reason == "adjudicated", outline.ended.reason == "resigned",
    )  # fmt: skip


# --- what tournaments say -------------------------------------------------------------------------------------------------
async def apply_verdicts(connection: Connection, rows: Sequence[StoredEvent]) -> list[tuple[Pool, int]]:
    """Apply events of tournaments, and return the pools to recompute.

    Each pool is returned with the log position from which to recompute.
    """
    boards = []
    for event in rows:
        match decode(event.type, event.schema, event.data):
            case Published() as row:
                tables = [(event.stream, row.stage, row.round, at, 1, UUID(bytes=id_)) for at, id_ in enumerate(row.ids, 1)]
                await connection.executemany(INSERT_GAME, tables)
            case Sanctioned() as row:
                await connection.execute(UPSERT_SANCTION, event.stream, row.officials)
            case NextGame() | Result() | Ruled() | Replayed() as row:
                board = event.stream, row.stage, row.round, row.board
                await apply_to_board(connection, board, row)
                boards.append(board)
    return [found for board in boards for found in await affected_positions(connection, board)]


async def apply_to_board(connection: Connection, board: BoardKey, row: NextGame | Result | Ruled | Replayed) -> None:
    """Apply an event of a board.

    In a match, results and replays concern the newest game.
    """
    match row:
        case NextGame():
            await connection.execute(INSERT_GAME, *board, row.game, UUID(bytes=row.table))
        case Result():
            await connection.execute(f"update boards set absent = $5 where {IS_NEWEST_GAME}", *board, row.absent)
        case Replayed():
            await apply_replay(connection, board, row)
        case Ruled():
            await apply_ruling(connection, board, row)


async def apply_ruling(connection: Connection, board: BoardKey, row: Ruled) -> None:
    if await connection.fetchval(IS_SANCTIONED, board[0], row.by):
        await connection.execute(UPSERT_VERDICT, *board, await counting_places(connection, board, row))
    elif row.verdict == "places":
        await connection.execute(f"update boards set forced = true where {IS_NEWEST_GAME}", *board)


async def apply_replay(connection: Connection, board: BoardKey, row: Replayed) -> None:
    """Replace the game by its replay if a sanctioned official ordered the replay.

    Otherwise both games count.
    """
    table = UUID(bytes=row.table)
    if await connection.fetchval(IS_SANCTIONED, board[0], row.by):
        changed = f"update boards set id = $5, absent = default, forced = default where {IS_NEWEST_GAME}"
        await connection.execute(changed, *board, table)
    else:
        await connection.execute(INSERT_GAME, *board, await connection.fetchval(RENUMBER_NEWEST_GAME, *board), table)
    await connection.execute(UPSERT_VERDICT, *board, None)


async def counting_places(connection: Connection, board: BoardKey, row: Ruled) -> Sequence[int] | None:
    """Return the places of a ruling that count for ratings.

    An empty list means that the game does not count, and None that its own result counts. A ruling on a match of several
    games is not the result of any of them, but a voided match voids all its games.
    """
    if row.verdict != "places":
        return [] if row.verdict == "void" else None
    games = await connection.fetchval(
        "select max(game) from boards where (tournament, stage, round, board) = ($1, $2, $3, $4)", *board
    )
    return row.places if games == 1 else None


async def apply_voids(connection: Connection, rows: Sequence[StoredEvent]) -> list[tuple[Pool, int]]:
    """Apply voided games, and return the pools to recompute.

    Each pool is returned with the log position from which to recompute.
    """
    games = [row.stream for row in rows]
    await connection.executemany("insert into voids (game) values ($1) on conflict do nothing", [(game,) for game in games])
    found = await connection.fetch("select ruleset, size, position from games where id = any ($1)", games)
    return [((row["ruleset"], row["size"]), row["position"]) for row in found]


async def affected_positions(connection: Connection, board: BoardKey) -> list[tuple[Pool, int]]:
    rows = await connection.fetch(
        "select ruleset, size, position from games where (tournament, stage, round, board) = ($1, $2, $3, $4)", *board
    )
    return [((row["ruleset"], row["size"]), row["position"]) for row in rows]


# --- computing ------------------------------------------------------------------------------------------------------------
async def recompute(connection: Connection, pool: Pool, since: int) -> None:
    """Recompute the pool's ratings from this log position on."""
    removed = await connection.fetch(
        "delete from steps where ruleset = $1 and size = $2 and position >= $3 returning player", *pool, since
    )
    rows = await connection.fetch(SELECT_COUNTED_GAMES, *pool, since)
    games = {row["position"]: row["id"] for row in rows}
    rated = [rated_game(pool[0], row) for row in rows]
    players = [*{row["player"] for row in removed}.union(*(game.players for game in rated))]
    latest = {row["player"]: row for row in await connection.fetch(SELECT_LATEST_STEPS, *pool, players)}
    steps = await asyncio.to_thread(rating_steps, rated, latest)
    await connection.executemany(
        "insert into steps (ruleset, size, player, nth, position, game, mean, deviation)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8)",
        [(*pool, player, nth, step.position, games[step.position], step.mean, step.deviation) for player, nth, step in steps],
    )
    await connection.execute("delete from players where ruleset = $1 and size = $2 and player = any ($3)", *pool, players)
    await connection.execute(UPDATE_PLAYERS, *pool, players)


def rated_game(ruleset: str, row: asyncpg.Record) -> RatedGame:
    """Return the game without absent players, so that nobody gains rating from them."""
    if not row["places"]:
        return RatedGame(row["position"], ruleset, (), (), voided=True)
    present = [
        (player, place) for seat, (player, place) in enumerate(zip(row["players"], row["places"], strict=True))
        if seat not in row["absent"]
    ]  # fmt: skip
    return RatedGame(row["position"], ruleset, tuple(player for player, _ in present), tuple(place for _, place in present))


def rating_steps(games: Iterable[RatedGame], latest: Mapping[str, asyncpg.Record]) -> list[tuple[str, int, Any]]:
    """Return the rating changes of these games.

    Each is a tuple of the player, the number of the player's game in the pool, and the change.
    """
    pool = {player: Rating(row["mean"], row["deviation"]) for player, row in latest.items()}
    for game in games:
        if not game.voided and len(game.players) > 1:
            rate(pool, game)
    return [
        (player, nth, step)
        for player, rating in pool.items()
        for nth, step in enumerate(rating.history, 1 + (latest[player]["nth"] if player in latest else 0))
    ]


# --- reading --------------------------------------------------------------------------------------------------------------
class Ranked(NamedTuple):
    """A player's rating with the rank in its pool; equal ratings share a rank."""

    place: int
    player: str
    rating: PlayerRating


async def best_players(database: Database, pool: Pool) -> list[Ranked]:
    rows = await database.rows(
        """select rank() over (order by shown desc) as place, r.* from
             (select * from ratings.players where ruleset = $1 and size = $2 order by shown desc, player limit $3) r
           order by shown desc, player""",
        *pool, MAX_RANKED,
    )  # fmt: skip
    return [Ranked(row["place"], row["player"], rating_body(row, [])) for row in rows]


async def ratings_of_player(database: Database, player: str) -> list[PlayerRating]:
    rows = await database.rows("select * from ratings.players where player = $1 order by ruleset, size", player)
    return [rating_body(row, await latest_steps(database, row)) for row in rows]


async def latest_steps(database: Database, of: asyncpg.Record) -> list[RatingStep]:
    rows = await database.rows(
        """select s.mean, s.deviation, g.at, g.id, g.public from ratings.steps s join ratings.games g on g.id = s.game
           where s.ruleset = $1 and s.size = $2 and s.player = $3 order by s.position desc limit $4""",
        of["ruleset"], of["size"], of["player"], MAX_STEPS,
    )  # fmt: skip
    return [
        RatingStep(
            timestamp(row["at"]), ids.encode(row["id"]) if row["public"] else None,
            Rating(row["mean"], row["deviation"]).display,
        )
        for row in reversed(rows)
    ]


def rating_body(row: asyncpg.Record, steps: list[RatingStep]) -> PlayerRating:
    rating = Rating(row["mean"], row["deviation"])
    return PlayerRating(
        row["ruleset"], row["size"], rating.display, rating.mean, rating.deviation, rating.provisional, row["games"], steps
    )

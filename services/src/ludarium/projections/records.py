"""The searchable list of finished games."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.outlines import FINISHED, Outline, outlines_of
from ludarium.projections.paging import NEWEST, after_cursor
from ludarium.projections.schemas import FinishedGame, FinishedPage
from ludarium.tables.model.events import OpenedFor, SeatedBot
from ludarium.tables.model.timing import timestamp
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection

decode_game = json_decoder(FinishedGame)

MAX_SCANNED = 10_000
"""Games that are scanned for a page. Conditions on player, tournament, ruleset and sort column use indexes."""
Outcome = Literal["won", "shared", "lost", "none"]
Sort = Literal["newest", "longest", "shortest"]
SORT_COLUMNS: dict[Sort, tuple[str, str]] = {
    "newest": ("ended", "desc"), "longest": ("events", "desc"), "shortest": ("events", "asc"),
}  # fmt: skip
OUTCOMES = {"won": "winners = 1", "shared": "winners > 1", "lost": "false", "none": "winners = 0"}
OF_PLAYER = {
    "won": "winners = 1 and place = 1", "shared": "winners > 1 and place = 1", "lost": "place > 1",
    "none": "winners = 0",
}  # fmt: skip
BOTS = {"none": "bots = '[]' and programs = 0", "other": "programs > 0"}


class Records:
    """A projection with one row for each finished game.

    The record of a game is made from the log on request.
    """

    event_types = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished_games(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (id, listed_at, ruleset, visibility, body) values ($1, $2, $3, $4, $5::text::jsonb)",
            [(g.stream, g.opened_at, g.opened.ruleset, g.visibility, summary(g, last)) for g, last in games],
        )


async def finished_games(
    connection: Connection, rows: Sequence[StoredEvent], archive: Archive
) -> list[tuple[Outline, StoredEvent]]:
    """Return the games that ended with these events, each with its last event."""
    last = {row.stream: row for row in rows}
    games = await outlines_of(connection, rows, archive)
    return [(game, last[game.stream]) for game in games if game.ended and game.begun]


def summary(outline: Outline, last: StoredEvent) -> str:
    """Return the list entry as JSON; `last` is the event that ended the game."""
    assert outline.ended is not None            # only finished games come here
    game = FinishedGame(outline.body(), outline.ended.outcome, last.version + 1, timestamp(last.at))
    return msgspec.json.encode(game).decode()


class PlayerGames:
    """A projection with one row per player who sat at a public game at its end."""

    event_types = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished_games(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (player, id, ended, events, ruleset, seats, place, winners, bots, programs)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10) on conflict do nothing",
            [seat for game, last in games if game.visibility == "public" for seat in seats_of(game, last)],
        )


class TournamentGames:
    """A projection with one row for each public game of a tournament."""

    event_types = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished_games(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (tournament, id, ended, events, ruleset, seats, winners, bots, programs)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9) on conflict do nothing",
            [
                (UUID(bytes=game.opened.tournament), game.stream, *game_columns(game, last), *result_columns(game))
                for game, last in games if isinstance(game.opened, OpenedFor) and game.visibility == "public"
            ],
        )  # fmt: skip


def seats_of(outline: Outline, last: StoredEvent) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that PlayerGames stores for a game."""
    assert outline.ended is not None            # only finished games come here
    places = outline.ended.outcome or []
    for seat in outline.seats:
        if seat is not None and seat.player is not None:
            place = places[seat.seat] if places else None
            yield seat.player, outline.stream, *game_columns(outline, last), place, *result_columns(outline)


def game_columns(outline: Outline, last: StoredEvent) -> tuple[str, int, str, int]:
    """Return the end time, the number of events, the ruleset and the number of seats."""
    return timestamp(last.at), last.version + 1, outline.opened.ruleset, outline.opened.seats


def result_columns(outline: Outline) -> tuple[int, str, int]:
    """Return the number of winners, the server bots, and the number of players' bots."""
    sat, places = [seat for seat in outline.seats if seat], (outline.ended.outcome if outline.ended else None) or []
    bots = msgspec.json.encode([seat.bot for seat in sat if seat.bot]).decode()
    return places.count(1), bots, sum(isinstance(seat, SeatedBot) for seat in sat)


# --- looking for some -----------------------------------------------------------------------------------------------------
class RecordQuery(NamedTuple):
    """A search in finished games; None matches any value.

    Attributes:
        outcome: the player's outcome or, without a player, the outcome of the game.
        bot: the name of one of the server's bots, `other` for players' bots, or `none`.
        since: the first day on which games ended, as 2026-01-31.
        until: the day after the last day on which games ended.
        length: the smallest and the largest number of events.
    """

    player: str | None = None
    ruleset: str | None = None
    seats: int | None = None
    outcome: Outcome | None = None
    bot: str | None = None
    since: str | None = None
    until: str | None = None
    length: tuple[int, int] | None = None
    tournament: str | None = None


class Arguments:
    """The numbered arguments of an SQL statement."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def __call__(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class RecordSearch:
    """The SQL of a search: an indexed query for candidates, and further conditions.

    `candidates` selects at most MAX_SCANNED games in the requested order.
    """

    def __init__(self, query: RecordQuery, sort: Sort, after: str | None) -> None:
        self.arguments, (self.key, self.direction) = Arguments(), SORT_COLUMNS[sort]
        of_key, of_other = (self.ended, self.length) if self.key == "ended" else (self.length, self.ended)
        leading = [*self.public(query), *self.ruleset(query), *of_key(query), *self.after_cursor(after)]
        self.candidates = f"select * from {self.games(query)} where {' and '.join(leading)} {self.order} limit {MAX_SCANNED}"
        self.candidate_arguments = [*self.arguments.values]
        self.conditions = [*self.filters(query), *of_other(query)]

    @property
    def order(self) -> str:
        return f"order by {self.key} {self.direction}, id {self.direction}"

    def games(self, query: RecordQuery) -> str:
        return "seats.games" if query.player else "boards.games" if query.tournament else "records.games"

    def public(self, query: RecordQuery) -> Iterator[str]:
        """Yield the conditions that restrict the search to public games.

        The tables by player and by tournament contain no other games.
        """
        if query.player is not None:
            yield f"player = {self.arguments(query.player)}"
        if query.tournament is not None:
            tournament = f"tournament = {self.arguments(ids.decode(query.tournament))}"
            yield f"id in (select b.id from boards.games b where b.{tournament})" if query.player else tournament
        if query.player is None and query.tournament is None:
            yield "visibility = 'public'"

    def ruleset(self, query: RecordQuery) -> Iterator[str]:
        if query.ruleset is not None:
            yield f"ruleset = {self.arguments(query.ruleset)}"

    def ended(self, query: RecordQuery) -> Iterator[str]:
        if query.since is not None:
            yield f"ended >= {self.arguments(query.since)}"
        if query.until is not None:
            yield f"ended < {self.arguments(query.until)}"

    def length(self, query: RecordQuery) -> Iterator[str]:
        if query.length is not None:
            yield f"events between {self.arguments(query.length[0])} and {self.arguments(query.length[1])}"

    def after_cursor(self, after: str | None) -> Iterator[str]:
        if after is not None:
            cursor = self.arguments(ids.decode(after))
            than = "<" if self.direction == "desc" else ">"
            yield f"({self.key}, id) {than} ((select c.{self.key} from records.games c where c.id = {cursor}), {cursor})"

    def filters(self, query: RecordQuery) -> Iterator[str]:
        if query.seats is not None:
            yield f"seats = {self.arguments(query.seats)}"
        if query.outcome is not None:
            yield (OF_PLAYER if query.player else OUTCOMES)[query.outcome]
        if query.bot is not None:
            yield BOTS.get(query.bot) or f"bots ? {self.arguments(query.bot)}"

    def statement(self, limit: int) -> tuple[str, list[Any]]:
        where = " and ".join(self.conditions) or "true"
        found = f"select id from ({self.candidates}) led where {where} {self.order} limit {self.arguments(limit)}"
        return f"select body::text from ({found}) found join records.games using (id) {self.order}", self.arguments.values


async def finished_page(database: Database, query: RecordQuery, sort: Sort, after: str | None, limit: int) -> FinishedPage:
    """Return a page of the finished public games that match a query.

    Raises:
        Problem: `narrow-your-search` if there are too many candidates.
    """
    search = RecordSearch(query, sort, after)
    statement, arguments = search.statement(limit)
    rows = await database.rows(statement, *arguments)
    if len(rows) < limit and search.conditions and await reached_scan_limit(database, search):
        raise Problem("narrow-your-search")
    return page_of(rows, limit)


async def reached_scan_limit(database: Database, search: RecordSearch) -> bool:
    """Return whether the search may have more candidates than were scanned."""
    row = await database.row(f"select count(*) as led from ({search.candidates}) led", *search.candidate_arguments)
    return row is not None and row["led"] == MAX_SCANNED


async def page_of_player(database: Database, player: str, after: str | None, limit: int) -> FinishedPage:
    """Return a page of the finished public games in which the player had a seat."""
    rows = await database.rows(
        f"""select body::text from records.games
            where visibility = 'public' and id in (select p.id from turns.parts p where p.player = $1 and p.part >= 0)
              and {after_cursor("records.games", 2)} {NEWEST} limit $3""",
        player, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    return page_of(rows, limit)


def page_of(rows: Sequence[Any], limit: int) -> FinishedPage:
    games = [decode_game(row["body"]) for row in rows]
    return FinishedPage(games, games[-1].table.id if len(games) == limit else None)

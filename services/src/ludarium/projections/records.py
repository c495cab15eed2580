"""Finished games, as a list in which one can look for some."""
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

_game = json_decoder(FinishedGame)

MOST = 10_000
"""Games that are looked through for a page. A person, a tournament, a ruleset, a span of what sorts them cost nothing."""
Outcome = Literal["won", "shared", "lost", "none"]
Sort = Literal["newest", "longest", "shortest"]
KEYS: dict[Sort, tuple[str, str]] = {"newest": ("ended", "desc"), "longest": ("events", "desc"), "shortest": ("events", "asc")}
OUTCOMES = {"won": "winners = 1", "shared": "winners > 1", "lost": "false", "none": "winners = 0"}
OF_PLAYER = {
    "won": "winners = 1 and place = 1", "shared": "winners > 1 and place = 1", "lost": "place > 1",
    "none": "winners = 0",
}  # fmt: skip
BOTS = {"none": "bots = '[]' and programs = 0", "other": "programs > 0"}


class Records:
    """A row for each finished game; its record itself is made of the log when somebody asks for it."""

    takes = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (id, listed_at, ruleset, visibility, body) values ($1, $2, $3, $4, $5::text::jsonb)",
            [(g.stream, g.opened_at, g.opened.ruleset, g.visibility, summary(g, last)) for g, last in games],
        )


async def finished(
    connection: Connection, rows: Sequence[StoredEvent], archive: Archive
) -> list[tuple[Outline, StoredEvent]]:
    """The games that these rows ended, each with the row that did."""
    last = {row.stream: row for row in rows}
    games = await outlines_of(connection, rows, archive)
    return [(game, last[game.stream]) for game in games if game.ended and game.begun]


def summary(outline: Outline, last: StoredEvent) -> str:
    """last: the row that ended the game."""
    assert outline.ended is not None            # only finished games come here
    game = FinishedGame(outline.body(), outline.ended.outcome, last.version + 1, timestamp(last.at))
    return msgspec.json.encode(game).decode()


class PlayerGames:
    """A row for each player who sat at a public game when it ended."""

    takes = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (player, id, ended, events, ruleset, seats, place, winners, bots, programs)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8, $9::text::jsonb, $10) on conflict do nothing",
            [seat for game, last in games if game.visibility == "public" for seat in seats_of(game, last)],
        )


class TournamentGames:
    """A row for each public game that was played for a tournament."""

    takes = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = await finished(connection, rows, self.archive)
        await connection.executemany(
            "insert into games (tournament, id, ended, events, ruleset, seats, winners, bots, programs)"
            " values ($1, $2, $3, $4, $5, $6, $7, $8::text::jsonb, $9) on conflict do nothing",
            [
                (UUID(bytes=game.opened.tournament), game.stream, *game_columns(game, last), *result_columns(game))
                for game, last in games if isinstance(game.opened, OpenedFor) and game.visibility == "public"
            ],
        )  # fmt: skip


def seats_of(outline: Outline, last: StoredEvent) -> Iterator[tuple[Any, ...]]:
    """As of the columns."""
    assert outline.ended is not None            # only finished games come here
    places = outline.ended.outcome or []
    for seat in outline.seats:
        if seat is not None and seat.player is not None:
            place = places[seat.seat] if places else None
            yield seat.player, outline.stream, *game_columns(outline, last), place, *result_columns(outline)


def game_columns(outline: Outline, last: StoredEvent) -> tuple[str, int, str, int]:
    """When it ended, events, ruleset, seats."""
    return timestamp(last.at), last.version + 1, outline.opened.ruleset, outline.opened.seats


def result_columns(outline: Outline) -> tuple[int, str, int]:
    """Winners, bots of ours, seats of other people's."""
    sat, places = [seat for seat in outline.seats if seat], (outline.ended.outcome if outline.ended else None) or []
    bots = msgspec.json.encode([seat.bot for seat in sat if seat.bot]).decode()
    return places.count(1), bots, sum(isinstance(seat, SeatedBot) for seat in sat)


# --- looking for some -----------------------------------------------------------------------------------------------------
class RecordQuery(NamedTuple):
    """What somebody looks for; None: whatever there is.

    outcome: of the player, or where none is named of the game. bot: the name of one of ours, `other` people's, or `none`.
    since, until: days on which games ended, as 2026-01-31, the last one not included. length: fewest and most events.
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
    """Of a statement: each has its number."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def __call__(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class RecordSearch:
    """Which games lead, which of them are wanted, in which order. `led` has at most MOST games, in that order."""

    def __init__(self, wanted: RecordQuery, sort: Sort, after: str | None) -> None:
        self.arguments, (self.key, self.way) = Arguments(), KEYS[sort]
        of_key, of_other = (self.ended, self.length) if self.key == "ended" else (self.length, self.ended)
        leading = [*self.public(wanted), *self.ruleset(wanted), *of_key(wanted), *self.after_cursor(after)]
        self.led = f"select * from {self.games(wanted)} where {' and '.join(leading)} {self.order} limit {MOST}"
        self.led_by = [*self.arguments.values]
        self.others = [*self.filters(wanted), *of_other(wanted)]

    @property
    def order(self) -> str:
        return f"order by {self.key} {self.way}, id {self.way}"

    def games(self, wanted: RecordQuery) -> str:
        return "seats.games" if wanted.player else "boards.games" if wanted.tournament else "records.games"

    def public(self, wanted: RecordQuery) -> Iterator[str]:
        """Of public games alone there are seats and boards."""
        if wanted.player is not None:
            yield f"player = {self.arguments(wanted.player)}"
        if wanted.tournament is not None:
            tournament = f"tournament = {self.arguments(ids.decode(wanted.tournament))}"
            yield f"id in (select b.id from boards.games b where b.{tournament})" if wanted.player else tournament
        if wanted.player is None and wanted.tournament is None:
            yield "visibility = 'public'"

    def ruleset(self, wanted: RecordQuery) -> Iterator[str]:
        if wanted.ruleset is not None:
            yield f"ruleset = {self.arguments(wanted.ruleset)}"

    def ended(self, wanted: RecordQuery) -> Iterator[str]:
        if wanted.since is not None:
            yield f"ended >= {self.arguments(wanted.since)}"
        if wanted.until is not None:
            yield f"ended < {self.arguments(wanted.until)}"

    def length(self, wanted: RecordQuery) -> Iterator[str]:
        if wanted.length is not None:
            yield f"events between {self.arguments(wanted.length[0])} and {self.arguments(wanted.length[1])}"

    def after_cursor(self, after: str | None) -> Iterator[str]:
        if after is not None:
            cursor = self.arguments(ids.decode(after))
            than = "<" if self.way == "desc" else ">"
            yield f"({self.key}, id) {than} ((select c.{self.key} from records.games c where c.id = {cursor}), {cursor})"

    def filters(self, wanted: RecordQuery) -> Iterator[str]:
        if wanted.seats is not None:
            yield f"seats = {self.arguments(wanted.seats)}"
        if wanted.outcome is not None:
            yield (OF_PLAYER if wanted.player else OUTCOMES)[wanted.outcome]
        if wanted.bot is not None:
            yield BOTS.get(wanted.bot) or f"bots ? {self.arguments(wanted.bot)}"

    def page(self, limit: int) -> tuple[str, list[Any]]:
        where = " and ".join(self.others) or "true"
        found = f"select id from ({self.led}) led where {where} {self.order} limit {self.arguments(limit)}"
        return f"select body::text from ({found}) found join records.games using (id) {self.order}", self.arguments.values


async def page(database: Database, wanted: RecordQuery, sort: Sort, after: str | None, limit: int) -> FinishedPage:
    """Public games that are over. Raises Problem `narrow-your-search`."""
    search = RecordSearch(wanted, sort, after)
    statement, arguments = search.page(limit)
    rows = await database.rows(statement, *arguments)
    if len(rows) < limit and search.others and await was_cut_off(database, search):
        raise Problem("narrow-your-search")
    return page_of(rows, limit)


async def was_cut_off(database: Database, search: RecordSearch) -> bool:
    """Whether there are more games than were looked through."""
    row = await database.row(f"select count(*) as led from ({search.led}) led", *search.led_by)
    return row is not None and row["led"] == MOST


async def page_of_player(database: Database, player: str, after: str | None, limit: int) -> FinishedPage:
    """Those at which the player sat."""
    rows = await database.rows(
        f"""select body::text from records.games
            where visibility = 'public' and id in (select p.id from turns.parts p where p.player = $1 and p.part >= 0)
              and {after_cursor("records.games", 2)} {NEWEST} limit $3""",
        player, ids.decode(after) if after else None, limit,
    )  # fmt: skip
    return page_of(rows, limit)


def page_of(rows: Sequence[Any], limit: int) -> FinishedPage:
    games = [_game(row["body"]) for row in rows]
    return FinishedPage(games, games[-1].table.id if len(games) == limit else None)

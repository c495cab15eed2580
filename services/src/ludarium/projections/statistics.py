"""Statistics of finished games by ruleset and number of seats."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ludarium.platform.database import Database
from ludarium.projections.outlines import FINISHED, Outline, outlines_of
from ludarium.projections.schemas import Lengths, Results, SeatsStatistics, Statistics
from ludarium.tables.model.events import SeatedBot
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection


class GameStatistics:
    """A projection of counters, in which each finished game is counted once."""

    event_types = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games = [game for game in await outlines_of(connection, rows, self.archive) if is_counted(game)]
        await connection.executemany(
            "insert into games as g (ruleset, seats, games, events, shortest, longest)"
            " values ($1, $2, 1, $3::int, $3::int, $3::int)"
            " on conflict (ruleset, seats) do update set games = g.games + 1, events = g.events + excluded.events,"
            " shortest = least(g.shortest, excluded.shortest), longest = greatest(g.longest, excluded.longest)",
            [(g.opened.ruleset, g.opened.seats, g.version + 1) for g in games],
        )  # fmt: skip
        counted = Counter(result for game in games for result in results_of(game))
        await connection.executemany(
            "insert into results as r (ruleset, seats, seat, bot, place, games) values ($1, $2, $3, $4, $5, $6)"
            " on conflict (ruleset, seats, seat, bot, place) do update set games = r.games + excluded.games",
            [(*result, count) for result, count in counted.items()],
        )


def is_counted(game: Outline) -> bool:
    """Return whether the game was played to its end and is not private."""
    ended = game.ended
    return ended is not None and ended.reason == "finished" and bool(ended.outcome) and game.visibility != "private"


def results_of(game: Outline) -> list[tuple[str, int, int, str, int]]:
    """Return the results of people and of server bots, without players' own bots.

    Each is a tuple of ruleset, number of seats, seat, name of the server bot (or ""), and place.
    """
    assert game.ended is not None               # only finished games come here
    return [
        (game.opened.ruleset, game.opened.seats, seat, (sat.bot if sat else None) or "", place)
        for seat, (sat, place) in enumerate(zip(game.seats, game.ended.outcome or (), strict=True))
        if not isinstance(sat, SeatedBot)
    ]


async def statistics(database: Database, ruleset: str) -> Statistics:
    games = await database.rows("select * from statistics.games where ruleset = $1 order by seats", ruleset)
    results = await database.rows(
        "select * from statistics.results where ruleset = $1 order by seats, seat, bot, place", ruleset
    )
    by_seats = {seats: [*rows] for seats, rows in groupby(results, lambda row: row["seats"])}
    return Statistics(ruleset, [seats_statistics(row, by_seats.get(row["seats"], [])) for row in games])


def seats_statistics(row: Any, results: Sequence[Any]) -> SeatsStatistics:
    lengths = Lengths(row["shortest"], round(row["events"] / row["games"], 1), row["longest"])
    grouped = groupby(results, lambda result: (result["seat"], result["bot"]))
    seat_results = [Results(seat, bot or None, counts_by_place(row["seats"], [*found])) for (seat, bot), found in grouped]
    return SeatsStatistics(row["seats"], row["games"], lengths, seat_results)


def counts_by_place(seats: int, results: Sequence[Any]) -> list[int]:
    by_place = {result["place"]: result["games"] for result in results}
    return [by_place.get(place, 0) for place in range(1, seats + 1)]

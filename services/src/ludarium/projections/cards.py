"""Statistics of how often seats that held a certain card or tile won.

Only finished public games are counted.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Literal, NamedTuple
from uuid import UUID

from ludarium.platform.database import Database
from ludarium.projections.outlines import FINISHED, Outline, outlines_of
from ludarium.projections.schemas import CardFigures, CardStatistics, WinRate
from ludarium.projections.statistics import is_counted
from ludarium.tables.model.events import Acted, GameStarted, SeatedBot
from ludarium.tables.model.hash_chain import LogEntry, decoded_entries, is_undone, undone_versions
from ludarium_engine.kernel.facts import AnyFact, Moved
from ludarium_engine.kernel.slots import INDEX_BITS, INDEX_MASK
from ludarium_engine.registry import AnyTitle, title_of, titles
from ludarium_eventstore import Archive, StoredEvent
from ludarium_eventstore.reconnect import Connection
from ludarium_eventstore.store import COLUMNS, stored

ALL_GAMES = ""
"""The card kind under which every game is counted."""
Z_95_PERCENT = 1.959963984540054
"""The normal quantile of a 95 % interval."""
PlayerGroup = Literal["people", "bots"]


class HeldCard(NamedTuple):
    """The key of a counter, for a card that a seat held or for ALL_GAMES."""

    ruleset: str
    seats: int
    seat: int
    bot: bool
    kind: str


class CardCounts:
    """A projection that counts each game once, when its seeds are revealed."""

    event_types = FINISHED

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        games, wins = Counter[HeldCard](), Counter[HeldCard]()
        for game in await outlines_of(connection, rows, self.archive):
            if is_counted(game) and game.visibility == "public" and game.opened.ruleset in titles():
                for counted, won in held_cards(game, decoded_entries(await self.log_of(connection, game.stream))):
                    games[counted] += 1
                    wins[counted] += won
        await connection.executemany(
            "insert into held as h (ruleset, seats, seat, bot, kind, games, wins) values ($1, $2, $3, $4, $5, $6, $7)"
            " on conflict (ruleset, kind, seats, seat, bot)"
            " do update set games = h.games + excluded.games, wins = h.wins + excluded.wins",
            [(*counted, count, wins[counted]) for counted, count in games.items()],
        )

    async def log_of(self, connection: Connection, table: UUID) -> list[StoredEvent]:
        rows = await connection.fetch(
            f"select {COLUMNS} from es.events where partition = es.partition_of($1) and stream_id = $1 order by version", table
        )
        return await self.archive.rows_of(connection, [table]) or [*map(stored, rows)]


# --- one game -------------------------------------------------------------------------------------------------------------
def held_cards(game: Outline, log: Sequence[LogEntry]) -> Iterator[tuple[HeldCard, bool]]:
    """Yield each card that a seat held, and whether the seat won.

    Seats of players' own bots are left out.
    """
    assert game.ended is not None and game.ended.outcome is not None        # these games alone are counted
    begun = next(entry.event for entry in log if isinstance(entry.event, GameStarted))
    title = title_of(game.opened.ruleset, begun.data)
    kinds = kinds_by_seat(title, game.opened.seats, [*facts_of(title, log)])
    for seat, (sat, place) in enumerate(zip(game.seats, game.ended.outcome, strict=True)):
        if sat is not None and not isinstance(sat, SeatedBot):
            for kind in kinds[seat]:
                yield HeldCard(title.id, game.opened.seats, seat, sat.bot is not None, kind), place == 1


def facts_of(title: AnyTitle, log: Sequence[LogEntry]) -> Iterator[AnyFact]:
    """Yield the facts of a game, except those of events that were undone."""
    dead = undone_versions(title, log)
    for entry in log:
        if isinstance(entry.event, GameStarted | Acted) and not is_undone(entry, dead):
            yield from entry.event.facts


def kinds_by_seat(title: AnyTitle, seats: int, facts: Sequence[AnyFact]) -> list[set[str]]:
    """Return, for each seat, the kinds of cards that were ever in one of its zones."""
    kinds = {card.id: card.kind for card in title.cards}
    own = {spot.zone for spot in title.spots if spot.at == "seat"}
    fields = {n for n, field in enumerate(title.layout.fields) if field.name in own and field.kind == "piles"}
    held = [{ALL_GAMES} for _ in range(seats)]
    for fact in facts:
        if isinstance(fact, Moved) and fact.dst >> INDEX_BITS in fields and fact.dst & INDEX_MASK:
            held[(fact.dst & INDEX_MASK) - 1].update(kinds[card] for card in fact.cards if card in kinds)
    return held


# --- reading --------------------------------------------------------------------------------------------------------------
async def statistics(
    database: Database, ruleset: str, seats: int | None, seat: int | None, who: PlayerGroup
) -> CardStatistics:
    rows = await database.rows(
        """select kind, sum(games)::bigint as games, sum(wins)::bigint as wins from cards.held
           where ruleset = $1 and ($2::int is null or seats = $2) and ($3::int is null or seat = $3) and bot = $4
           group by kind order by kind""",
        ruleset, seats, seat, who == "bots",
    )  # fmt: skip
    found = {row["kind"]: win_rate(row["games"], row["wins"]) for row in rows}
    every = found.pop(ALL_GAMES, win_rate(0, 0))
    return CardStatistics(ruleset, seats, seat, who, every, [CardFigures(kind, rate) for kind, rate in found.items()])


def win_rate(games: int, wins: int) -> WinRate:
    """Return the win rate with its 95 % confidence interval.

    Wilson's interval is valid for few games and stays within 0 to 1.
    """
    if not games:
        return WinRate(0, 0, 0.0, 0.0, 1.0)
    rate, spread = wins / games, Z_95_PERCENT * Z_95_PERCENT / games
    centre = (rate + spread / 2) / (1 + spread)
    half = Z_95_PERCENT * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return WinRate(games, wins, round(rate, 4), round(max(centre - half, 0.0), 4), round(min(centre + half, 1.0), 4))

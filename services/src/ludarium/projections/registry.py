"""All projections, which one process updates and reads.

See docs/decisions/008.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakKeyDictionary

from ludarium.platform.background import background, endless
from ludarium.platform.database import PROJECTIONS, WRITING, Database
from ludarium.projections import calls, cards, lobby, log_heads, ratings, records, statistics, tournaments, turns
from ludarium.projections.frames import Frames
from ludarium.projections.positions import Positions
from ludarium.projections.rated_pairs import RatedGames, RatedPair, common_games, rated_pairs
from ludarium.projections.replay_worker import ReplayWorker, ResultCache
from ludarium.projections.replays import Replays
from ludarium.projections.schemas import (
    CardStatistics,
    FinishedPage,
    OwnTablePage,
    PlayerRating,
    PositionPage,
    Statistics,
    TablePage,
)
from ludarium.projections.turn_writer import TurnWriter
from ludarium.tables.deals.projection import OpenDeals, open_deals
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import Status
from ludarium.tables.table_cache import TableCache
from ludarium.tournaments.events import Status as TournamentStatus
from ludarium.tournaments.state import TournamentState
from ludarium_eventstore import CatchUpSubscription, StoredEvent, Subscriber, subscribers_pool
from ludarium_eventstore.reconnect import Connection, Pool
from ludarium_eventstore.tail import Tail
from ludarium_pairing.ratings import Pool as RatingPool

MAX_WAIT = 2.0
"""Seconds that a reader waits until the process's own commits are in a list."""


class ProjectionKind(NamedTuple):
    """The way in which a projection is updated.

    Attributes:
        make: creates the projection, which names its tables without a schema.
        pace: the least number of seconds between two reads of the log.
        is_fallback: True if committing processes write the rows, and the log is only read for rows they missed.
    """

    make: Callable[[TableCache], Subscriber]
    pace: float
    is_fallback: bool = False


PROJECTION_KINDS: Mapping[str, ProjectionKind] = {
    "lobby": ProjectionKind(lambda cache: lobby.TableList(cache.store.archive), 0.02),
    "turns": ProjectionKind(turns.TurnList, 0.25, is_fallback=True),
    "records": ProjectionKind(lambda cache: records.Records(cache.store.archive), 0.1),
    "seats": ProjectionKind(lambda cache: records.PlayerGames(cache.store.archive), 0.1),
    "boards": ProjectionKind(lambda cache: records.TournamentGames(cache.store.archive), 0.1),
    "statistics": ProjectionKind(lambda cache: statistics.GameStatistics(cache.store.archive), 0.1),
    "cards": ProjectionKind(lambda cache: cards.CardCounts(cache.store.archive), 1.0),
    "heads": ProjectionKind(lambda cache: log_heads.HourlyHeads(), 1.0),
    "deals": ProjectionKind(lambda cache: OpenDeals(), 0.1),
    "tournaments": ProjectionKind(lambda cache: tournaments.TournamentList(), 0.1),
    "calls": ProjectionKind(lambda cache: calls.TournamentEntries(), 0.1),
    "ratings": ProjectionKind(lambda cache: ratings.Ratings(cache.store.archive), 0.1),
}
"""All projections by name, which is also the name of the schema and of the checkpoint."""
CHANGED_AT_GAME_END = ("records", "seats", "boards", "statistics", "cards", "heads", "ratings")
TURN_WRITER_GRACE = 1.0
"""Seconds that a committing process has to write whose turn it is."""


class InSchema:
    """A projection bound to a schema, either the live one or one being rebuilt."""

    def __init__(self, projection: Subscriber, schema: str) -> None:
        self.projection, self.schema, self.event_types = projection, schema, projection.event_types

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        await connection.execute(f"set local search_path to {self.schema}")
        await self.projection.apply(connection, rows)


class Projections:
    """All projections, which are updated from the log."""

    def __init__(self, pool: Pool, database: Database, cache: TableCache, grace: float, *, follows: bool = True) -> None:
        """Create all projections.

        Args:
            follows: False if other processes read the log; this process then only writes whose turn it is.
        """
        self.database, self.follows = database, follows
        tail = Tail(pool)
        self.subscriptions = {
            name: CatchUpSubscription(
                pool, name, InSchema(kind.make(cache), name), cache.store.archive, pace=kind.pace,
                grace=grace if kind.is_fallback else 0.0, tail=tail,
            )
            for name, kind in PROJECTION_KINDS.items()
        }
        self.turns = TurnWriter(pool)
        worker = ReplayWorker(cache)
        self.position_list, self.frame_pages, self.replays = Positions(database, cache), Frames(worker), Replays(worker)
        self.finished = ResultCache[Hashable]()        # answers about finished games
        self.outlines: WeakKeyDictionary[TableState, tuple[object, ...]] = WeakKeyDictionary()

    async def follow(self, table: TableState) -> None:
        """Wake the projections that are affected by a commit in this process."""
        self.turns.note(table)
        concerned: list[str] = []
        outline = (table.status, table.policies, *table.seats)
        if self.outlines.get(table) != outline:
            self.outlines[table] = outline
            concerned.append("lobby")
        if table.status == "over":
            concerned += CHANGED_AT_GAME_END
        for name in concerned:
            self.subscriptions[name].wake()

    def note(self, _: TournamentState) -> None:
        """Wake the projections of tournaments after a change in this process."""
        for name in ("tournaments", "calls", "ratings"):
            self.subscriptions[name].wake()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the subscriptions of all projections in the background."""
        followed = self.subscriptions.values() if self.follows else ()
        async with AsyncExitStack() as stack:
            for work in (endless(self.turns.run), *(s.run() for s in followed)):
                await stack.enter_async_context(background(work))
            yield

    def stopped(self) -> dict[str, int]:
        """Return the projections that failed, each with its last position."""
        return {name: s.failure.position for name, s in self.subscriptions.items() if s.failure}

    async def settled(self, name: str) -> None:
        """Wait until a projection includes all changes made by this process."""
        subscription = self.subscriptions[name]
        await (subscription.settled(MAX_WAIT) if self.follows else subscription.passed(MAX_WAIT))

    async def turns_settled(self) -> None:
        """Wait until the lists of tables include all moves made by this process."""
        await self.turns.settled(MAX_WAIT)

    # --- queries ------------------------------------------------------------------------------------------------------
    async def tables(
        self, wanted: lobby.TableQuery, after: str | None, limit: int, order: lobby.Order = "newest"
    ) -> TablePage:
        await self.settled("lobby")
        if wanted.players is not None:
            await self.turns_settled()
        return await lobby.table_page(self.database, wanted, after, limit, order)

    async def own_tables(
        self, player: str, status: Status | None, your_turn: bool | None, after: str | None, limit: int,
        order: turns.Order = "newest",
    ) -> OwnTablePage:  # fmt: skip
        await self.turns_settled()
        return await turns.own_table_page(self.database, player, status, your_turn, after, limit, order)

    async def positions(
        self, status: Status | None, ruleset: str | None, after: str | None, limit: int
    ) -> PositionPage:
        return await self.position_list.page(status, ruleset, after, limit)

    async def records(
        self, wanted: records.RecordQuery, after: str | None, limit: int, sort: records.Sort = "newest"
    ) -> FinishedPage:
        await self.settled("records")
        if wanted.player is not None:
            await self.settled("seats")
        if wanted.tournament is not None:
            await self.settled("boards")
        return await records.finished_page(self.database, wanted, sort, after, limit)

    async def games_of_player(self, player: str, after: str | None, limit: int = 50) -> FinishedPage:
        await self.settled("records")
        await self.turns_settled()
        return await records.page_of_player(self.database, player, after, limit)

    async def frames(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """Return a page of a finished game's views as gzipped JSON (FramePage)."""
        return await self.frame_pages.block(table, audience, after, limit)

    async def replay(self, table: TableState, audience: int) -> bytes:
        """Return a game as the audience may see it, as gzipped JSON (Replay)."""
        return await self.replays.block(table, audience)

    async def statistics(self, ruleset: str) -> Statistics:
        await self.settled("statistics")
        return await statistics.statistics(self.database, ruleset)

    async def cards(self, ruleset: str, seats: int | None, seat: int | None, who: cards.PlayerGroup) -> CardStatistics:
        await self.settled("cards")
        return await cards.statistics(self.database, ruleset, seats, seat, who)

    async def best(self, pool: RatingPool) -> list[ratings.Ranked]:
        """Return the best players of a pool."""
        await self.settled("ratings")
        return await ratings.best_players(self.database, pool)

    async def rated_pairs(self, player: str | None, ruleset: str | None) -> list[RatedPair]:
        await self.settled("ratings")
        return await rated_pairs(self.database, player, ruleset)

    async def rated_games_of(self, players: Sequence[str], ruleset: str | None) -> RatedGames:
        await self.settled("ratings")
        return await common_games(self.database, players, ruleset)

    async def ratings_of(self, player: str) -> list[PlayerRating]:
        await self.settled("ratings")
        return await ratings.ratings_of_player(self.database, player)

    async def hours(self, since: datetime | None, limit: int) -> Sequence[Any]:
        await self.settled("heads")
        return await log_heads.hours(self.database, since, limit)

    async def hour_of_table(self, table: UUID) -> log_heads.TableInHour | None:
        await self.settled("heads")
        return await log_heads.hour_of_table(self.database, table)

    async def unfinished(self, player: str) -> list[UUID]:
        """Return the unfinished tables at which the player has a part.

        A part is a seat, a reservation, or having opened the table.
        """
        await self.turns_settled()
        return await turns.unfinished(self.database, player)

    async def bots_asked(self) -> set[turns.AskedBot]:
        """Return the bots that must act and are not leased to any process."""
        return await turns.bots_asked(self.database)

    async def open_deals(self) -> list[UUID]:
        """Return the shared deals not yet revealed, according to the log read so far."""
        await self.settled("deals")
        return await open_deals(self.database)

    async def tournaments(
        self, status: TournamentStatus | None, ruleset: str | None, after: str | None, limit: int
    ) -> list[tournaments.ListedTournament]:
        await self.settled("tournaments")
        return await tournaments.tournament_page(self.database, status, ruleset, after, limit)

    async def unfinished_tournaments(self, owner: str) -> int:
        """Return how many unfinished tournaments this player owns."""
        await self.settled("tournaments")
        return await tournaments.count_unfinished(self.database, owner)

    async def featured(self, tournaments: Collection[UUID]) -> dict[UUID, list[UUID]]:
        """Return the tables that each tournament features."""
        await self.settled("calls")
        return await calls.featured_tables(self.database, tournaments)

    async def running_tournaments(self) -> list[UUID]:
        """Return tournaments with a published round in progress, from the log read so far."""
        return await tournaments.running_tournaments(self.database)

    async def bot_games(self, creator: str) -> int:
        """Return the number of running bot-only games that this player has opened."""
        await self.turns_settled()
        return await turns.count_bot_games(self.database, creator)

    async def count_tables(self, player: str) -> int:
        """Return the number of unfinished tables at which the player has a part."""
        await self.turns_settled()
        return await turns.count_tables(self.database, player)


@asynccontextmanager
async def follow_projections(
    dsn: str, database: Database, cache: TableCache, grace: float = TURN_WRITER_GRACE, *, follows: bool = True
) -> AsyncIterator[Projections]:
    """Keep all projections up to date while the context lasts.

    Args:
        follows: False if another process reads the log.
    """
    async with subscribers_pool(dsn, PROJECTIONS if follows else WRITING) as pool:
        projections = Projections(pool, database, cache, grace, follows=follows)
        async with projections.running():
            yield projections

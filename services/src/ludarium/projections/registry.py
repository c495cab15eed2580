"""All projections, as one process follows the log for them."""
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
from ludarium.projections.rated_pairs import RatedGames, RatedPair, games_of_all, pairs
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

PATIENCE = 2.0
"""Seconds that a reader waits for what this process has just committed."""


class ProjectionKind(NamedTuple):
    """make: a projection; it names its tables without their schema. pace: the least seconds between two looks at the log.

    late: the process that commits tells of its tables by itself; the log is followed for what it did not come to.
    """

    make: Callable[[TableCache], Subscriber]
    pace: float
    late: bool = False


PROJECTION_KINDS: Mapping[str, ProjectionKind] = {
    "lobby": ProjectionKind(lambda cache: lobby.TableList(cache.store.archive), 0.02),
    "turns": ProjectionKind(turns.Turns, 0.25, late=True),
    "records": ProjectionKind(lambda cache: records.Records(cache.store.archive), 0.1),
    "seats": ProjectionKind(lambda cache: records.PlayerGames(cache.store.archive), 0.1),
    "boards": ProjectionKind(lambda cache: records.TournamentGames(cache.store.archive), 0.1),
    "statistics": ProjectionKind(lambda cache: statistics.Figures(cache.store.archive), 0.1),
    "cards": ProjectionKind(lambda cache: cards.Cards(cache.store.archive), 1.0),
    "heads": ProjectionKind(lambda cache: log_heads.HourlyHeads(), 1.0),
    "deals": ProjectionKind(lambda cache: OpenDeals(), 0.1),
    "tournaments": ProjectionKind(lambda cache: tournaments.TournamentList(), 0.1),
    "calls": ProjectionKind(lambda cache: calls.Calls(), 0.1),
    "ratings": ProjectionKind(lambda cache: ratings.Ratings(cache.store.archive), 0.1),
}
"""By name, which is that of its schema and of its checkpoint."""
CHANGED_AT_THE_END = ("records", "seats", "boards", "statistics", "cards", "heads", "ratings")
GRACE = 1.0
"""Seconds that the process which has committed has for writing whose turn it is."""


class InSchema:
    """A projection in a schema: its own, or the one that is built beside it."""

    def __init__(self, projection: Subscriber, schema: str) -> None:
        self.projection, self.schema, self.takes = projection, schema, projection.takes

    async def take_in(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        await connection.execute(f"set local search_path to {self.schema}")
        await self.projection.take_in(connection, rows)


class Projections:
    """Follows the log for each of them, and answers from their tables."""

    def __init__(self, pool: Pool, database: Database, cache: TableCache, grace: float, *, follows: bool = True) -> None:
        """follows: the log. Otherwise other processes do, and this one writes only whose turn it is behind its commits."""
        self.database, self.follows = database, follows
        tail = Tail(pool)
        self.subscriptions = {
            name: CatchUpSubscription(
                pool, name, InSchema(kind.make(cache), name), cache.store.archive, pace=kind.pace,
                grace=grace if kind.late else 0.0, tail=tail,
            )
            for name, kind in PROJECTION_KINDS.items()
        }
        self.turns = TurnWriter(pool)
        beside = ReplayWorker(cache)
        self.positions_of, self.frames_of, self.replays_of = Positions(database, cache), Frames(beside), Replays(beside)
        self.finished = ResultCache[Hashable]()        # answers about finished games
        self.outlines: WeakKeyDictionary[TableState, tuple[object, ...]] = WeakKeyDictionary()

    async def follow(self, table: TableState) -> None:
        """After a commit of this process: wake whom it concerns. Others find it when they look by themselves."""
        self.turns.note(table)
        concerned: list[str] = []
        outline = (table.status, table.policies, *table.seats)
        if self.outlines.get(table) != outline:
            self.outlines[table] = outline
            concerned.append("lobby")
        if table.status == "over":
            concerned += CHANGED_AT_THE_END
        for name in concerned:
            self.subscriptions[name].wake()

    def note(self, _: TournamentState) -> None:
        """A tournament has been changed here."""
        for name in ("tournaments", "calls", "ratings"):
            self.subscriptions[name].wake()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Each follows the log by itself."""
        followed = self.subscriptions.values() if self.follows else ()
        async with AsyncExitStack() as stack:
            for work in (endless(self.turns.run), *(s.run() for s in followed)):
                await stack.enter_async_context(background(work))
            yield

    def stopped(self) -> dict[str, int]:
        """The projections that cannot go on, and the position behind which each stands."""
        return {name: s.failure.position for name, s in self.subscriptions.items() if s.failure}

    async def settled(self, name: str) -> None:
        """Whoever has just changed something here finds it in the list."""
        subscription = self.subscriptions[name]
        await (subscription.settled(PATIENCE) if self.follows else subscription.passed(PATIENCE))

    async def turns_settled(self) -> None:
        """Whoever has just moved here finds their tables as they are."""
        await self.turns.settled(PATIENCE)

    # --- what they say ------------------------------------------------------------------------------------------------
    async def tables(
        self, wanted: lobby.TableQuery, after: str | None, limit: int, order: lobby.Order = "newest"
    ) -> TablePage:
        await self.settled("lobby")
        if wanted.players is not None:
            await self.turns_settled()
        return await lobby.page(self.database, wanted, after, limit, order)

    async def own_tables(
        self, player: str, status: Status | None, your_turn: bool | None, after: str | None, limit: int,
        order: turns.Order = "newest",
    ) -> OwnTablePage:  # fmt: skip
        await self.turns_settled()
        return await turns.page(self.database, player, status, your_turn, after, limit, order)

    async def positions(
        self, status: Status | None, ruleset: str | None, after: str | None, limit: int
    ) -> PositionPage:
        return await self.positions_of.page(status, ruleset, after, limit)

    async def records(
        self, wanted: records.RecordQuery, after: str | None, limit: int, sort: records.Sort = "newest"
    ) -> FinishedPage:
        await self.settled("records")
        if wanted.player is not None:
            await self.settled("seats")
        if wanted.tournament is not None:
            await self.settled("boards")
        return await records.page(self.database, wanted, sort, after, limit)

    async def records_of(self, player: str, after: str | None, limit: int = 50) -> FinishedPage:
        await self.settled("records")
        await self.turns_settled()
        return await records.page_of_player(self.database, player, after, limit)

    async def frames(self, table: UUID, audience: int, after: int, limit: int) -> bytes:
        """A FramePage of a game that is over: JSON, gzipped."""
        return await self.frames_of.block(table, audience, after, limit)

    async def replay(self, table: TableState, audience: int) -> bytes:
        """A Replay of a game as the audience may see it: JSON, gzipped."""
        return await self.replays_of.block(table, audience)

    async def statistics(self, ruleset: str) -> Statistics:
        await self.settled("statistics")
        return await statistics.statistics(self.database, ruleset)

    async def cards(self, ruleset: str, seats: int | None, seat: int | None, who: cards.Who) -> CardStatistics:
        await self.settled("cards")
        return await cards.statistics(self.database, ruleset, seats, seat, who)

    async def best(self, pool: RatingPool) -> list[ratings.Ranked]:
        """The best players of a pool."""
        await self.settled("ratings")
        return await ratings.best(self.database, pool)

    async def rated_pairs(self, player: str | None, ruleset: str | None) -> list[RatedPair]:
        await self.settled("ratings")
        return await pairs(self.database, player, ruleset)

    async def rated_games_of(self, players: Sequence[str], ruleset: str | None) -> RatedGames:
        await self.settled("ratings")
        return await games_of_all(self.database, players, ruleset)

    async def ratings_of(self, player: str) -> list[PlayerRating]:
        await self.settled("ratings")
        return await ratings.of_player(self.database, player)

    async def hours(self, since: datetime | None, limit: int) -> Sequence[Any]:
        await self.settled("heads")
        return await log_heads.hours(self.database, since, limit)

    async def hour_of_table(self, table: UUID) -> log_heads.TableInHour | None:
        await self.settled("heads")
        return await log_heads.hour_of_table(self.database, table)

    async def unfinished(self, player: str) -> list[UUID]:
        """The tables that are not over at which the player sits, or that are kept for them, or theirs."""
        await self.turns_settled()
        return await turns.unfinished(self.database, player)

    async def bots_asked(self) -> set[turns.AskedBot]:
        """The bots that owe an answer and that no process is at."""
        return await turns.bots_asked(self.database)

    async def deals_waiting(self) -> list[UUID]:
        """The shared deals that are not revealed, as far as the log has been followed; when the process starts, to its end."""
        await self.settled("deals")
        return await open_deals(self.database)

    async def tournaments(
        self, status: TournamentStatus | None, ruleset: str | None, after: str | None, limit: int
    ) -> list[tournaments.ListedTournament]:
        await self.settled("tournaments")
        return await tournaments.page(self.database, status, ruleset, after, limit)

    async def tournaments_held(self, owner: str) -> int:
        """How many this player holds that are not over."""
        await self.settled("tournaments")
        return await tournaments.count_unfinished(self.database, owner)

    async def featured(self, tournaments: Collection[UUID]) -> dict[UUID, list[UUID]]:
        """Tables that tournaments show first."""
        await self.settled("calls")
        return await calls.featured(self.database, tournaments)

    async def tournaments_running(self) -> list[UUID]:
        """Those of which a round is published and not closed, as far as the log has been followed."""
        return await tournaments.running(self.database)

    async def bot_games(self, creator: str) -> int:
        """How many games go on that this player has opened and at which only bots sit."""
        await self.turns_settled()
        return await turns.bot_games(self.database, creator)

    async def tables_of(self, player: str) -> int:
        """At which the player is, or that they have opened, and that are not over."""
        await self.turns_settled()
        return await turns.tables_of(self.database, player)


@asynccontextmanager
async def following(
    dsn: str, database: Database, cache: TableCache, grace: float = GRACE, *, follows: bool = True
) -> AsyncIterator[Projections]:
    """All projections, kept up to date while the context lasts, here or where `follows` is not said by another process."""
    async with subscribers_pool(dsn, PROJECTIONS if follows else WRITING) as pool:
        projections = Projections(pool, database, cache, grace, follows=follows)
        async with projections.running():
            yield projections

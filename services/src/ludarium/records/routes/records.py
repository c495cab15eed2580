"""Routes for finished games: search, bulk download and card statistics."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from typing import Annotated

import msgspec
from litestar import get
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, QueryParameter
from litestar.response import Stream

from ludarium.accounts import profiles, relations
from ludarium.accounts.access import Access
from ludarium.http.answers import COMPRESSED
from ludarium.http.operations import operation
from ludarium.http.parameters import Page, Ruleset, RulesetId
from ludarium.http.rate_limits import BULK
from ludarium.live.stream_outlet import NDJSON
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem
from ludarium.projections import cards
from ludarium.projections.records import Outcome, RecordQuery, Sort
from ludarium.projections.registry import Projections
from ludarium.projections.schemas import CardStatistics, FinishedPage
from ludarium.records.record import record_of
from ludarium.tables.model.rulesets import ruleset_at
from ludarium.tables.routes.tables import Visitor, id_of
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import UNREADABLE
from ludarium_engine.kernel import SPECTATOR

ProjectionsDep = NamedDependency[Projections]
PlayerFilter = Annotated[
    str | None, QueryParameter(name="player", pattern=ids.PATTERN, description="A player at the table at the end.")
]
TournamentFilter = Annotated[
    str | None, QueryParameter(name="tournament", pattern=ids.PATTERN, description="The tournament of the game.")
]
Seats = Annotated[int | None, QueryParameter(ge=1, le=16)]
OutcomeFilter = Annotated[
    Outcome | None,
    QueryParameter(
        description="How it ended for `player`, or, without one, for any player: `won` alone, `shared` the first place, "
        "`lost`, or `none`, without places."
    ),
]
Bot = Annotated[
    str | None,
    QueryParameter(pattern="^[a-z0-9-]{1,32}$", description="A server bot that played, `other` for players' bots, or `none`."),
]
DAY = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
FromDay = Annotated[str | None, QueryParameter(name="from", pattern=DAY, description="The first day (UTC) on which it ended.")]
ToDay = Annotated[str | None, QueryParameter(name="to", pattern=DAY, description="The day (UTC) before which it ended.")]
Length = Annotated[
    str | None,
    QueryParameter(pattern="^[0-9]{1,5}-[0-9]{1,5}$", description="The fewest and the most events, as `100-300`."),
]
MAX_RECORDS = 100
PROBLEMS = ("narrow-your-search", "not-found")


@dataclass(frozen=True)
class RecordFilters:
    """The query parameters of a search for finished games."""

    ruleset: Ruleset = None
    of_player: PlayerFilter = None
    tournament: TournamentFilter = None
    seats: Seats = None
    outcome: OutcomeFilter = None
    bot: Bot = None
    since: FromDay = None
    until: ToDay = None
    length: Length = None

    def query(self) -> RecordQuery:
        """Check and convert the parameters.

        Raises:
            Problem: `invalid-request`.
        """
        outcome, since, until = check_outcome(self.outcome, self.of_player), parse_day(self.since), parse_day(self.until)
        return RecordQuery(
            self.of_player, self.ruleset, self.seats, outcome, self.bot, since, until, length_range(self.length),
            self.tournament,
        )  # fmt: skip


FILTERS = {"filters": Provide(RecordFilters, sync_to_thread=False)}


@get("/records", tags=["archive"], opt=operation(*PROBLEMS), middleware=[COMPRESSED], dependencies=FILTERS)
async def search_records(
    projections: ProjectionsDep,
    people: NamedDependency[Database],
    visitor: Visitor,
    filters: NamedDependency[RecordFilters],
    sort: FromQuery[Sort] = "newest",
    after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> FinishedPage:
    """Search finished public games, sorted by end or length.

    `player`, `tournament`, `ruleset` and a range of the sort key use an index. With other filters, the search reads at
    most 10,000 games; beyond that, the response is `narrow-your-search`. Only players themselves can find their games
    if they hide their history.
    """
    query = filters.query()
    shown = await is_shown(people, query.player, visitor)
    return await projections.records(query, after, limit, sort) if shown else FinishedPage([], None)


@get("/records/bulk", tags=["archive"], opt=operation(*PROBLEMS, rate=BULK, ndjson=True), dependencies=FILTERS)
async def download_records(
    projections: ProjectionsDep,
    people: NamedDependency[Database],
    visitor: Visitor,
    tables: NamedDependency[Tables],
    filters: NamedDependency[RecordFilters],
    sort: FromQuery[Sort] = "newest",
    after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MAX_RECORDS)] = 20,
) -> Stream:
    """Download the records of finished public games, without names, as JSON lines.

    They are the games that `GET /records` finds. `ludarium verify` can verify each line. To continue, send the `table`
    of the last line as `after`. Unreadable tables are left out.
    """
    query = filters.query()
    shown = await is_shown(people, query.player, visitor)
    found = (await projections.records(query, after, limit, sort)).games if shown else []
    return Stream(record_lines(tables, [game.table.id for game in found]), media_type=NDJSON.media_type)


@get("/rulesets/{ruleset_id:str}/statistics/cards", tags=["archive"], opt=operation("no-such-ruleset"), middleware=[COMPRESSED])
async def get_card_statistics(
    ruleset_id: RulesetId,
    projections: ProjectionsDep,
    seats: Seats = None,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    who: FromQuery[cards.PlayerGroup] = "people",
) -> CardStatistics:
    """Get how often seats that held a certain card or tile won.

    They are the results of finished public games, with 95 % intervals, separately for people and bots. Winners hold
    more cards, so this does not prove that a card makes them win.
    """
    ruleset_at(ruleset_id)
    return await projections.cards(ruleset_id, seats, seat, who)


async def record_lines(tables: Tables, games: list[str]) -> AsyncIterator[bytes]:
    """Yield the records of games, made one after another outside the event loop."""
    for game in games:
        try:
            yield await record_line(tables, game)
        except Problem as problem:
            if problem.code not in (*UNREADABLE, "not-found"):
                raise


async def record_line(tables: Tables, game: str) -> bytes:
    stream = ids.decode(game)
    rows = await tables.cache.events(stream, tables.cache.lookback)
    table = await tables.cache.state_at(stream, rows, rows[-1].version)
    return await tables.cache.lookback.run(
        len(rows), lambda: msgspec.json.encode(record_of(table, rows, SPECTATOR)) + b"\n"
    )


# --- parameters ---------------------------------------------------------------------------------------------------------
async def is_shown(people: Database, player: str | None, visitor: Access | None) -> bool:
    """Return whether the caller may search the games of this player.

    Raises:
        Problem: `not-found`.
    """
    if player is None:
        return True
    found, caller = await profiles.profile(people, player), id_of(visitor)
    if caller == player:
        return True
    return not found.hides_history and player not in await relations.blocked_either_way(people, caller)


def check_outcome(outcome: Outcome | None, player: str | None) -> Outcome | None:
    if outcome == "lost" and player is None:
        raise Problem("invalid-request", errors=[FieldError("outcome", "somebody always loses: name the player")])
    return outcome


def parse_day(text: str | None) -> str | None:
    """Check that the day exists.

    Raises:
        Problem: `invalid-request`.
    """
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
    except ValueError:
        raise Problem("invalid-request", errors=[FieldError("from, to", f"there is no day {text}")]) from None


def length_range(length: str | None) -> tuple[int, int] | None:
    if length is None:
        return None
    least, _, most = length.partition("-")
    return int(least), int(most)

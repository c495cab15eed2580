"""Finished games: looked for, taken along many at a time, and what their cards were worth."""

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
Somebody = Annotated[
    str | None, QueryParameter(name="player", pattern=ids.PATTERN, description="A player who sat there at the end.")
]
Arranged = Annotated[
    str | None, QueryParameter(name="tournament", pattern=ids.PATTERN, description="A tournament that it was played for.")
]
Seats = Annotated[int | None, QueryParameter(ge=1, le=16)]
Won = Annotated[
    Outcome | None,
    QueryParameter(
        description="How it ended for `player`, or where none is named for anybody: `won` alone, `shared` the first place, "
        "`lost`, or `none`, without places."
    ),
]
Bot = Annotated[
    str | None,
    QueryParameter(pattern="^[a-z0-9-]{1,32}$", description="A bot of ours that played, `other` people's, or `none`."),
]
DAY = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
From = Annotated[str | None, QueryParameter(name="from", pattern=DAY, description="The first day (UTC) on which it ended.")]
To = Annotated[str | None, QueryParameter(name="to", pattern=DAY, description="The day (UTC) before which it ended.")]
Length = Annotated[
    str | None,
    QueryParameter(pattern="^[0-9]{1,5}-[0-9]{1,5}$", description="The fewest and the most events, as `100-300`."),
]
MOST_RECORDS = 100
SEARCHED = ("narrow-your-search", "not-found")


@dataclass(frozen=True)
class RecordFilters:
    """The query of a search for finished games, as a client sends it."""

    ruleset: Ruleset = None
    somebody: Somebody = None
    tournament: Arranged = None
    seats: Seats = None
    outcome: Won = None
    bot: Bot = None
    since: From = None
    until: To = None
    length: Length = None

    def query(self) -> RecordQuery:
        """Raises Problem `invalid-request`."""
        outcome, since, until = checked(self.outcome, self.somebody), day(self.since), day(self.until)
        return RecordQuery(
            self.somebody, self.ruleset, self.seats, outcome, self.bot, since, until, span(self.length), self.tournament
        )


FILTERS = {"filters": Provide(RecordFilters, sync_to_thread=False)}


@get("/records", tags=["archive"], opt=operation(*SEARCHED), middleware=[COMPRESSED], dependencies=FILTERS)
async def records(
    projections: ProjectionsDep,
    people: NamedDependency[Database],
    visitor: Visitor,
    filters: NamedDependency[RecordFilters],
    sort: FromQuery[Sort] = "newest",
    after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> FinishedPage:
    """The public games that are over, with their places: those first that ended last, or the longest or shortest.

    `player`, `tournament`, `ruleset` and a span of what they are sorted by lead; by anything else at most 10,000 games are
    looked through, then it is `narrow-your-search`. Of who hides their history, or has gone, there are none but to themselves.
    """
    query = filters.query()
    shown = await is_shown(people, query.player, visitor)
    return await projections.records(query, after, limit, sort) if shown else FinishedPage([], None)


@get("/records/bulk", tags=["archive"], opt=operation(*SEARCHED, rate=BULK, ndjson=True), dependencies=FILTERS)
async def bulk_records(
    projections: ProjectionsDep,
    people: NamedDependency[Database],
    visitor: Visitor,
    tables: NamedDependency[Tables],
    filters: NamedDependency[RecordFilters],
    sort: FromQuery[Sort] = "newest",
    after: Page = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_RECORDS)] = 20,
) -> Stream:
    """The records themselves of what `GET /records` finds, as JSON lines: each is what `ludarium verify` takes, without names.

    Go on with the `table` of the last line as `after`; a table that cannot be read is left out.
    """
    query = filters.query()
    shown = await is_shown(people, query.player, visitor)
    found = (await projections.records(query, after, limit, sort)).games if shown else []
    return Stream(lines(tables, [game.table.id for game in found]), media_type=NDJSON.media_type)


@get("/rulesets/{ruleset_id:str}/statistics/cards", tags=["archive"], opt=operation("no-such-ruleset"), middleware=[COMPRESSED])
async def card_statistics(
    ruleset_id: RulesetId,
    projections: ProjectionsDep,
    seats: Seats = None,
    seat: Annotated[int | None, QueryParameter(ge=0, le=15)] = None,
    who: FromQuery[cards.Who] = "people",
) -> CardStatistics:
    """How often a seat won that ever held a card or a tile: in finished public games, people and bots apart.

    With 95 % intervals. Whoever wins holds more: read it as what winners have had, not as what makes them win.
    """
    ruleset_at(ruleset_id)
    return await projections.cards(ruleset_id, seats, seat, who)


async def lines(tables: Tables, games: list[str]) -> AsyncIterator[bytes]:
    """A record each, made one after the other beside the event loop."""
    for game in games:
        try:
            yield await line(tables, game)
        except Problem as problem:
            if problem.code not in (*UNREADABLE, "not-found"):
                raise


async def line(tables: Tables, game: str) -> bytes:
    stream = ids.decode(game)
    rows = await tables.cache.events(stream, tables.cache.lookback)
    table = await tables.cache.state_at(stream, rows, rows[-1].version)
    return await tables.cache.lookback.run(
        len(rows), lambda: msgspec.json.encode(record_of(table, rows, SPECTATOR)) + b"\n"
    )


# --- what is asked --------------------------------------------------------------------------------------------------------
async def is_shown(people: Database, player: str | None, visitor: Access | None) -> bool:
    """Whether the caller may look for the games of this player. Raises Problem `not-found`."""
    if player is None:
        return True
    found, caller = await profiles.profile(people, player), id_of(visitor)
    if caller == player:
        return True
    return not found.hides_history and player not in await relations.barred(people, caller)


def checked(outcome: Outcome | None, player: str | None) -> Outcome | None:
    if outcome == "lost" and player is None:
        raise Problem("invalid-request", errors=[FieldError("outcome", "somebody always loses: name the player")])
    return outcome


def day(text: str | None) -> str | None:
    """Raises Problem `invalid-request` if there is no such day."""
    try:
        return None if text is None else date.fromisoformat(text).isoformat()
    except ValueError:
        raise Problem("invalid-request", errors=[FieldError("from, to", f"there is no day {text}")]) from None


def span(length: str | None) -> tuple[int, int] | None:
    if length is None:
        return None
    least, _, most = length.partition("-")
    return int(least), int(most)

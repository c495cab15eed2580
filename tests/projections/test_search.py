"""A search for finished games gives correct results in order and in pages.

The work done for a search is limited.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections import records
from ludarium.projections.records import RecordQuery, Sort
from ludarium.projections.schemas import FinishedGame, LobbyTable
from ludarium.tables.model.timing import timestamp
from ludarium.tables.schemas import SeatBody
from tests.support.entropy import ENTROPY

GAMES, LIMIT = 240, 7
PLAYERS = [ids.encode(ids.new_id(ENTROPY, __name__)) for _ in range(4)]
START = datetime(2026, 1, 1, tzinfo=UTC)


CUP = ids.encode(ids.new_id(ENTROPY, __name__))


class Stored(NamedTuple):
    game: FinishedGame
    visibility: str
    tournament: bool


def some_game(luck: Random, nth: int) -> Stored:
    seats = luck.choice([2, 3, 4])
    people = luck.sample(PLAYERS, 2)
    bots = [luck.choice(["simple", "random"]) if luck.random() < 0.5 else None for _ in range(seats - 2)]
    sat = [SeatBody(seat, player, None) for seat, player in enumerate(people)]
    sat += [SeatBody(2 + n, None if bot else "program", bot, owner=None if bot else people[0]) for n, bot in enumerate(bots)]
    places = luck.choice([None, [1] * seats, luck.sample(range(1, seats + 1), seats)])
    ruleset, at = luck.choice(["kemet", "valeria"]), START + timedelta(hours=luck.randrange(24 * 60))
    table = LobbyTable(ids.encode(ids.new_id(ENTROPY)), ruleset, {}, "over", people[0], sat)
    game = FinishedGame(table, places, luck.randrange(20, 60), timestamp(at))
    return Stored(game, "private" if nth % 9 == 0 else "unlisted" if nth % 11 == 0 else "public", nth % 3 == 0)


@pytest.fixture
async def stored(base: Database) -> AsyncIterator[list[Stored]]:
    """Store public and private games in the lists, and return the public ones."""
    luck = Random(4)
    made = [some_game(luck, nth) for nth in range(GAMES)]
    for game, visibility, tournament in made:
        id_, body = ids.decode(game.table.id), msgspec.json.encode(game).decode()
        await base.rows("insert into records.games values ($1, $2, $3, $4, $5::text::jsonb)",
                        id_, START, game.table.ruleset, visibility, body)  # fmt: skip
        for seat in (seat.player for seat in game.table.seats if seat.player and visibility == "public"):
            await base.rows(
                """insert into seats.games (player, id, ended, events, ruleset, seats, place, winners, bots, programs)
                   select $1, id, ended, events, ruleset, seats, $2, winners, bots, programs from records.games where id = $3
                   on conflict do nothing""",
                seat, places_of(game).get(seat), id_,
            )  # fmt: skip
        if visibility == "public" and tournament:
            await base.rows(
                """insert into boards.games select $1, id, ended, events, ruleset, seats, winners, bots, programs
                   from records.games where id = $2""",
                ids.decode(CUP), id_,
            )  # fmt: skip
    yield [each for each in made if each.visibility == "public"]


def places_of(game: FinishedGame) -> dict[str | None, int]:
    return {seat.player: place for seat, place in zip(game.table.seats, game.outcome or [], strict=False)}


def fits(stored: Stored, wanted: RecordQuery) -> bool:
    """Check the conditions of a search in Python."""
    game, _, of_tournament = stored
    seats, places = game.table.seats, game.outcome or []
    place = next((places[s.seat] for s in seats if s.player == wanted.player), 0) if places else 0
    first = places.count(1)
    ends = {
        None: True, "none": not places, "lost": place > 1,
        "won": first == 1 and (wanted.player is None or place == 1),
        "shared": first > 1 and (wanted.player is None or place == 1),
    }  # fmt: skip
    bots, programs = {s.bot for s in seats} - {None}, any(s.owner for s in seats)
    bot = {None: True, "none": not bots and not programs, "other": programs}.get(wanted.bot, wanted.bot in bots)
    return all([
        wanted.player is None or wanted.player in [s.player for s in seats], wanted.ruleset in (None, game.table.ruleset),
        wanted.seats in (None, len(seats)), ends[wanted.outcome], bot, wanted.since is None or game.ended_at >= wanted.since,
        wanted.until is None or game.ended_at < wanted.until,
        wanted.length is None or wanted.length[0] <= game.events <= wanted.length[1],
        wanted.tournament is None or of_tournament,
    ])  # fmt: skip


def searches() -> list[tuple[RecordQuery, Sort]]:
    luck = Random(5)
    of_each = product(
        [None, PLAYERS[0]], [None, "kemet"], [None, 3], [None, "won", "shared", "lost", "none"],
        [None, "simple", "other", "none"], [None, "2026-01-20"], [None, "2026-02-10"], [None, (30, 50)], [None, CUP],
    )  # fmt: skip
    sensible = [RecordQuery(*each) for each in of_each if each[0] or each[3] != "lost"]  # type: ignore[arg-type]
    sorts: list[Sort] = ["newest", "longest", "shortest"]
    return [(wanted, luck.choice(sorts)) for wanted in luck.sample(sensible, 120)]


async def test_every_search_finds_what_fits_page_by_page(base: Database, stored: list[Stored]) -> None:
    found = 0
    for wanted, sort in searches():
        expected = [each.game for each in stored if fits(each, wanted)]
        if sort == "newest":
            expected.sort(key=lambda game: (game.ended_at, ids.decode(game.table.id)), reverse=True)
        else:
            expected.sort(key=lambda game: (game.events, ids.decode(game.table.id)), reverse=sort == "longest")
        assert await whole(base, wanted, sort) == expected, (wanted, sort)
        found += len(expected)
    assert found > 500


async def whole(base: Database, wanted: RecordQuery, sort: Sort) -> list[FinishedGame]:
    games, after = list[FinishedGame](), None
    while True:
        page = await records.finished_page(base, wanted, sort, after, LIMIT)
        games += page.games
        if page.next is None:
            return games
        after = page.next


async def test_who_asks_for_too_much_is_told_to_narrow_it(
    base: Database, stored: list[Stored], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_SCANNED", 20)
    for wanted in (RecordQuery(seats=2, outcome="none", bot="none"), RecordQuery(PLAYERS[0], outcome="none"),
                   RecordQuery(length=(20, 21)), RecordQuery(tournament=CUP, outcome="none", bot="none")):
        with pytest.raises(Problem, match="narrow-your-search"):
            await records.finished_page(base, wanted, "newest", None, 100)
    assert (await records.finished_page(base, RecordQuery(length=(20, 21)), "longest", None, 100)).games
    assert len((await records.finished_page(base, RecordQuery(seats=2), "newest", None, 3)).games) == 3

"""Deals whose tables all get the same cards, as in duplicate bridge.

The cards stay secret until all tables are over.
"""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections.registry import Projections
from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify, verify_stream
from ludarium.tables.deals.events import BoardOpened
from ludarium.tables.deals.service import SharedDeals, Waiting
from ludarium.tables.deals.streams import postpone
from ludarium.tables.model import endings, seating
from ludarium.tables.model.event_types import type_of
from ludarium.tables.model.events import SeedsRevealed, TableEnded
from ludarium.tables.schemas import ActionBody, NewTable
from ludarium.tables.service import Tables
from ludarium_engine.bots import bots
from ludarium_engine.kernel import SPECTATOR, seats_to_act
from ludarium_eventstore import Append, EventStore, Verdict
from tests.clock import now
from tests.projections.conftest import base, projections
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up
from tests.support.table_games import RULESET, Silent, answered

__all__ = ["base", "projections"]

WANTED = NewTable(RULESET, 2)
BOARDS = 4
APPENDS = BOARDS - 1 + BOARDS + 1
"""How many appends close a deal: void the unfinished tables, reveal all seeds."""


class Clock:
    """The clock of a process, which the test moves."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return now() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def none() -> list[UUID]:
    """Return no open deals, like a process that has not followed the log."""
    return []


@pytest.fixture
def deals(tables: Tables, clock: Clock) -> SharedDeals:
    return process(tables, clock)


def process(tables: Tables, clock: Clock, waiting: Waiting = none) -> SharedDeals:
    return SharedDeals(tables, clock, waiting)


def pair(board: int) -> tuple[str, str]:
    return f"north {board}", f"south {board}"


async def dealt(
    deals: SharedDeals, boards: int = BOARDS, hours: int = 1, at_first: Sequence[str] = ()
) -> tuple[UUID, list[UUID]]:
    """Open a deal with two players at each table.

    Args:
        at_first: The players at the first table.

    Returns:
        The deal and its tables.
    """
    deal = await deals.streams.open("host", boards, deals.now() + timedelta(hours=hours), b"nonce")
    tables = [await deals.open_table(deal, board, "host", WANTED) for board in range(1, boards + 1)]
    for board, table in enumerate(tables, 1):
        for player in (board == 1 and at_first) or pair(board):
            await deals.tables.sit(table, player, None)
    return deal, tables


async def begun(deals: SharedDeals, board: int, table: UUID) -> None:
    await deals.tables.change(table, "host", lambda t: seating.start(t, "host"))


async def played(deals: SharedDeals, board: int, stream: UUID) -> None:
    """Play a game to its end with random answers."""
    await begun(deals, board, stream)
    luck, tables = Random(board), deals.tables
    while (table := await tables.cache.fresh(stream)).ended is None:
        seat = luck.choice(seats_to_act(table.playing))
        view = await tables.view(stream, pair(board)[seat], None)
        assert view.view is not None and view.choice is not None
        offer, subset = bots(table.title)["random"](seat, view.view, view.choice, luck)  # type: ignore[arg-type]
        await answered(tables, stream, seat, ActionBody(offer, [*subset]))


async def refused(code: str, work: Awaitable[object]) -> None:
    with pytest.raises(Problem) as problem:
        await work
    assert problem.value.code == code


async def known(tables: Tables, table: UUID) -> set[type]:
    return {type(entry.event) for entry in await tables.cache.events(table)}


async def test_all_boards_play_the_same_cards_and_no_table_tells_another(deals: SharedDeals) -> None:
    deal, tables = await dealt(deals, 3)
    for board, table in enumerate(tables, 1):
        await begun(deals, board, table)
    begun_with = [(await deals.tables.cache.fresh(table)).playing for table in tables]
    assert all(state == begun_with[0] for state in begun_with)
    again = [await deals.open_table(deal, board, "host", WANTED) for board in (1, 2, 3)]
    assert again == tables
    hidden, own = tables[0], pair(1)[0]
    assert (await deals.tables.queries.table(hidden, None)).status == "playing"
    for nobody in (None, "host", pair(2)[0]):
        await refused("deal-running", deals.tables.view(hidden, nobody, None))
        await refused("deal-running", deals.tables.queries.seen_by(hidden, nobody, SPECTATOR))
    assert (await deals.tables.view(hidden, own, None)).viewer == 0
    await refused("forbidden", deals.tables.view(hidden, own, 1))


async def test_one_player_sits_at_one_table_of_a_deal(deals: SharedDeals) -> None:
    _, tables = await dealt(deals, 2)
    third = await deals.streams.open("host", 2, deals.now() + timedelta(hours=1))
    for board in (1, 2):
        await deals.open_table(third, board, "host", WANTED)
    first, second = [(await deals.streams.load(third)).table(board) for board in (1, 2)]
    results = await asyncio.gather(
        *(deals.tables.sit(table, "ada", None) for table in (first, second)), return_exceptions=True
    )
    codes = [result.code for result in results if isinstance(result, Problem)]
    assert codes == ["other-board"]
    await refused("other-board", deals.tables.sit(tables[1], pair(1)[0], None))
    await refused("other-board", deals.tables.take_over(tables[1], pair(2)[0], pair(1)[0]))
    await deals.tables.take_over(tables[0], pair(1)[0], "eve")
    await refused("other-board", deals.tables.take_over(tables[1], pair(2)[0], "eve"))


async def test_until_the_last_table_is_over_nothing_is_revealed(deals: SharedDeals) -> None:
    deal, tables = await dealt(deals, 2)
    await played(deals, 1, tables[0])
    assert not await deals.settle(deal)
    over = await deals.tables.cache.fresh(tables[0])
    assert over.status == "over" and over.state is not None and not over.is_open_to_all
    await refused("forbidden", deals.tables.view(tables[0], pair(1)[0], 1))
    rows = await deals.tables.cache.events(tables[0])
    own = record_of(over, rows, 0)
    assert own.viewer == 0 and {leaf.leaf for row in own.rows for leaf in row.opened} == {2}
    assert all(msgspec.json.encode(seed).strip(b'"=') not in msgspec.json.encode(own) for seed in over.secret)
    await played(deals, 2, tables[1])
    assert await deals.settle(deal)
    for table in tables:
        whole = record_of(await deals.tables.cache.fresh(table), await deals.tables.cache.events(table), SPECTATOR)
        report = verify(read_record(msgspec.json.encode(whole)))
        assert report.finding is None and report.draws and report.rerun


class Died(Exception):
    """An error for a simulated death of the process."""


class Mortal(EventStore):
    """A store whose process dies at an append.

    The process dies either before the append reaches the database, or before the result reaches the process.
    """

    reaches = False

    async def append(self, append: Append) -> Verdict:
        if self.reaches:
            await super().append(append)
        raise Died


async def test_a_process_that_dies_in_the_middle_of_the_reveals_is_made_up_for(
    deals: SharedDeals, store: EventStore, log_url: str, clock: Clock, base: Database, projections: Projections,
) -> None:
    """Of four tables, one is over, one is running, and two never began."""
    deal, tables = await dealt(deals, BOARDS)
    await begun(deals, 1, tables[0])
    await deals.tables.decide_and_append(tables[0], lambda table: endings.resign(table, pair(1)[0]))
    await begun(deals, 2, tables[1])
    clock.ahead, revealed = timedelta(hours=2), list[int]()
    async with await Mortal.open(log_url) as mortal:
        for nth in range(2 * APPENDS):          # a process dies before and after each append
            mortal.reaches = bool(nth % 2)
            with pytest.raises(Died):
                await process(Tables(mortal, Silent(), ENTROPY), clock).settle(deal)
            there = Tables(store, Silent(), ENTROPY)
            kinds = [await known(there, stream) for stream in tables]
            assert all(TableEnded in each for each in kinds) or not any(SeedsRevealed in each for each in kinds)
            revealed.append(sum(SeedsRevealed in each for each in kinds))
    assert revealed == [0] * (2 * APPENDS - 7) + [1, 1, 2, 2, 3, 3, 4]
    await caught_up(base, "deals")
    assert deal in await projections.open_deals() and not (await deals.streams.load(deal)).revealed
    await process(Tables(store, Silent(), ENTROPY), clock, projections.open_deals).settle_all()
    await caught_up(base, "deals")
    assert deal not in await projections.open_deals()
    for stream in tables:
        stored = await store.read(stream)
        assert verify_stream(stream, stored).finding is None
        assert [event.type for event in stored].count(type_of(SeedsRevealed)) == 1
    reasons = [ended.reason for stream in tables if (ended := (await deals.tables.cache.fresh(stream)).ended)]
    assert reasons.count("voided") == BOARDS - 1 == len(reasons) - 1


@pytest.mark.parametrize("of_the_future", [{"fog": True}, {"ruleset": "chess"}, {"options": {"version": "of the future"}}])
async def test_a_board_that_only_a_newer_release_can_open_keeps_no_other_deal_waiting(
    tables: Tables, clock: Clock, of_the_future: dict[str, Any]
) -> None:
    """The process that opened the board died before it created the table."""
    async def waiting() -> list[UUID]:
        return [theirs, ours]

    deals = process(tables, clock, waiting)
    theirs, (ours, opened) = await deals.streams.open("host", 1, deals.now() + timedelta(hours=1)), await dealt(deals, 1)
    wanted = msgspec.to_builtins(WANTED) | of_the_future
    await deals.streams.change(theirs, lambda _: BoardOpened(1, "host", wanted))
    clock.ahead = timedelta(hours=2)
    await deals.settle_all()
    assert SeedsRevealed in await known(tables, opened[0])
    await refused("newer-release", deals.settle(theirs))
    assert not (await deals.streams.load(theirs)).revealed


async def test_a_deal_is_only_put_off_and_after_the_close_nobody_joins(deals: SharedDeals, clock: Clock) -> None:
    deal, tables = await dealt(deals, 2)
    closes = deals.now() + timedelta(hours=3)
    await refused("forbidden", deals.streams.change(deal, lambda d: postpone(d, "ada", closes)))
    await deals.streams.change(deal, lambda d: postpone(d, "host", closes))
    await refused("invalid-deal", deals.streams.change(deal, lambda d: postpone(d, "host", closes)))
    clock.ahead = timedelta(hours=2)
    assert not await deals.settle(deal)
    await refused("forbidden", deals.close(deal, "ada"))
    await deals.close(deal, "host")
    await refused("deal-closed", deals.tables.sit(tables[0], "late", None))
    await refused("deal-closed", deals.open_table(deal, 2, "host", WANTED))


@pytest.mark.parametrize(("boards", "hours"), [(0, 1), (1001, 1), (1, -1)])
async def test_deals_that_cannot_be(deals: SharedDeals, boards: int, hours: int) -> None:
    await refused("invalid-deal", deals.streams.open("host", boards, deals.now() + timedelta(hours=hours)))


async def test_a_board_is_played_once_and_only_as_it_was_opened(deals: SharedDeals) -> None:
    deal, _ = await dealt(deals, 1)
    await refused("no-such-board", deals.open_table(deal, 2, "host", WANTED))
    await refused("board-taken", deals.open_table(deal, 1, "host", NewTable(RULESET, 3)))
    await refused("not-found", deals.streams.load(ids.new_id(ENTROPY)))
    await refused("not-found", deals.tables.view(deal, None, None))

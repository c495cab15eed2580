"""Two releases that use one database.

The older release refuses exactly those tables that only the newer one can read.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from ludarium.ops.log_verification import stream_faults
from ludarium.platform.problems import Problem
from ludarium.records.verify import verify_stream
from ludarium.tables import snapshots
from ludarium.tables.model import event_types, seating
from ludarium.tables.model.events import RulesChanged, SeedsRevealed, order_of
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium.tables.table_cache import PATIENCE
from ludarium_engine.kernel.contract import encode
from ludarium_engine.testkit.audiences import opened_layout
from ludarium_eventstore import EventStore
from tests.clock import now
from tests.support.table_games import RULESET, started
from tests.tables.newer import Newer, newer_release
from tests.tables.release import MENDED, Process
from tests.tables.test_ends import does
from tests.tables.test_replacements import takes, vacant

WANTED = NewTable(RULESET, 2)
COMMANDS = 1000
TABLES = 40
OFTEN = 10                                      # events between two snapshots
CRITICAL = ("bless", "seat", "answer")          # operations of the newer release that the older one cannot read


@pytest.fixture
async def newer(log_url: str, store: EventStore) -> AsyncIterator[Newer]:
    async with newer_release(log_url) as process:
        yield process


@pytest.fixture
def older(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> Process:
    monkeypatch.setattr(snapshots, "EVERY", OFTEN)
    return Process(store)


async def test_a_thousand_commands_through_two_releases(store: EventStore, older: Process, newer: Newer) -> None:
    luck, counts = Random(15), Counter[str]()
    tables = [await started(older.tables, 3) for _ in range(TABLES)]
    beyond: set[UUID] = set()                   # tables that only the newer release can read to the end
    seen: dict[UUID, Any] = {}
    for nth in range(COMMANDS):
        table = luck.choice(tables)
        if luck.random() < 0.5:
            what = luck.choice(("answer", "sees"))
            said = await older.do(what, table, nth)
            assert ("refused" in said) == (what == "answer" and table in beyond), (nth, said)
            assert said.get("refused", "newer-release") == "newer-release"
            if what == "sees" and table in beyond:
                assert seen.setdefault(table, said) == said         # as before, permanently
            if luck.random() < 0.3:
                older.tables.cache.forget(table)
        else:
            what = luck.choices(("note", "sees", "answer", "bless", "seat"), (60, 10, 2, 1, 1))[0]
            said = await newer.do(what, table, nth)
            assert "done" in said, said
            if what in CRITICAL and said["done"] != "nothing":
                beyond.add(table)
            if what == "sees":
                assert mended_cards(said["done"]) <= {-1}
        counts[f"{what} {next(iter(said))}"] += 1
    assert counts["answer refused"] > 20 and counts["answer done"] > 100 and beyond, counts
    for table in tables:
        await sound(store, table)


def mended_cards(shown: Any) -> set[int]:
    """Return the cards that are visible in the corrected zone or move into it."""
    now, _, facts = shown
    moved = [card for fact in facts if MENDED in json.dumps(fact.get("to")) for card in fact.get("cards", [])]
    return {*now, *moved}


async def test_a_mended_sight_breaks_no_log_and_shows_no_more_than_before(
    store: EventStore, older: Process, newer: Newer
) -> None:
    stream = await started(older.tables, 3)
    before = (await older.do("sees", stream, 0))["done"]
    after = (await newer.do("sees", stream, 0))["done"]
    assert mended_cards(before) > {-1} or min(mended_cards(before)) >= 0
    assert mended_cards(after) == {-1}
    table = await older.tables.cache.fresh(stream)
    assert table.title.layout.intersection(opened_layout(table.title.layout, "hand")).depths == table.title.layout.depths


@pytest.mark.parametrize(("row", "is_ahead"), [("note_deal", False), ("bless_deal", True), ("join_deal", True)])
async def test_a_deal_that_only_the_newer_release_can_read_is_left_to_it(
    store: EventStore, older: Process, newer: Newer, row: str, is_ahead: bool
) -> None:
    deals = [await older.deals.streams.open("host", 2, now() + timedelta(hours=1)) for _ in range(2)]
    (table, _), (other, _) = [[await open_board(older, deal, board) for board in (1, 2)] for deal in deals]
    assert (await newer.do(row, deals[0], 0))["done"] == "written"
    for which, may in ((deals[0], not is_ahead), (deals[1], True)):
        late = older.deals.open_table(which, 2, "host", WANTED)     # opened already
        assert await told(late) == (None if may else "newer-release")
    assert await told(older.tables.sit(table, "zed", None)) == ("newer-release" if is_ahead else None)
    assert await told(older.tables.sit(other, "zed", None)) is None
    assert (await older.do("answer", await started(older.tables, 3), 0)) == {"done": "answered"}
    assert ("refused" in await older.do("close_deal", deals[0], 0)) == is_ahead
    assert "done" in await older.do("close_deal", deals[1], 0)
    assert any(isinstance(entry.event, SeedsRevealed) for entry in await older.tables.cache.events(table)) != is_ahead
    assert any(isinstance(entry.event, SeedsRevealed) for entry in await older.tables.cache.events(other))
    assert "done" in await newer.do("close_deal", deals[0], 0)
    for stream in (*deals, table, other):
        assert [fault async for fault in stream_faults(store, stream, await store.read(stream))] == []


@pytest.mark.parametrize("unknown", [(22, 1), (11, 2)])
async def test_a_release_from_before_somebody_could_take_over_leaves_the_table_to_newer_ones(
    tables: Tables, store: EventStore, monkeypatch: pytest.MonkeyPatch, unknown: tuple[int, int]
) -> None:
    stream, seat = await vacant(tables)
    await does(tables, stream, takes(seat))
    stored = await store.read(stream)
    first = next(row.version for row in stored if (row.type, row.schema) == unknown)
    then = fold(stream, decoded_entries(stored), upto=first - 1)
    before = Process(store).tables
    monkeypatch.delitem(event_types.DECODERS, unknown)
    table = await before.cache.load(stream)
    assert (table.newer, table.version, table.hash) == (first, first - 1, then.hash)
    assert table.seats == then.seats and encode(table.state) == encode(then.state)
    assert (await before.view(stream, None, None)).seq == first - 1
    refused: list[Awaitable[object]] = [
        before.sit(stream, "cleo", None), before.change(stream, "zed", lambda t: seating.leave(t, "zed", seat)),
        before.replace(stream, "cleo", seat), before.decide_and_append(stream, lambda h: []),
        before.change(stream, "ada", lambda t: seating.start(t, "ada")),
    ]  # fmt: skip
    for attempt in refused:
        with pytest.raises(Problem) as told:
            await attempt
        assert (told.value.code, told.value.retry_after) == ("newer-release", PATIENCE)
    assert len(await store.read(stream)) == len(stored)
    found = verify_stream(stream, stored)
    assert found.finding is None and found.roots == first, "what it reads holds, and it says how far that goes"


async def open_board(process: Process, deal: UUID, board: int) -> UUID:
    return await process.deals.open_table(deal, board, "host", WANTED)


async def told(work: Awaitable[object]) -> str | None:
    """Return the code of the problem that `work` raises, or None."""
    try:
        await work
    except Problem as problem:
        return problem.code
    return None


async def sound(store: EventStore, table: UUID) -> None:
    """Check that rules only moved forward, the log verifies, and snapshots agree."""
    stored = await store.read(table)
    rows = decoded_entries(stored)
    versions = [order_of(entry.event.version) for entry in rows if isinstance(entry.event, RulesChanged)]
    assert versions == sorted({*versions})
    assert verify_stream(table, stored).finding is None
    cold = await Process(store).tables.cache.load(table)
    whole = fold(table, rows)
    assert (cold.version, cold.hash, encode(cold.state)) == (whole.version, whole.hash, encode(whole.state))

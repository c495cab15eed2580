"""A process applies the next event if another process has replicated it.

All other events are read from the log.
"""
from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from random import Random
from uuid import UUID

import pytest

from ludarium.platform.view_channel import ROW
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, StoredEvent
from tests.support.entropy import ENTROPY
from tests.support.lost_rows import lose
from tests.support.table_games import PLAYERS, Silent, chosen, identity, play, started
from tests.tables.test_lost_rows import as_logged, asked, move


class Counting(EventStore):
    """An event store that counts its reads of streams in `reads`."""

    reads = 0

    async def read(self, stream: UUID, after: int = -1, limit: int | None = None) -> list[StoredEvent]:
        self.reads += 1
        return await super().read(stream, after, limit)


@pytest.fixture
async def counting(log_url: str, store: EventStore) -> AsyncIterator[Counting]:
    async with await Counting.open(log_url) as opened:
        assert isinstance(opened, Counting)
        yield opened


def carried(tables: Tables, seq: int = -1) -> bytes:
    """Return the replicated event of the newest message, or of message number `seq`."""
    assert isinstance(tables.publisher, Silent)
    return next(told[ROW] for _, number, told in reversed(tables.publisher.messages) if seq in (-1, number))


async def test_who_hears_a_row_takes_it_in_and_decides_without_reading(tables: Tables, counting: Counting) -> None:
    table, luck, other = await started(tables), Random(1), Tables(counting, Silent(), ENTROPY)
    await other.view(table, None, None)
    await move(tables, table, luck)
    other.cache.apply_replicated(table, carried(tables))
    assert (await tables.cache.load(table)).hash == (await other.cache.load(table)).hash
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    counting.reads = 0
    await other.command(table, PLAYERS[seat], command, identity())
    assert counting.reads == 0
    assert await tables.view(table, None, None) == await other.view(table, None, None) == await as_logged(counting, table)


async def test_a_whole_game_is_the_same_as_heard_and_as_read(tables: Tables, store: EventStore) -> None:
    table, luck, other = await started(tables), Random(2), Tables(store, Silent(), ENTROPY)
    await other.view(table, None, None)
    await play(tables, table, luck)
    assert isinstance(tables.publisher, Silent)
    for _, _, told in tables.publisher.messages:
        if row := told.get(ROW):
            other.cache.apply_replicated(table, row)
    end = (await tables.cache.load(table)).version
    assert end - 3 <= (await other.cache.load(table)).version < end               # the last events are read from the log
    assert await other.view(table, None, None) == await tables.view(table, None, None) == await as_logged(store, table)


async def test_what_does_not_fit_is_left_to_the_log(tables: Tables, store: EventStore) -> None:
    table, luck, other = await started(tables), Random(3), Tables(store, Silent(), ENTROPY)
    await other.view(table, None, None)
    known = (await other.cache.load(table)).version
    for _ in range(2):
        await move(tables, table, luck)
    first, second = carried(tables, known + 1), carried(tables)
    elsewhere = await started(tables)
    await move(tables, elsewhere, luck)
    wrong: Sequence[bytes] = (
        second, b"", b"no row", first[:-1], first[:-1] + bytes([first[-1] ^ 1]), carried(tables),
    )  # fmt: skip
    for row in wrong:
        other.cache.apply_replicated(table, row)
        assert (await other.cache.load(table)).version == known
    other.cache.apply_replicated(elsewhere, first)              # a table that this process has not loaded
    assert elsewhere not in other.cache.tables
    for row in (first, first, second):
        other.cache.apply_replicated(table, row)
    assert (await other.cache.load(table)).hash == (await tables.cache.load(table)).hash


async def test_of_rows_that_are_one_append_none_is_carried(tables: Tables) -> None:
    """A game whose outcome is decided is never visible before it is over."""
    table = await started(tables)
    await play(tables, table, Random(4))
    assert isinstance(tables.publisher, Silent)
    last = {seq: told for name, seq, told in tables.publisher.messages}
    end = (await tables.cache.load(table)).version
    assert not any(ROW in last[seq] for seq in (end - 1, end))


async def test_a_heard_row_that_the_log_has_lost_is_forgotten(tables: Tables, store: EventStore, log_url: str) -> None:
    table, luck, other = await started(tables), Random(5), Tables(store, Silent(), ENTROPY)
    await other.view(table, None, None)
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    await tables.command(table, PLAYERS[seat], command, identity())
    other.cache.apply_replicated(table, carried(tables))
    await lose(log_url)
    again = await other.command(table, PLAYERS[seat], command, identity())
    assert again.seq == command.expected_seq + 1
    assert await other.view(table, None, None) == await as_logged(store, table)


async def test_a_row_that_is_heard_while_a_command_is_decided_costs_nobody_theirs(tables: Tables, store: EventStore) -> None:
    """Both processes answer for the seat, and no command is lost."""
    table, luck, other = await started(tables), Random(6), Tables(store, Silent(), ENTROPY)
    await other.view(table, None, None)
    for _ in range(20):
        seat = await asked(tables, table)
        command = await chosen(tables, table, seat, luck)
        await tables.command(table, PLAYERS[seat], command, identity())
        other.cache.apply_replicated(table, carried(tables))
        await move(other, table, luck)
        tables.cache.apply_replicated(table, carried(other))
    assert await tables.view(table, None, None) == await other.view(table, None, None) == await as_logged(store, table)

"""A process rewrites a table's next check only if unsure about the stored one."""
from __future__ import annotations

from uuid import UUID

from ludarium.clocks.settings import LiveClock
from ludarium.tables.model.timing import NextCheck
from ludarium.tables.service import Tables
from tests.clocks.play import answered, clocked, mover
from tests.support.entropy import ENTROPY
from tests.support.simulated import at, set_clock
from tests.support.table_games import Silent


async def moved(tables: Tables, table: UUID) -> NextCheck | None:
    """Answer once, and return the next check that the process expects."""
    await answered(tables, table, await mover(tables, table))
    return (await tables.cache.load(table)).next_check


async def test_a_look_is_known_for_a_while(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(300, 3))
    first = (await tables.cache.load(table)).next_check
    assert first == (at(300.5), at(44))
    await set_clock(database_url, tables, 43.9)
    assert await moved(tables, table) is first
    await set_clock(database_url, tables, 44)
    later = await moved(tables, table)
    assert later and later.sure == at(88)


async def test_what_is_due_soon_is_not_sure_for_long(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await clocked(tables, LiveClock(20))
    assert (await tables.cache.load(table)).next_check == (at(20.5), at(4.5))


async def test_who_took_in_the_rows_of_others_says_it_again(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    other = Tables(tables.store, Silent(), ENTROPY, server_clock=tables.server_clock)
    table = await clocked(tables, LiveClock(300))
    await moved(other, table)
    assert (await tables.cache.fresh(table)).next_check is None
    assert await moved(tables, table)


async def test_whose_clock_was_set_back_is_sure_of_nothing(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 10)
    table = await clocked(tables, LiveClock(300))
    first = (await tables.cache.load(table)).next_check
    await set_clock(database_url, tables, 9)
    assert await moved(tables, table) is not first

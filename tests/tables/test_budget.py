"""If the rules never stop, the command is refused and the game continues."""
from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables.model import budget, seating
from ludarium.tables.schemas import ActionBody, Command, NewBranch, NewTable
from ludarium.tables.service import Tables
from ludarium_engine import registry
from ludarium_engine.kernel import EVERYBODY, Action, Frame, Offer
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.scripts import Ask, Script
from ludarium_engine.kernel.table import Table
from tests.engine.kernel.tiny import CHANCE, T, Tiny, TinyOptions, at, offering, tiny
from tests.support.entropy import uuid4
from tests.support.table_games import PLAYERS, identity


def loops(t: T) -> None:
    while True:
        t.set(at.die, 1 - t.s.die)


def loops_in_silence(t: T) -> None:
    while True:
        try:
            t.s.hand.index([])
        except Exception:
            continue


def loops_where_nothing_is_heard(t: T) -> None:
    """Exceed the budget first where Python swallows exceptions.

    An example is a hook of the garbage collector.
    """
    try:
        loops(t)
    except BaseException:
        loops(t)


def steps_on_forever(t: T) -> None:
    t.ask(endless, 0)


def tells_too_much(t: T) -> None:
    for _ in range(budget.MOST_FACTS + 1):
        t.disclose("paid", 0, 1, to=EVERYBODY)


def makes_a_huge_row(t: T) -> None:
    t.set(at.coins, range(budget.LARGEST_EVENT))


def offers_too_much(t: T) -> None:
    t.ask(buried, 0)


def offers_without_end(t: T) -> None:
    t.ask(bottomless, 0)


RUNAWAYS = (
    loops, loops_in_silence, loops_where_nothing_is_heard, steps_on_forever, tells_too_much, makes_a_huge_row,
    offers_too_much, offers_without_end,
)  # fmt: skip


def grows(t: T, slot: int) -> None:
    """Grow the state by more than half of the largest event."""
    t.set(at.grid[slot], range(HALF))


def dispatched(t: T, f: Frame, seat: int, action: Action) -> None:
    if action.verb == "pay":
        RUNAWAYS[action.args[0]](t)
    if action.verb == "keep" and action.args[0] == STUCK:
        return t.ask(unanswerable, 0)
    if action.verb == "keep":
        return grows(t, action.args[0] - LARGE[0])
    if action.verb == "pass":
        return t.end([1] * t.s.seats)
    t.add(at.coins[0], 1)


def never(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    while True:
        pass


def too_many(s: Tiny, f: Frame, seat: int) -> list[Offer]:
    return [Offer("choose", (), tuple(range(budget.MOST_PIECES)))]


def settle(t: T, f: Frame, seat: int, action: Action) -> None:
    t.add(at.coins[0], 1)


LARGE, STUCK, HALF = (3, 4), 5, budget.LARGEST_EVENT // 6 + 1000
MENU = offering("go", "pass", *(f"pay:{nth}" for nth in range(len(RUNAWAYS))), *(f"keep:{slot}" for slot in (*LARGE, STUCK)))
main = Script("main", Ask("dispatched", MENU, dispatched, repeat=True))
endless: Script = Script("endless", lambda t, f: t.ask(endless, 0))
buried = Script("buried", Ask("settle", too_many, settle))
bottomless = Script("bottomless", Ask("settle", never, settle))
unanswerable = Script("unanswerable", Ask("settle", lambda s, f, seat: [], settle))


def begin(t: T) -> None:
    t.ask(main, 0)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    title: Any = tiny(main, endless, buried, bottomless, unanswerable, setup=begin)
    monkeypatch.setitem(registry.current(), title.id, title)
    monkeypatch.setitem(registry.known(), (title.id, title.data_hash), title)
    monkeypatch.setattr(budget, "SECONDS", 0.2)


async def table_of(tables: Tables) -> UUID:
    table = ids.decode((await tables.create(PLAYERS[0], NewTable("tiny", 2))).id)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    return table


async def say(tables: Tables, table: UUID, offer: str) -> int:
    seq = (await tables.view(table, PLAYERS[0], None)).seq
    return (await tables.command(table, PLAYERS[0], Command(seq, ActionBody(offer)), identity())).seq


async def test_nobody_is_asked_what_cannot_be_answered(tables: Tables) -> None:
    """A state that asks a question without a legal answer is never stored."""
    table = await table_of(tables)
    seq = (await tables.cache.load(table)).version
    with pytest.raises(Problem) as caught:
        await say(tables, table, f"keep:{STUCK}")
    assert caught.value.code == "internal"
    assert await tables.store.head(table) == seq
    assert await say(tables, table, "go") == seq + 1


@pytest.mark.parametrize("nth", range(len(RUNAWAYS)), ids=[each.__name__ for each in RUNAWAYS])
async def test_a_runaway_is_stopped_and_never_happened(tables: Tables, nth: int) -> None:
    stream = await table_of(tables)
    table = await tables.cache.load(stream)
    before, seq = encode(table.state), table.version
    with pytest.raises(Problem) as caught:
        await say(tables, stream, f"pay:{nth}")
    assert caught.value.code == "rules-limit"
    assert await tables.store.head(stream) == seq
    after = await tables.cache.load(stream)
    assert (encode(after.state), after.version) == (before, seq)
    assert await say(tables, stream, "go") == seq + 1


async def test_a_position_that_is_larger_than_a_row_may_be_is_not_gone_on_from(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two events of over 128 KiB each fit, but a branch after both does not.

    The limit is 256 KiB, and the first event of a branch contains the whole state.
    """
    assert budget.LARGEST_EVENT == 256 * 1024
    monkeypatch.setattr(budget, "SECONDS", 30)
    table = await table_of(tables)
    once = await say(tables, table, f"keep:{LARGE[0]}")
    twice = await say(tables, table, f"keep:{LARGE[1]}")
    end = await say(tables, table, "pass")
    fits, refused = uuid4(), uuid4()
    assert (await tables.branch(fits, table, PLAYERS[0], NewBranch(once, bot="random"))).status == "playing"
    with pytest.raises(Problem) as caught:
        await tables.branch(refused, table, PLAYERS[0], NewBranch(twice, bot="random"))
    assert caught.value.code == "rules-limit"
    assert await tables.store.head(fits) is not None and await tables.store.head(refused) is None
    assert await tables.store.head(table) == end


async def test_the_timer_stands_still_between_commands(tables: Tables) -> None:
    table = await table_of(tables)
    await say(tables, table, "go")
    assert not budget.timer.running
    with pytest.raises(budget.Runaway):
        budget.within_budget(lambda: loops(Table(tiny(), Tiny(2, TinyOptions()), CHANCE)))
    assert not budget.timer.running and budget.within_budget(lambda: 7) == 7


@pytest.mark.parametrize("end", [lambda: None, lambda: loops(Table(tiny(), Tiny(2, TinyOptions()), CHANCE))])
def test_the_collector_of_garbage_takes_no_time_of_the_rules(end: Callable[[], None]) -> None:
    """A garbage collection among 10,000 tables takes as long as rules may run."""
    collected: list[str] = []
    during: list[str] = []
    made: list[list[int]] = []

    def makes_many() -> None:
        made.extend([nth] for nth in range(3 * gc.get_threshold()[0]))
        during.extend(collected)
        end()

    gc.callbacks.append(watch := lambda phase, _: collected.append(phase))
    try:
        with suppress(budget.Runaway):
            budget.within_budget(makes_many)
    finally:
        gc.callbacks.remove(watch)
    assert made and during == [] and gc.isenabled()


async def test_a_table_takes_so_many_events(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await table_of(tables)
    head = await tables.store.head(table)
    assert head is not None
    monkeypatch.setattr(budget, "MOST_EVENTS", head + 3)
    await say(tables, table, "go")
    await say(tables, table, "go")
    with pytest.raises(Problem) as caught:
        await say(tables, table, "go")
    assert caught.value.code == "table-full"
    assert await tables.store.head(table) == head + 2

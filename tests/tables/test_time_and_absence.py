"""Players who run out of time, the absence policies, and tables that expire."""
from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from ludarium.clocks.settings import LiveClock, TurnBasedClock
from ludarium.platform import ids, metrics
from ludarium.tables.deadlines import Deadlines
from ludarium.tables.model import consent, endings, timeouts
from ludarium.tables.model.events import TimedOut
from ludarium.tables.model.lifecycle_events import Retired, StoodIn
from ludarium.tables.schemas import AbsenceBody, NewTable, PoliciesBody
from ludarium.tables.service import Tables
from tests.support.simulated import set_clock
from tests.support.table_games import PLAYERS, RULESET, answer
from tests.tables.test_ends import asked, begun, by_default, does, verified
from tests.tables.test_replacements import EVE, takes


@pytest.fixture
def log_url(database_url: str) -> str:
    """Return a new log for each test.

    In a shared log, the due work of other tests' tables would run too.
    """
    return database_url


async def pass_time(tables: Tables, database_url: str, seconds: float) -> None:
    """Process all deadlines due by then, including those due two seconds later."""
    deadlines = Deadlines(tables)
    for moment in (seconds, seconds + 2):
        await set_clock(database_url, tables, moment)
        while await deadlines.process_due():
            pass


@pytest.mark.parametrize(
    ("policy", "row"),
    [
        (AbsenceBody(), StoodIn), (AbsenceBody("bot", "simple"), StoodIn), (AbsenceBody("claim"), StoodIn),
        (AbsenceBody("forfeit"), StoodIn),
    ],
    ids=["default", "bot", "claim", "forfeit"],
)  # fmt: skip
async def test_a_seat_that_runs_out_of_time_is_dealt_with_by_the_policy(
    tables: Tables, database_url: str, policy: AbsenceBody, row: type
) -> None:
    await set_clock(database_url, tables, 0)
    stream = await begun(tables, 3, clock=LiveClock(60), absence=policy)
    seat = await asked(tables, stream)
    await pass_time(tables, database_url, 62)
    kinds = [type(entry.event) for entry in await tables.cache.events(stream)]
    assert kinds[-2 - (policy.remedy == "forfeit") :] == [TimedOut, *([Retired] if policy.remedy == "forfeit" else []), row]
    await pass_time(tables, database_url, 100)
    table = await tables.cache.fresh(stream)
    assert table.status == "playing" and seat in table.lifecycle.away
    if policy.remedy in ("default", "bot"):
        await by_default(tables, stream, seat)
        await does(tables, stream, lambda h: endings.come_back(h, PLAYERS[seat]))
    elif policy.remedy == "claim":
        await does(tables, stream, lambda h: endings.claim(h, PLAYERS[(seat + 1) % 3], seat))
    await verified(tables, stream)


async def test_how_late_a_deadline_was_seen_to_is_counted(tables: Tables, database_url: str) -> None:
    def counted() -> dict[str, float]:
        (family,) = metrics.deadline_lag.collect()
        return {what: sample.value for sample in family.samples if (what := sample.name.rpartition("_")[2]) in ("count", "sum")}

    await set_clock(database_url, tables, 0)
    await begun(tables, 3, clock=LiveClock(60))
    before, deadlines = counted(), Deadlines(tables)
    await set_clock(database_url, tables, 59)
    assert await deadlines.process_due() == 0 and counted() == before
    await set_clock(database_url, tables, 67)
    assert await deadlines.process_due() == 1
    told = counted()
    assert told["count"] == before["count"] + 1 and told["sum"] - before["sum"] == pytest.approx(7, abs=1)


async def test_a_command_of_who_was_out_of_time_is_taken_and_has_time_again(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await begun(tables, 3, clock=LiveClock(60))
    seat = await asked(tables, table)
    await pass_time(tables, database_url, 70)
    made = await answer(tables, table, seat, Random(1))
    assert [event.__struct_config__.tag for event in made.events] == ["returned", "acted"]


async def test_a_game_that_the_last_person_has_left_ends_after_a_grace(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream = await begun(tables, 2, clock=LiveClock(60), absence=AbsenceBody(grace=100))
    first = await asked(tables, stream)
    await pass_time(tables, database_url, 62)
    while await asked(tables, stream) == first:
        await by_default(tables, stream, first)
    await pass_time(tables, database_url, 130)
    table = await tables.cache.fresh(stream)
    assert endings.all_people_away(table) and table.status == "playing"
    await pass_time(tables, database_url, 240)
    table = await tables.cache.fresh(stream)
    assert table.ended is not None and table.ended.reason == "abandoned"
    await verified(tables, stream)


async def test_clocks_stand_still_while_the_game_is_paused_and_run_on_from_there(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await begun(tables, 2, clock=LiveClock(60))
    seat = await asked(tables, table)
    await set_clock(database_url, tables, 20)
    await does(tables, table, lambda h: consent.propose(h, "ada", "pause"))
    await does(tables, table, lambda h: consent.answer(h, "ben", True))
    await pass_time(tables, database_url, 500)
    assert (await tables.cache.fresh(table)).lifecycle.paused
    await does(tables, table, lambda h: consent.propose(h, "ben", "resume"))
    view = await tables.view(table, None, None)
    assert view.clocks is not None and view.clocks.seats[seat].remaining_ms == 40_000
    await does(tables, table, lambda h: endings.give_time(h, PLAYERS[1 - seat], seat, 15))
    view = await tables.view(table, None, None)
    assert view.clocks is not None and view.clocks.seats[seat].remaining_ms == 55_000
    assert view.clocks.seats[seat].runs and view.clocks.seats[seat].deadline is None      # only turn-based clocks have one


@pytest.mark.parametrize("clock", [LiveClock(60), TurnBasedClock(3), None], ids=["live", "turn-based", "none"])
async def test_a_pause_that_lasts_too_long_ends_by_itself(
    tables: Tables, database_url: str, clock: LiveClock | TurnBasedClock | None
) -> None:
    await set_clock(database_url, tables, 0)
    stream = await begun(tables, 2, clock=clock)
    await does(tables, stream, lambda h: consent.propose(h, "ada", "pause"))
    table = await does(tables, stream, lambda h: consent.answer(h, "ben", True))
    longest = timeouts.longest(table).total_seconds()
    assert longest == (3600 if isinstance(clock, LiveClock) else 14 * 86_400)
    await does(tables, stream, lambda h: consent.propose(h, "ben", "draw"))
    await pass_time(tables, database_url, longest - 10)
    assert (await tables.cache.fresh(stream)).lifecycle.paused
    await pass_time(tables, database_url, longest + 5)
    table = await tables.cache.fresh(stream)
    assert not table.lifecycle.paused and table.status == "playing" and not table.lifecycle.away
    await answer(tables, stream, await asked(tables, stream), Random(1))
    await verified(tables, stream)


async def test_a_table_that_nobody_starts_goes_away(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    stream = ids.decode((await tables.create("ada", NewTable(RULESET, 2, {}, PoliciesBody(expires=60)))).id)
    opened = (await tables.cache.fresh(stream)).opened_at
    await pass_time(tables, database_url, 50)
    assert (await tables.cache.fresh(stream)).status == "open"
    await pass_time(tables, database_url, 61)
    table = await tables.cache.fresh(stream)
    assert table.ended is not None and table.ended.reason == "voided" and table.at >= opened + timedelta(seconds=60)


async def test_who_takes_over_has_time(tables: Tables, database_url: str) -> None:
    await set_clock(database_url, tables, 0)
    table = await begun(tables, 3, clock=LiveClock(60), substitutes=True)
    seat = await asked(tables, table)
    await pass_time(tables, database_url, 62)
    await does(tables, table, takes(seat))
    view = await tables.view(table, EVE, None)
    assert view.clocks is not None and view.clocks.seats[seat].remaining_ms == 30_000 and view.clocks.seats[seat].runs
    await pass_time(tables, database_url, 80)
    assert seat not in (await tables.cache.fresh(table)).lifecycle.away
    await pass_time(tables, database_url, 200)
    assert seat in (await tables.cache.fresh(table)).lifecycle.away
    await verified(tables, table)

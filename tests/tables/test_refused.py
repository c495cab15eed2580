"""Late and repeated commands are refused by specific codes, without an event."""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import Random
from uuid import UUID

import pytest
from msgspec import structs

from ludarium.clocks.settings import LiveClock
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables.model import consent, decisions, endings, seating
from ludarium.tables.model.lifecycle_events import StoodIn
from ludarium.tables.schemas import AbsenceBody, NewTable, PoliciesBody, Preference, SpectatorsBody, Undo, policies_of
from ludarium.tables.service import Tables
from ludarium_engine.kernel.bodies import DEFAULT
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, RULESET, Silent, chosen, play
from tests.tables.test_ends import Move, asked, asks, does, end_of, refusal, resigns, says, times_out

HOST, EVE = "host", "zed"
ADA, BEN = PLAYERS[:2]
End = Callable[[Tables, UUID], Awaitable[object]]


def by(*moves: Move) -> End:
    async def end(tables: Tables, table: UUID) -> None:
        for move in moves:
            await does(tables, table, move)

    return end


async def finished(tables: Tables, table: UUID) -> None:
    await play(tables, table, Random(3))


async def timed_out(tables: Tables, table: UUID) -> None:
    await does(tables, table, times_out(await asked(tables, table)))


ENDS: dict[str, End] = {
    "finished": finished,
    "resigned": by(resigns(0)),
    "timed_out": timed_out,
    "abandoned": by(
        lambda h: [StoodIn(0, DEFAULT), StoodIn(1, DEFAULT)], lambda h: endings.abandon(h, h.at + timedelta(days=1))
    ),
    "agreed": by(asks(0, "draw"), says(1, True)),
    "adjudicated": by(lambda h: endings.adjudicate(h, HOST, None)),
    "voided": by(lambda h: endings.cut_off(h, None)),
}
"""How a game reaches each of its ends."""
IN_THE_GAME: list[Move] = [
    resigns(0), resigns(1), asks(0, "draw"), asks(1, "takeback"), asks(0, "pause"), asks(0, "resume"), says(1, True),
    says(0, False), lambda h: endings.closed(h, None), lambda h: endings.cut_off(h, None),
    lambda h: endings.claim(h, ADA, 1),
    lambda h: endings.come_back(h, BEN),
    lambda h: endings.give_time(h, ADA, 1, 60),
    lambda h: endings.adjudicate(h, HOST, [1, 2]),
    lambda h: seating.replace(h, EVE, 0),
    lambda h: seating.hand_over(h, HOST, ADA),
    lambda h: seating.take_over(h, ADA, EVE),
    lambda h: decisions.prefer(h, ADA, Preference(0, "reaction", True)),
]  # fmt: skip
BEFORE_IT: list[Move] = [
    lambda h: seating.sit(h, EVE, None, b""),
    lambda h: seating.leave(h, ADA, 0),
    lambda h: seating.reserve(h, HOST, EVE, 1),
    lambda h: seating.ready(h, ADA, True),
    lambda h: seating.start(h, HOST),
    lambda h: seating.add_bot(h, HOST, "simple", None),
    lambda h: seating.change_policies(h, HOST, policies_of(PoliciesBody())),
    lambda h: seating.cancel(h, HOST),
]


async def opened(tables: Tables, **policies: object) -> UUID:
    """Open a table whose host does not play."""
    usual = {"absence": AbsenceBody("forfeit"), "clock": LiveClock(300), "substitutes": True}
    wanted = PoliciesBody(**usual | policies)  # type: ignore[arg-type]
    return ids.decode((await tables.create(HOST, NewTable(RULESET, 2, {}, wanted))).id)


async def begun(tables: Tables) -> UUID:
    table = await opened(tables)
    for player in (ADA, BEN):
        await tables.sit(table, player, None)
    await tables.change(table, HOST, lambda t: seating.start(t, HOST))
    return table


@pytest.mark.parametrize("reason", ENDS)
async def test_nobody_acts_after_any_end(tables: Tables, reason: str) -> None:
    table = await begun(tables)
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, Random(1))
    await ENDS[reason](tables, table)
    over = await tables.cache.fresh(table)
    assert end_of(over)[0] == reason
    assert {await refusal(tables, table, move) for move in IN_THE_GAME} == {"game-over"}
    assert {await refusal(tables, table, move) for move in BEFORE_IT} == {"table-not-open"}
    latest = structs.replace(command, expected_seq=over.version, head=None)
    with pytest.raises(Problem, match="game-over"):
        await tables.command(table, PLAYERS[seat], latest)
    with pytest.raises(Problem, match="game-over"):
        await tables.command(table, PLAYERS[seat], Undo(over.version))
    for move in (endings.void_table, endings.reveal_seeds, times_out(seat)):
        assert (await does(tables, table, move)).version == over.version        # automatic work does nothing
    assert await tables.store.head(table) == over.version


async def test_nobody_acts_at_a_table_that_was_closed_before_it_began(tables: Tables) -> None:
    table = await opened(tables)
    await tables.sit(table, ADA, None)
    over = await does(tables, table, lambda h: seating.cancel(h, HOST))
    assert {await refusal(tables, table, move) for move in BEFORE_IT} == {"table-closed"}
    assert await refusal(tables, table, resigns(0)) == await refusal(tables, table, asks(0, "draw")) == "game-over"
    assert await tables.store.head(table) == over.version


async def test_who_has_resigned_does_not_do_so_twice(tables: Tables) -> None:
    table = ids.decode((await tables.create(ADA, NewTable(RULESET, 3))).id)
    for player in PLAYERS[:3]:
        await tables.sit(table, player, None)
    await tables.change(table, ADA, lambda t: seating.start(t, ADA))
    left = await does(tables, table, resigns(1))
    again: list[Move] = [
        resigns(1), asks(1, "draw"), lambda h: endings.come_back(h, BEN), lambda h: endings.claim(h, BEN, 0),
        lambda h: endings.claim(h, ADA, 1), lambda h: consent.answer(h, BEN, True),
    ]  # fmt: skip
    assert {await refusal(tables, table, move) for move in again} == {"retired"}
    assert await tables.store.head(table) == left.version


async def test_of_those_who_want_the_last_seat_at_two_processes_one_has_it(tables: Tables) -> None:
    table, other = await opened(tables), Tables(tables.store, Silent(), ENTROPY)
    await tables.sit(table, ADA, None)
    before = await tables.store.head(table)
    assert before is not None
    wanted = [process.sit(table, f"player {nth}", None) for nth, process in enumerate((tables, other) * 4)]
    told = await asyncio.gather(*wanted, return_exceptions=True)
    assert Counter(one.code if isinstance(one, Problem) else "seated" for one in told) == {"seated": 1, "seat-taken": 7}
    assert await tables.store.head(table) == before + 1


async def test_an_invitation_is_for_whom_it_names(tables: Tables) -> None:
    """Other players may not join a public table, and cannot find a private one."""
    public, private = await opened(tables, join="invited"), await opened(
        tables, join="invited", spectators=SpectatorsBody(who="nobody")
    )
    for table, code in ((public, "not-invited"), (private, "not-found")):
        await does(tables, table, lambda h: seating.reserve(h, HOST, BEN, 0))
        with pytest.raises(Problem, match=code):
            await tables.sit(table, EVE, 0)
        assert await tables.store.head(table) == 2
        await tables.sit(table, BEN, None)


async def test_nobody_stands_in_who_does_not_play_the_title(tables: Tables) -> None:
    with pytest.raises(Problem, match="unknown-bot"):
        await opened(tables, absence=AbsenceBody("bot", "deep-thought"))

"""Endings and places of games after resignations, absence and consent.

The records of all these games must verify.
"""
from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.records.verify import verify_stream
from ludarium.tables.model import access, consent, decisions, endings, seating
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.lifecycle_events import Ready
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import AbsenceBody, ActionBody, NewTable, PoliciesBody, Undo
from ludarium.tables.service import Tables
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.describe import describe_choice, describe_view
from tests.clock import now
from tests.support.table_games import PLAYERS, RULESET, answer, play

Move = Callable[[TableState], list[AnyEvent]]


async def begun(tables: Tables, seats: int = 3, bots: int = 0, **policies: Any) -> UUID:
    body = await tables.create(PLAYERS[0], NewTable(RULESET, seats + bots, {"version": "ruthless"}, PoliciesBody(**policies)))
    table = ids.decode(body.id)
    for player in PLAYERS[:seats]:
        await tables.sit(table, player, None)
    for _ in range(bots):
        await tables.change(table, PLAYERS[0], lambda t: seating.add_bot(t, PLAYERS[0], "random", None))
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    return table


async def does(tables: Tables, table: UUID, move: Move) -> TableState:
    return (await tables.decide_and_append(table, move)).table


async def refusal(tables: Tables, table: UUID, move: Move) -> str:
    with pytest.raises(Problem) as refused:
        await tables.decide_and_append(table, move)
    return refused.value.code


def resigns(seat: int) -> Move:
    return lambda h: endings.resign(h, PLAYERS[seat])


def asks(seat: int, question: Any) -> Move:
    return lambda h: consent.propose(h, PLAYERS[seat], question)


def says(seat: int, agree: bool) -> Move:
    return lambda h: consent.answer(h, PLAYERS[seat], agree)


def times_out(seat: int) -> Move:
    return lambda h: endings.apply_absence(h, seat, h.at)


async def asked(tables: Tables, table: UUID) -> int:
    view = await tables.view(table, PLAYERS[0], None)
    assert view.view is not None
    return view.view.asked[0]


async def verified(tables: Tables, table: UUID) -> None:
    report = verify_stream(table, await tables.store.read(table))
    assert report.finding is None and report.rerun


def end_of(table: TableState) -> tuple[str, list[int] | None]:
    assert table.ended is not None and table.revealed is not None
    return table.ended.reason, table.ended.outcome


# --- resignations -------------------------------------------------------------------------------------------------------
async def test_of_two_who_resigns_has_lost(tables: Tables) -> None:
    table = await begun(tables, 2)
    assert end_of(await does(tables, table, resigns(0))) == ("resigned", [2, 1])
    assert await refusal(tables, table, resigns(1)) == "game-over"
    await verified(tables, table)


async def test_of_three_the_rest_finish_and_who_left_is_last(tables: Tables) -> None:
    stream = await begun(tables, 3)
    table = await does(tables, stream, resigns(1))
    assert table.status == "playing" and table.lifecycle.away == {1: "default"}
    assert await refusal(tables, stream, resigns(1)) == "retired"
    last = await does(tables, stream, resigns(0))
    assert end_of(last) == ("resigned", [2, 3, 1])
    await verified(tables, stream)


async def test_a_person_who_leaves_bots_alone_ends_the_game(tables: Tables) -> None:
    table = await begun(tables, 1, bots=2)
    reason, places = end_of(await does(tables, table, resigns(0)))
    assert reason == "resigned" and places is not None and places[0] == 3


async def test_places_are_those_of_the_rules_where_the_rest_played_on(tables: Tables) -> None:
    stream = await begun(tables, 3)
    await does(tables, stream, resigns(2))
    luck = Random(4)
    while (table := await tables.cache.fresh(stream)).status == "playing":
        seat = await asked(tables, stream)
        if seat == 2:
            await by_default(tables, stream, seat)
        else:
            await answer(tables, stream, seat, luck)
    reason, places = end_of(table)
    assert reason == "finished" and places is not None and places[2] == 3 and sorted(places[:2]) == [1, 2]
    await verified(tables, stream)


async def by_default(tables: Tables, stream: UUID, seat: int) -> None:
    table = await tables.cache.fresh(stream)
    choice = describe_choice(table.title, table.playing, seat)
    assert choice is not None
    offer, subset = table.title.default_answer(describe_view(table.title, table.playing, seat), choice)
    await tables.decide_and_append(stream, lambda t: decisions.stand_in_act(t, seat, ActionBody(offer, [*subset])))


async def test_a_host_who_does_not_play_rules(tables: Tables) -> None:
    body = await tables.create("host", NewTable(RULESET, 2))
    table = ids.decode(body.id)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, "host", lambda t: seating.start(t, "host"))
    assert await refusal(tables, table, lambda h: endings.adjudicate(h, "ada", None)) == "forbidden"
    for wrong in ([1], [1, 3], [2, 2], [0, 1]):
        assert await refusal(tables, table, lambda h, wrong=wrong: endings.adjudicate(h, "host", wrong)) == "invalid-places"  # type: ignore[misc]
    assert end_of(await does(tables, table, lambda h: endings.adjudicate(h, "host", [2, 1]))) == ("adjudicated", [2, 1])
    await verified(tables, table)


# --- absence ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("policy", "by"), [(AbsenceBody(), "default"), (AbsenceBody("bot", "simple"), "simple"), (AbsenceBody("claim"), None)]
)
async def test_a_stand_in_plays_until_the_player_is_back(tables: Tables, policy: AbsenceBody, by: str | None) -> None:
    stream = await begun(tables, 3, absence=policy)
    seat = await asked(tables, stream)
    table = await does(tables, stream, times_out(seat))
    assert table.lifecycle.away == {seat: by}
    assert endings.apply_absence(table, seat, table.at) == []
    if by:
        await by_default(tables, stream, seat)
    await does(tables, stream, lambda h: endings.come_back(h, PLAYERS[seat]))
    assert await refusal(tables, stream, lambda h: endings.come_back(h, PLAYERS[seat])) == "not-away"
    await verified(tables, stream)


async def test_only_who_owes_an_answer_is_out_of_time(tables: Tables) -> None:
    table = await begun(tables, 2)
    other = 1 - await asked(tables, table)
    assert endings.apply_absence(await tables.cache.fresh(table), other, now()) == []


async def test_a_command_of_who_was_away_brings_them_back(tables: Tables) -> None:
    table = await begun(tables, 3)
    seat = await asked(tables, table)
    await does(tables, table, times_out(seat))
    made = await answer(tables, table, seat, Random(1))
    assert [event.__struct_config__.tag for event in made.events] == ["returned", "acted"]
    assert not (await tables.cache.fresh(table)).lifecycle.away


async def test_who_is_only_answered_for_never_came(tables: Tables) -> None:
    stream = await begun(tables, 3)
    seat = await asked(tables, stream)
    await does(tables, stream, lambda h: [Ready(each, False) for each in range(3)])
    await does(tables, stream, times_out(seat))
    await by_default(tables, stream, seat)
    table = await tables.cache.fresh(stream)
    assert seat in table.lifecycle.moved and access.never_came(table) == [0, 1, 2]
    await does(tables, stream, lambda h: endings.come_back(h, PLAYERS[seat]))
    await play(tables, stream, Random(1), most=6)
    assert seat not in access.never_came(await tables.cache.fresh(stream))
    await verified(tables, stream)


async def test_who_forfeits_is_out_of_the_game(tables: Tables) -> None:
    table = await begun(tables, 2, absence=AbsenceBody("forfeit"))
    seat = await asked(tables, table)
    reason, places = end_of(await does(tables, table, times_out(seat)))
    assert reason == "timed_out" and places is not None and places[seat] == 2
    await verified(tables, table)


async def test_a_claim_comes_when_the_time_is_up_and_not_before(tables: Tables) -> None:
    table = await begun(tables, 2, absence=AbsenceBody("claim"))
    seat = await asked(tables, table)
    claim: Move = lambda h: endings.claim(h, PLAYERS[1 - seat], seat)  # noqa: E731
    assert await refusal(tables, table, claim) == "claim-too-early"
    await does(tables, table, times_out(seat))
    assert await refusal(tables, table, lambda h: endings.claim(h, PLAYERS[seat], seat)) == "no-such-seat"
    reason, places = end_of(await does(tables, table, claim))
    assert reason == "timed_out" and places is not None and places[seat] == 2


async def test_when_the_last_person_is_away_nothing_stands_in_and_the_game_is_abandoned(tables: Tables) -> None:
    stream = await begun(tables, 1, bots=2, absence=AbsenceBody(grace=60))
    table = await tables.cache.fresh(stream)
    while await asked(tables, stream) != 0:
        await by_default(tables, stream, await asked(tables, stream))
    table = await does(tables, stream, times_out(0))
    assert endings.stand_in(table, 0) is None and endings.stand_in(table, 1) is None
    at = endings.abandoned_at(table)
    assert at == table.at + timedelta(seconds=60)
    assert endings.abandon(table, at - timedelta(seconds=1)) == []
    reason, _ = end_of(await does(tables, stream, lambda h: endings.abandon(h, at)))
    assert reason == "abandoned"
    await verified(tables, stream)


# --- consent ------------------------------------------------------------------------------------------------------------
async def test_a_draw_needs_everybody(tables: Tables) -> None:
    table = await begun(tables, 3)
    await does(tables, table, asks(0, "draw"))
    assert await refusal(tables, table, asks(1, "draw")) == "proposal-open"
    assert await refusal(tables, table, says(0, True)) == "already-answered"
    assert (await does(tables, table, says(1, True))).status == "playing"
    assert await refusal(tables, table, says(1, True)) == "already-answered"
    assert end_of(await does(tables, table, says(2, True))) == ("agreed", [1, 1, 1])
    await verified(tables, table)


async def test_one_who_refuses_ends_the_question(tables: Tables) -> None:
    table = await begun(tables, 2)
    await does(tables, table, asks(0, "draw"))
    assert (await does(tables, table, says(1, False))).lifecycle.proposal is None
    assert await refusal(tables, table, says(1, True)) == "nothing-proposed"


async def test_nobody_acts_while_the_game_is_paused(tables: Tables) -> None:
    table = await begun(tables, 2)
    assert await refusal(tables, table, asks(0, "resume")) == "not-paused"
    await does(tables, table, asks(0, "pause"))
    assert (await does(tables, table, says(1, True))).lifecycle.paused
    with pytest.raises(Problem, match="game-paused"):
        await answer(tables, table, await asked(tables, table), Random(1))
    assert await refusal(tables, table, asks(1, "pause")) == "game-paused"
    assert not (await does(tables, table, asks(1, "resume"))).lifecycle.paused
    await answer(tables, table, await asked(tables, table), Random(1))


async def test_a_seat_is_granted_so_many_pauses_and_no_more(tables: Tables) -> None:
    stream = await begun(tables, 2)
    for _ in range(consent.PAUSES):
        await does(tables, stream, asks(0, "pause"))
        await does(tables, stream, says(1, True))
        await does(tables, stream, asks(1, "resume"))
    await does(tables, stream, asks(1, "pause"))
    await does(tables, stream, says(0, False))
    assert await refusal(tables, stream, asks(0, "pause")) == "too-many-pauses"
    table = await does(tables, stream, asks(1, "pause"))
    assert table.lifecycle.pauses == {0: consent.PAUSES}


async def test_a_takeback_undoes_what_told_something_and_the_same_draws_come_again(tables: Tables) -> None:
    table = await begun(tables, 2, undo="consent")
    luck = Random(3)
    await play(tables, table, luck, most=12)
    seat = await asked(tables, table)
    before = encode((await tables.cache.fresh(table)).playing)
    first = await answer(tables, table, seat, Random(5))
    await does(tables, table, asks(seat, "takeback"))
    back = await does(tables, table, says(1 - seat, True))
    assert encode(back.playing) == before
    again = await answer(tables, table, seat, Random(5))
    assert facts(first) == facts(again)
    await verified(tables, table)


def facts(made: Any) -> list[Any]:
    return [event.data.facts for event in made.events if hasattr(event.data, "facts")]


async def test_nothing_is_taken_back_by_consent_where_the_policies_do_not_say_so(tables: Tables) -> None:
    table = await begun(tables, 2)
    await answer(tables, table, await asked(tables, table), Random(1))
    assert await refusal(tables, table, asks(0, "takeback")) == "undo-refused"


# --- tables that never begin --------------------------------------------------------------------------------------------
async def test_a_table_is_cancelled_or_expires(tables: Tables) -> None:
    for end in (lambda h: seating.cancel(h, "ada"), lambda h: seating.expire(h, h.opened_at + timedelta(seconds=60))):
        table = ids.decode((await tables.create("ada", NewTable(RULESET, 2, {}, PoliciesBody(expires=60)))).id)
        assert seating.expire(await tables.cache.fresh(table), now()) == []
        assert end_of(await does(tables, table, end)) == ("voided", None)
        assert await refusal(tables, table, lambda h: seating.sit(h, "ben", None, b"")) == "table-closed"
        report = verify_stream(table, await tables.store.read(table))
        assert report.finding is None


async def test_undo_while_away(tables: Tables) -> None:
    table = await begun(tables, 3)
    seat = await asked(tables, table)
    await does(tables, table, resigns(seat))
    with pytest.raises(Problem, match="retired"):
        await tables.command(table, PLAYERS[seat], Undo((await tables.cache.fresh(table)).version))

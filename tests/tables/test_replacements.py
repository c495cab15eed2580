"""Substitutes who take over an absent player's seat, and what other players see."""
from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import pytest

from ludarium.platform import ids
from ludarium.records.verify import verify_stream
from ludarium.tables.event_schemas import EventBody
from ludarium.tables.model import endings, seating
from ludarium.tables.model.access import Proof
from ludarium.tables.model.lifecycle_events import AllPoliciesSet, PoliciesSet
from ludarium.tables.model.policies import Order
from ludarium.tables.schemas import AbsenceBody, NewTable, PoliciesBody, SpectatorsBody
from ludarium.tables.service import Tables
from tests.support.table_games import PLAYERS, RULESET, chosen, identity
from tests.tables.test_ends import Move, asked, begun, does, refusal, times_out, verified

EVE = "zed"


def takes(seat: int, player: str = EVE, **given: Any) -> Move:
    return lambda h: seating.replace(h, player, seat, **given)


async def vacant(tables: Tables, **policies: Any) -> tuple[UUID, int]:
    """Return a game of three with an absent player, and that player's seat."""
    table = await begun(tables, 3, **{"substitutes": True, **policies})
    seat = await asked(tables, table)
    await does(tables, table, times_out(seat))
    return table, seat


@pytest.mark.parametrize("absence", [AbsenceBody(), AbsenceBody("bot", "simple"), AbsenceBody("claim")])
async def test_somebody_takes_over_and_plays_on(tables: Tables, absence: AbsenceBody) -> None:
    stream, seat = await vacant(tables, absence=absence)
    table = await does(tables, stream, takes(seat))
    assert (table.seats[seat].player, table.lifecycle.away) == (EVE, {})  # type: ignore[union-attr]
    assert await refusal(tables, stream, lambda h: endings.come_back(h, PLAYERS[seat])) == "not-seated"
    made = await tables.view(stream, EVE, None)
    assert made.viewer == seat and made.choice is not None
    assert [body.left for body in made.seats] == [[PLAYERS[seat]] if nth == seat else [] for nth in range(3)]
    await does(tables, stream, lambda h: endings.resign(h, EVE))
    await does(tables, stream, lambda h: endings.resign(h, PLAYERS[(seat + 1) % 3]))
    await verified(tables, stream)


async def test_a_seat_stays_its_players_unless_they_are_away_and_the_policies_say_so(tables: Tables) -> None:
    table, seat = await vacant(tables)
    assert await refusal(tables, table, takes((seat + 1) % 3)) == "not-vacant"
    assert await refusal(tables, table, takes(7)) == "no-such-seat"
    assert await refusal(tables, table, takes(seat, PLAYERS[(seat + 1) % 3])) == "already-seated"
    assert await refusal(tables, table, takes(seat, PLAYERS[seat])) == "already-seated"
    await does(tables, table, lambda h: endings.come_back(h, PLAYERS[seat]))
    assert await refusal(tables, table, takes(seat)) == "not-vacant"
    other, place = await vacant(tables, substitutes=False)
    assert await refusal(tables, other, takes(place)) == "not-vacant"
    await does(tables, table, lambda h: endings.resign(h, PLAYERS[seat]))
    assert await refusal(tables, table, takes(seat)) == "not-vacant"
    empty = ids.decode((await tables.create("zoe", NewTable(RULESET, 2, {}, PoliciesBody(substitutes=True)))).id)
    assert await refusal(tables, empty, takes(0)) == "game-not-started"


async def test_who_has_played_another_seat_of_the_game_takes_none_over(tables: Tables) -> None:
    table, first = await vacant(tables)
    await does(tables, table, takes(first))
    while (second := await asked(tables, table)) == first:
        await tables.command(table, EVE, await chosen(tables, table, first, Random(1), EVE))
    await does(tables, table, times_out(second))
    assert await refusal(tables, table, takes(second, PLAYERS[first])) == "seen-another-hand"
    await does(tables, table, times_out(first))
    left = (await does(tables, table, takes(second, "fay"))).lifecycle.left
    assert left == [(first, PLAYERS[first]), (second, PLAYERS[second])]


async def by_name(table: UUID, player: str) -> Proof | None:
    return "invitation"


async def test_only_who_may_join_takes_over_and_only_accounts_where_it_is_rated(tables: Tables) -> None:
    tables.queries.find_proof = by_name
    table, seat = await vacant(tables, join="invited", rated=True)
    assert await refusal(tables, table, takes(seat)) == "not-invited"
    assert await refusal(tables, table, takes(seat, proof="invitation", who=seating.Newcomer(guest=True))) == "no-guests"
    await does(tables, table, takes(seat, proof="invitation"))


async def test_who_was_invited_to_a_private_table_sees_it_while_a_seat_is_vacant(tables: Tables) -> None:
    tables.queries.find_proof = by_name
    table, seat = await vacant(tables, spectators=SpectatorsBody("nobody"), join="invited")
    assert (await tables.view(table, EVE, None)).viewer is None
    await does(tables, table, lambda h: endings.come_back(h, PLAYERS[seat]))
    with pytest.raises(Exception, match="not-found"):
        await tables.view(table, EVE, None)


# --- events -----------------------------------------------------------------------------------------------------------------
async def test_policies_that_an_earlier_release_could_say_are_said_as_it_did(tables: Tables) -> None:
    older, newer = PoliciesBody(undo="none", rated=True), PoliciesBody(undo="none", substitutes=True)
    for policies, kind in ((older, PoliciesSet), (newer, AllPoliciesSet), (PoliciesBody(order="random"), AllPoliciesSet)):
        body = await tables.create("zoe", NewTable(RULESET, 2, {}, policies))
        rows = await tables.cache.events(ids.decode(body.id))
        assert type(rows[1].event) is kind and body.policies == policies


# --- random seats ---------------------------------------------------------------------------------------------------------
async def test_seats_are_drawn_by_lot_where_the_policies_say_so(tables: Tables) -> None:
    orders = set()
    for _ in range(12):
        stream = await begun(tables, 3, 1, order="random")
        table = await tables.cache.fresh(stream)
        orders.add(tuple(str(seat.player or seat.bot) for seat in table.seats if seat))
        assert table.status == "playing" and len(orders) <= 24
        report = verify_stream(stream, await tables.store.read(stream))
        assert report.finding is None and report.rerun
    assert len(orders) > 1 and all(sorted(order) == sorted((*PLAYERS[:3], "random")) for order in orders)


@pytest.mark.parametrize(("order", "itself"), [("random", False), ("random", True), ("chosen", False), ("chosen", True)])
async def test_a_start_is_one_append_and_answered_alike_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, order: Order, itself: bool
) -> None:
    """This holds even if all earlier events happened in the same millisecond."""
    at = tables.server_clock.now()
    monkeypatch.setattr(tables.server_clock, "now", lambda: at)
    body = await tables.create("ada", NewTable(RULESET, 4, {}, PoliciesBody(order=order, auto_start=itself)))
    table, key = ids.decode(body.id), identity(b"starts")
    for player in PLAYERS[:3]:
        await tables.sit(table, player, None)
    if itself:
        first, again = [await tables.sit(table, PLAYERS[3], None, identity=key) for _ in range(2)]
    else:
        await tables.sit(table, PLAYERS[3], None)
        first, again = [await tables.change(table, "ada", lambda t: seating.start(t, "ada"), key) for _ in range(2)]
    assert first == again and tag(first.events[-1]) == "game_started"
    lot = len(first.events) - 1 - itself
    assert lot % 2 == 0 if order == "random" else lot == 0     # a moved player leaves one seat and takes another


def tag(event: EventBody) -> object:
    return event.__struct_config__.tag

"""A client that resumes at another process gets the same bytes that were pushed.

The only exception is the view, which only the newest event has.
"""
from __future__ import annotations

from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.view_channel import ROW, audience_of, wants_changes
from ludarium.tables import page_cache
from ludarium.tables.model import seating
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.page_cache import PageCache
from ludarium.tables.schemas import ActionBody, NewTable, PoliciesBody, SpectatorsBody, Undo
from ludarium.tables.service import Tables
from ludarium.tables.views import table_view
from ludarium_engine.bots import bots
from ludarium_engine.kernel import SPECTATOR, seats_to_act
from ludarium_engine.kernel.describe import describe_fact
from ludarium_engine.registry import titles
from ludarium_engine.story.lines import Sentence, plain
from tests.live.full import largest
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, Silent, answered, play
from tests.tables.test_commands import beating
from tests.tables.test_page_cache import all_read

MOVES = 40
json = msgspec.json.Encoder().encode


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_cache, "PAGE", 7)


@pytest.mark.parametrize("ruleset", titles())
async def test_at_the_largest_table_of_each_title(tables: Tables, ruleset: str) -> None:
    table = await begun(tables, largest(ruleset))
    await move(tables, table, MOVES, Random(11))
    await resumed_as_pushed(tables, table)
    await kept_as_made_anew(tables, table)


async def test_behind_what_was_taken_back(tables: Tables) -> None:
    luck = Random(12)
    table, seat = await beating(tables, luck)
    await tables.command(table, PLAYERS[seat], Undo((await tables.view(table, None, None)).seq))
    await play(tables, table, luck, most=10)
    await resumed_as_pushed(tables, table)


async def test_spectators_with_a_delay_are_told_late_and_the_same(tables: Tables) -> None:
    delayed, luck = PoliciesBody(SpectatorsBody("delayed", 4)), Random(13)
    table = await begun(tables, NewTable("valley-of-the-kings", 3, {}, delayed))
    told: list[bytes] = []
    for _ in range(MOVES):
        await move(tables, table, 1, luck)
        before, told = told, await resumed(tables, table, SPECTATOR)
        assert [*map(bare, told)][: len(before)] == [*map(bare, before)]
    to_a_seat = await resumed(tables, table, 0)
    assert len(told) == len(to_a_seat) - 4
    await resumed_as_pushed(tables, table)


# --- games ------------------------------------------------------------------------------------------------------------
async def begun(tables: Tables, wanted: NewTable) -> UUID:
    table = ids.decode((await tables.create(PLAYERS[0], wanted)).id)
    for player in PLAYERS[: wanted.seats]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    return table


async def move(tables: Tables, stream: UUID, most: int, luck: Random) -> None:
    """Play up to `most` random answers."""
    for _ in range(most):
        table = await tables.cache.load(stream)
        if table.status != "playing":
            return
        seat = luck.choice([*seats_to_act(table.playing)])
        seen: Any = table_view(table, seat)
        offer, subset = bots(titles()[table.opened.ruleset])["random"](seat, seen.view, seen.choice, luck)
        await answered(tables, stream, seat, ActionBody(offer, [*subset]))


# --- messages ---------------------------------------------------------------------------------------------------------
async def resumed(tables: Tables, table: UUID, audience: int) -> list[bytes]:
    """Return all events as read by a process that has not loaded the table."""
    return await all_read(PageCache(Tables(tables.store, Silent(), ENTROPY)), table, audience, -1)


async def resumed_as_pushed(tables: Tables, table: UUID) -> None:
    """Check that resuming returns every message that was pushed to each audience."""
    assert isinstance(tables.publisher, Silent)
    told = {audience: await resumed(tables, table, audience) for audience in (await tables.cache.load(table)).audiences}
    compared = 0
    for name, seq, messages in tables.publisher.messages:
        for look, pushed in messages.items() if ids.decode(name) == table else ():
            if look != ROW and not wants_changes(look) and seq < len(told[audience_of(look)]):
                assert bare(told[audience_of(look)][seq]) == bare(pushed)
                compared += 1
    assert compared > MOVES


def bare(event: bytes) -> bytes:
    """Return an encoded event without the view that only the newest event has."""
    read: dict[str, Any] = msgspec.json.decode(event)
    read["data"].pop("view", None)
    return json(read)


async def kept_as_made_anew(tables: Tables, stream: UUID) -> None:
    """Check that cached descriptions of facts equal freshly made ones.

    The cache returns one description for all facts that compare equal.
    """
    table = await tables.cache.load(stream)
    for entry in decoded_entries(await tables.store.read(stream)):
        for audience in table.audiences:
            for fact in getattr(entry.event.seen(table.shown(entry.version), audience), "facts", ()):
                assert json(describe_fact(table.title, fact)) == json(describe_fact.__wrapped__(table.title, fact))
                if isinstance(fact, Sentence):
                    assert json(plain(table.title, fact)) == json(plain.__wrapped__(table.title, fact))

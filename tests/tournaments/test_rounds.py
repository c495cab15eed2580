"""Organisers' decisions while the tables of a round are opened, or afterwards."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any
from uuid import UUID

import msgspec
import pytest

from ludarium.notices.tournament_calls import TournamentCalls
from ludarium.platform import ids
from ludarium.platform.database import database
from ludarium.platform.schema_check import migrated
from ludarium.projections.registry import follow_projections
from ludarium.tables.deals.events import DEAL_NAMES
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.hash_chain import commitment
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium.tournaments import organiser_commands, player_commands
from ludarium.tournaments.calls import calls_of
from ludarium.tournaments.drafts import Drafts
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.events import Result, StatusSet, TournamentOpened
from ludarium.tournaments.plan import PlanBody, StageBody, TablesBody, checked_plan
from ludarium.tournaments.player_commands import Events
from ludarium.tournaments.rounds import Rounds
from ludarium.tournaments.schemas.tournaments import own_place, round_body, tournament_body
from ludarium.tournaments.state import TournamentState
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.texts import Text
from ludarium_eventstore import EventStore
from ludarium_pairing.model import VERSION
from tests.support.entropy import ENTROPY
from tests.support.following import caught_up
from tests.support.table_games import RULESET, Silent

HOST = "host"


@pytest.fixture
async def tables(database_url: str) -> AsyncIterator[Tables]:
    await migrated(database_url)
    async with await EventStore.open(database_url) as store:
        await store.name_types({**NAMES, **DEAL_NAMES, **TOURNAMENT_NAMES})
        yield Tables(store, Silent(), ENTROPY)


@pytest.fixture
async def tournaments(tables: Tables) -> TournamentStore:
    return TournamentStore(tables.store, tables.server_clock.now, ENTROPY)


async def published(tournaments: TournamentStore) -> UUID:
    """Publish a round with one table that is not open yet, and return the tournament."""
    stream, key = ids.new_id(ENTROPY), bytes(32)
    plan = msgspec.to_builtins(checked_plan(PlanBody(TablesBody(RULESET), (StageBody("swiss", rounds=1),), wait=3600)))
    await tournaments.open(stream, TournamentOpened(commitment(key), HOST, plan, bytes(16), VERSION), key)
    await tournaments.change(stream, lambda state: [StatusSet(HOST, "open")])
    for player in ("ada", "ben"):
        await tournaments.change(stream, lambda s, player=player: player_commands.enter(s, player, guest=False, knows=False))  # type: ignore[misc]
    await tournaments.change(stream, lambda state: [StatusSet(HOST, "closed")])
    drafted = await tournaments.change(stream, lambda s: organiser_commands.draft(s, HOST, 1, s.version))
    await Drafts(tournaments).publish(stream, HOST, (1, 1), drafted.version, tournaments.now(), None)
    return stream


def void(state: TournamentState) -> Events:
    round = organiser_commands.get_round(state, 1, 1)
    return organiser_commands.rule(state, HOST, round, round.boards[1], state.version, "void", [], bytes(16))


def cancelled(state: TournamentState) -> Events:
    return player_commands.set_status(state, HOST, state.version, "cancelled")


async def result(tournaments: TournamentStore, stream: UUID) -> Result | None:
    return organiser_commands.get_round(await tournaments.fresh(stream), 1, 1).boards[1].result


@pytest.mark.parametrize("act", [void, cancelled])
async def test_what_is_decided_while_a_table_opens_is_done(
    tournaments: TournamentStore, tables: Tables, monkeypatch: pytest.MonkeyPatch, act: Callable[[TournamentState], Events]
) -> None:
    stream, arrange = await published(tournaments), tables.arrange

    async def meanwhile(*told: Any) -> TableState | None:
        opened = await arrange(*told)
        await tournaments.change(stream, act)
        return opened

    monkeypatch.setattr(tables, "arrange", meanwhile)
    await Rounds(tournaments, tables).process(stream)
    told = await result(tournaments, stream)
    assert told is not None and told.reason == "voided"


async def test_what_is_decided_before_a_table_opens_is_done(tournaments: TournamentStore, tables: Tables) -> None:
    stream = await published(tournaments)
    await tournaments.change(stream, void)
    await Rounds(tournaments, tables).process(stream)
    told = await result(tournaments, stream)
    assert told is not None and told.reason == "voided"


async def test_a_table_is_named_when_it_can_be_used(tournaments: TournamentStore, tables: Tables) -> None:
    stream = await published(tournaments)
    assert await named(tournaments, stream) == []
    await Rounds(tournaments, tables).process(stream)
    table = organiser_commands.get_round(await tournaments.fresh(stream), 1, 1).boards[1].table
    assert (await tables.cache.fresh(table)).stream == table
    assert await named(tournaments, stream) == [ids.encode(table)] * 4


async def named(tournaments: TournamentStore, stream: UUID) -> list[str]:
    """Return all tables that the API and the live stream name to anyone."""
    state = await tournaments.fresh(stream)
    round, unopened = organiser_commands.get_round(state, 1, 1), await tournaments.unopened(state)
    round.boards[1].featured = True
    told = [board.table for board in round_body(state, round, {}, official=False, unopened=unopened).tables]
    told.append(own_place(state, state.entrants[1], unopened).table)
    told += [board.table for board in tournament_body(state, Text("Cup"), {}, unopened).featured]
    calls = calls_of(state, state.entrants[1].player, tournaments.now(), unopened)
    told += [call.data["table"] for call in calls if call.type == "next_table"]
    return [table for table in told if table is not None]


async def test_players_are_called_to_a_table_when_it_can_be_used(
    tournaments: TournamentStore, tables: Tables, database_url: str
) -> None:
    async with database(database_url) as base, follow_projections(database_url, base, tables.cache, grace=0.0):
        stream = await published(tournaments)
        await caught_up(base, "tournaments", "calls")
        source = TournamentCalls(base, tournaments)

        async def called_to() -> list[str]:
            calls = (await source.of(["ada", "ben"])).values()
            return [call.data["table"] for called in calls for call in called if call.type == "next_table"]

        assert await called_to() == []
        await Rounds(tournaments, tables).process(stream)
        table = organiser_commands.get_round(await tournaments.fresh(stream), 1, 1).boards[1].table
        assert await called_to() == [ids.encode(table)] * 2


@pytest.mark.parametrize("act", [void, cancelled])
async def test_what_is_decided_of_a_table_that_waits_is_done(
    tournaments: TournamentStore, tables: Tables, act: Callable[[TournamentState], Events]
) -> None:
    stream, rounds = await published(tournaments), Rounds(tournaments, tables)
    await rounds.process(stream)
    assert await result(tournaments, stream) is None
    await tournaments.change(stream, act)
    await rounds.process(stream)
    told = await result(tournaments, stream)
    assert told is not None and told.reason == "voided"

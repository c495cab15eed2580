"""Commands of many players at a tournament need few appends, each made only once."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.platform.schema_check import migrated
from ludarium.records.tournaments import verify_events
from ludarium.tables.model.hash_chain import commitment
from ludarium.tournaments import player_commands
from ludarium.tournaments.event_types import TOURNAMENT_NAMES
from ludarium.tournaments.events import Entered, StatusSet, TournamentOpened
from ludarium.tournaments.plan import PlanBody, StageBody, TablesBody, checked_plan
from ludarium.tournaments.store import CommandResult, DecideInGroup, TournamentStore
from ludarium_eventstore import EventStore, audit
from ludarium_pairing.model import VERSION
from tests.support.entropy import ENTROPY, uuid4

PLAYERS = 60


@pytest.fixture
async def two(database_url: str) -> AsyncIterator[tuple[TournamentStore, TournamentStore]]:
    """Yield the tournament stores of two processes."""
    await migrated(database_url)
    async with await EventStore.open(database_url) as one, await EventStore.open(database_url) as other:
        await one.name_types(TOURNAMENT_NAMES)
        yield TournamentStore(one, now, ENTROPY), TournamentStore(other, now, ENTROPY)


def now() -> datetime:
    return datetime.now(UTC)


async def opened(tournaments: TournamentStore) -> UUID:
    stream, key = ids.new_id(ENTROPY), bytes(32)
    plan = PlanBody(TablesBody("game-of-kingdoms"), (StageBody("swiss", rounds=1),), guests=True)
    row = TournamentOpened(commitment(key), "host", msgspec.to_builtins(checked_plan(plan)), bytes(16), VERSION)
    await tournaments.open(stream, row, key)
    await tournaments.change(stream, lambda state: [StatusSet("host", "open")])
    return stream


def enter(player: str) -> DecideInGroup:
    return lambda state, more: player_commands.enter(state, player, guest=False, knows=False, more=more)


def identity(request: bytes = b"enter") -> Identity:
    return Identity(uuid4(), request)


async def test_many_enter_through_two_processes_each_once_in_few_appends(two: tuple[TournamentStore, TournamentStore]) -> None:
    stream = await opened(two[0])
    keys = [identity() for _ in range(PLAYERS)]
    done: list[CommandResult] = await asyncio.gather(*(
        two[nth % 2].change_in_group(stream, f"player {nth}", enter(f"player {nth}"), own) for nth, own in enumerate(keys)
    ))  # fmt: skip
    rows = await two[0].store.read(stream)
    _, report = verify_events(stream, rows, keyed=True)
    assert report.fault is None and not await audit(two[0].store)
    entered = [each.event for each in done if isinstance(each.event, Entered)]
    assert sorted(row.entry for row in entered) == [*range(1, PLAYERS + 1)]
    assert all(row.player == f"player {nth}" for nth, row in enumerate(entered))
    assert len({row.at for row in rows[2:]}) < PLAYERS, "rows of one append have one time"
    again = await two[1].change_in_group(stream, "player 7", enter("player 7"), keys[7])
    assert again == done[7] and len(await two[0].store.read(stream)) == len(rows)


async def test_a_key_that_was_used_in_company_is_known_for_good(two: tuple[TournamentStore, TournamentStore]) -> None:
    stream, key = await opened(two[0]), identity()
    await asyncio.gather(*(
        two[0].change_in_group(stream, player, enter(player), own) for player, own in (("ada", key), ("ben", identity()))
    ))  # fmt: skip
    with pytest.raises(Problem, match="key-reused"):
        other = Identity(key.key, b"leave")
        await two[1].change_in_group(stream, "ada", lambda s, _: player_commands.withdraw(s, "ada"), other)
    leave = identity(b"leave")
    left = await two[1].change_in_group(stream, "ada", lambda s, _: player_commands.withdraw(s, "ada"), leave)
    await two[0].change_in_group(stream, "ada", enter("ada"), identity())
    assert await two[0].change_in_group(stream, "ada", lambda s, _: player_commands.withdraw(s, "ada"), leave) == left
    assert (await two[1].fresh(stream)).entrant_of("ada") is not None, "what was sent again has not made her leave again"


async def test_who_may_not_hinders_nobody(two: tuple[TournamentStore, TournamentStore]) -> None:
    stream = await opened(two[0])
    await two[0].change_in_group(stream, "ada", enter("ada"))
    outcomes = await asyncio.gather(
        *(two[0].change_in_group(stream, player, enter(player)) for player in ("ada", "ben", "cleo")), return_exceptions=True
    )
    assert isinstance(outcomes[0], Problem) and outcomes[0].code == "already-entered"
    entered = [one.event for one in outcomes[1:] if isinstance(one, CommandResult) and isinstance(one.event, Entered)]
    assert [event.entry for event in entered] == [2, 3]


async def test_two_acts_of_one_player_come_one_after_the_other(two: tuple[TournamentStore, TournamentStore]) -> None:
    stream = await opened(two[0])
    first, second = await asyncio.gather(
        two[0].change_in_group(stream, "ada", enter("ada")),
        two[0].change_in_group(stream, "ada", lambda s, _: player_commands.withdraw(s, "ada")),
    )
    assert second.version == first.version + 1

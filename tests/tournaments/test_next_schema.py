"""This release stops before an event that has a schema of the next release."""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.records.tournaments import verify_events
from ludarium.tables.model.hash_chain import EventHeader, commitment, link
from ludarium.tournaments import event_types
from ludarium.tournaments.events import StatusSet, TournamentOpened
from ludarium.tournaments.hash_chain import root_of
from ludarium.tournaments.plan import PlanBody, StageBody, TablesBody, checked_plan
from ludarium.tournaments.state import SALT
from ludarium.tournaments.store import TournamentStore
from ludarium.tournaments.time_events import TournamentEvent
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_eventstore import Append, EventStore, NewEvent, chain
from ludarium_pairing.model import VERSION
from tests.support.entropy import ENTROPY

HOST = "host"
NUMBERS = (82, 2)


class StatusSetWithReason(TournamentEvent, frozen=True):
    """The next schema of the event `StatusSet`."""

    by: str
    status: str
    reason: str


@pytest.fixture
async def events(module_database_url: str) -> AsyncIterator[EventStore]:
    async with await EventStore.open(module_database_url) as opened:
        await opened.name_types(event_types.TOURNAMENT_NAMES)
        yield opened


async def opened_tournament(events: EventStore) -> UUID:
    stream, key = ids.new_id(ENTROPY, "tournament"), bytes(32)
    plan = msgspec.to_builtins(checked_plan(PlanBody(TablesBody("valeria"), (StageBody("swiss", rounds=1),))))
    opened = TournamentOpened(commitment(key), HOST, plan, bytes(16), VERSION)
    await TournamentStore(events, now, ENTROPY).open(stream, opened, key)
    return stream


async def append_by_next_release(events: EventStore, stream: UUID) -> int:
    """Append an event that has the next schema, and return its version."""
    tournament = await TournamentStore(events, now, ENTROPY).fresh(stream)
    version, data = tournament.version + 1, event_types.encode(StatusSetWithReason(HOST, "open", "it is time"))
    at, root = max(now(), tournament.at), root_of(version, data)
    head = link(SALT, tournament.hash, EventHeader(version, *NUMBERS, at), chain.NO_LAYOUT, data, root)
    await events.append(Append(stream, version, [NewEvent(*NUMBERS, at, data, root, head)], prev=tournament.hash))
    return version


async def test_a_tournament_with_an_event_of_the_next_schema_is_left_to_the_next_release(events: EventStore) -> None:
    stream = await opened_tournament(events)
    version = await append_by_next_release(events, stream)
    tournaments = TournamentStore(events, now, ENTROPY)
    state = await tournaments.fresh(stream)
    assert (state.newer, state.version, state.status) == (version, version - 1, "draft")
    with pytest.raises(Problem, match="newer-release"):
        await tournaments.change(stream, lambda _: [StatusSet(HOST, "closed")])
    rows = await events.read(stream)
    assert len(rows) == version + 1
    assert verify_events(stream, rows, keyed=True)[1].fault is None


async def test_a_process_that_knows_a_tournament_stops_at_the_next_schema_too(events: EventStore) -> None:
    stream = await opened_tournament(events)
    tournaments = TournamentStore(events, now, ENTROPY)
    await tournaments.fresh(stream)
    version = await append_by_next_release(events, stream)
    with pytest.raises(Problem, match="newer-release"):
        await tournaments.change(stream, lambda _: [StatusSet(HOST, "closed")])
    assert len(await events.read(stream)) == version + 1


async def test_the_next_release_reads_both_schemas_and_writes_its_own(
    events: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = await opened_tournament(events)
    await TournamentStore(events, now, ENTROPY).change(stream, lambda _: [StatusSet(HOST, "closed")])
    version = await append_by_next_release(events, stream)
    monkeypatch.setitem(event_types.DECODERS, NUMBERS, msgpack_decoder(StatusSetWithReason))
    numbers: dict[type, tuple[int, int]] = event_types.TOURNAMENT_NUMBERS
    monkeypatch.setitem(numbers, StatusSetWithReason, NUMBERS)
    tournaments = TournamentStore(events, now, ENTROPY)
    state = await tournaments.fresh(stream)
    assert (state.newer, state.version) == (None, version)
    mine = StatusSetWithReason(HOST, "closed", "the hall is full")
    await tournaments.change(stream, lambda _: [mine])                      # type: ignore[list-item]
    written = (await events.read(stream))[-1]
    assert (written.type, written.schema) == NUMBERS
    read: TournamentEvent = event_types.decode(written.type, written.schema, written.data)    # type: ignore[assignment]
    assert read == mine


def now() -> datetime:
    return datetime.now(UTC)

"""After a title drops a revision, its games are refused and all others continue."""
from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest
import typer

from ludarium.commands import records as records_command
from ludarium.commands import replay as replay_command
from ludarium.commands import rules as rules_command
from ludarium.ops.archive.archiving import CannotArchive, check_archivable
from ludarium.ops.log_verification import stream_faults
from ludarium.ops.rules_check import compare_table
from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.projections import frames, replays
from ludarium.projections.replay_worker import FoldingContext
from ludarium.projections.turns import current_state
from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.routes.records import record_lines
from ludarium.records.verify import verify, verify_stream
from ludarium.sharing.imports import replaying
from ludarium.tables import snapshots
from ludarium.tables.model import seating
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.schemas import NewTable
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import AnyTitle, titles
from ludarium_eventstore import EventStore
from tests.records.vectors import released
from tests.support.entropy import ENTROPY
from tests.support.pure_games import Game
from tests.support.table_games import PLAYERS, RULESET, Silent, play, started

CODE = "superseded-rules"


def next_revision(supports_last: bool) -> AbstractContextManager[None]:
    """Put the title at its next revision until the context ends."""
    title: AnyTitle = titles()[RULESET]
    oldest = title.revision if supports_last else title.revision + 1
    return released(replace(title, revision=title.revision + 1, oldest_revision=oldest))


@pytest.fixture
def superseded() -> Iterator[None]:
    with next_revision(supports_last=False):
        yield


def another(tables: Tables) -> Tables:
    """Return the tables of a process that has none in memory."""
    return Tables(tables.store, Silent(), ENTROPY)


async def refused(work: Awaitable[object]) -> None:
    with pytest.raises(Problem) as caught:
        await work
    assert caught.value.code == CODE and caught.value.kind.status == 410
    assert RULESET in (caught.value.detail or "") and "oldest supported revision" in (caught.value.detail or "")


async def test_a_table_is_refused_and_those_of_the_next_revision_go_on(tables: Tables) -> None:
    table = await started(tables)
    with next_revision(supports_last=False):
        later = another(tables)
        await refused(later.view(table, None, None))
        await refused(later.queries.events(table, SPECTATOR, -1))
        await refused(later.sit(table, "zed", None))
        await refused(later.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0])))
        assert (await play(later, await started(later), Random(1), most=3)).seq
    assert (await tables.view(table, None, None)).view is not None, "a release that has the revision still plays it"


async def test_a_table_of_the_last_revision_goes_on_where_it_is_supported(tables: Tables) -> None:
    table = await started(tables)
    with next_revision(supports_last=True):
        later = another(tables)
        await play(later, table, Random(2), most=3)
        assert (await later.cache.load(table)).rules == titles()[RULESET].version


async def test_a_table_that_another_process_begins_under_an_older_revision_is_refused(tables: Tables) -> None:
    body = await tables.create(PLAYERS[0], NewTable(RULESET, 2))
    table = ids.decode(body.id)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    with next_revision(supports_last=False):
        later = another(tables)
        assert (await later.view(table, None, None)).view is None
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    with next_revision(supports_last=False):
        await refused(later.view(table, None, None))
        await refused(later.view(table, None, None))


async def test_a_snapshot_of_supported_rules_hides_no_superseded_beginning(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "EVERY", 10)
    table = await started(tables)
    with next_revision(supports_last=True):
        later = another(tables)
        await play(later, table, Random(3), most=40)
        await later.close()
        title = titles()[RULESET]
        assert await tables.store.snapshot(table, snapshots.revision(title)) is not None
    with released(replace(title, oldest_revision=title.revision)):
        await refused(another(tables).cache.load(table))


async def finished(tables: Tables) -> UUID:
    table = await started(tables, 2)
    await play(tables, table, Random(4))
    return table


# --- logs ---------------------------------------------------------------------------------------------------------------
async def test_a_log_is_verified_compared_and_archived_by_no_release_without_the_rules(tables: Tables) -> None:
    table = await finished(tables)
    stored = await tables.store.read(table)
    with next_revision(supports_last=False):
        report = verify_stream(table, stored)
        assert report.finding is not None and report.finding.what.startswith(CODE)
        faults = [fault async for fault in stream_faults(tables.store, table, stored)]
        assert [fault.what.partition(":")[0] for fault in faults] == [CODE]
        said = await compare_table(tables.store, table)
        assert isinstance(said, str) and said.startswith(CODE)
        with pytest.raises(CannotArchive, match=CODE):
            await check_archivable(tables.store, stored)


async def test_lists_leave_a_superseded_game_out(tables: Tables) -> None:
    table = await finished(tables)
    stored = await tables.store.read(table)
    with next_revision(supports_last=False):
        later = another(tables)
        assert await current_state(later.cache, stored[-1]) is None
        assert [line async for line in record_lines(later, [ids.encode(table)])] == []


async def test_replays_are_refused(tables: Tables) -> None:
    table = await finished(tables)
    stored = await tables.store.read(table)
    events = decoded_entries(stored)
    table_state = fold(table, events)
    context = FoldingContext.by(table_state, events)
    with next_revision(supports_last=False):
        with pytest.raises(Problem, match=CODE):
            replays.make_replay(replays.ReplayQuery(table, SPECTATOR, table_state.version, table_state.hash), stored, context)
        with pytest.raises(Problem, match=CODE):
            frames.make_page(frames.FrameQuery(table, SPECTATOR, -1, 10), stored, context)


# --- records ------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def whole() -> bytes:
    return record(Game("superseded", RULESET, 2).start().play(), SPECTATOR)


@pytest.fixture(scope="module")
def running() -> bytes:
    return record(Game("superseded and running", RULESET, 2).start().play(5), 1)


def record(game: Game, audience: int) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience, {}))


def test_a_record_is_refused(whole: bytes, running: bytes, superseded: None) -> None:
    for data in (whole, running):
        finding = verify(read_record(data)).finding
        assert finding is not None and finding.seq and finding.what.startswith(CODE)


def test_a_record_that_is_brought_is_refused_and_one_that_was_brought_as_well(whole: bytes, superseded: None) -> None:
    for work in (lambda: replaying.check_import(whole), lambda: replaying.game_of(read_record(whole))):
        with pytest.raises(Problem) as caught:
            work()
        assert caught.value.code == CODE


# --- commands -----------------------------------------------------------------------------------------------------------
Command = Callable[[str], Coroutine[Any, Any, None]]


@pytest.mark.parametrize(("module", "command"), [
    (records_command, lambda table: records_command.print_log(table, records_command.json_lines)),
    (records_command, lambda table: records_command.verify_table(table, b"")),
    (rules_command, rules_command.check_table),
], ids=["log", "verify", "rules check"])  # fmt: skip
async def test_a_command_names_the_problem(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], module: object, command: Command
) -> None:
    table = await finished(tables)

    @asynccontextmanager
    async def open_store() -> AsyncIterator[EventStore]:
        yield tables.store

    monkeypatch.setattr(module, "open_store", open_store)
    with next_revision(supports_last=False), pytest.raises(typer.Exit):
        await command(ids.encode(table))
    assert CODE in capsys.readouterr().err


def test_the_command_that_replays_a_record_names_the_problem(
    whole: bytes, superseded: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit):
        replay_command.read_game("game.json", read_record(whole))
    assert CODE in capsys.readouterr().err

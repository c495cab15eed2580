"""The log loses its newest events while processes still have them in memory.

Commands continue, and no table is damaged.
"""
from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest

from ludarium.platform import ids
from ludarium.platform.problems import Problem
from ludarium.tables import page_cache, snapshots
from ludarium.tables.event_schemas import Accepted
from ludarium.tables.model import seating
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.page_cache import PageCache
from ludarium.tables.schemas import ActionBody, Command, NewTable, PoliciesBody, SpectatorsBody, TableView, Undo
from ludarium.tables.service import Tables
from ludarium.tables.snapshots import revision
from ludarium_engine.kernel import SPECTATOR
from ludarium_eventstore import EventStore, audit
from tests.support.entropy import ENTROPY
from tests.support.lost_rows import lose
from tests.support.table_games import PLAYERS, Silent, answer, chosen, identity, play, started
from tests.tables.test_commands import beating, refused


async def asked(tables: Tables, table: UUID) -> int:
    view = await tables.view(table, None, None)
    assert view.view is not None
    return view.view.asked[0]


async def move(tables: Tables, table: UUID, luck: Random) -> int:
    return (await answer(tables, table, await asked(tables, table), luck)).seq


async def as_logged(store: EventStore, table: UUID) -> TableView:
    """Return the view that a newly started process has of a table."""
    return await Tables(store, Silent(), ENTROPY).view(table, None, None)


async def sound(store: EventStore, table: UUID) -> bool:
    return not await audit(store) and fold(table, decoded_entries(await store.read(table))).version >= 0


async def test_who_knows_a_lost_row_is_not_busy_for_ever(tables: Tables, store: EventStore, log_url: str) -> None:
    table, luck = await started(tables), Random(1)
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    lost = await tables.command(table, PLAYERS[seat], command, identity())
    await lose(log_url)
    again = await tables.command(table, PLAYERS[seat], command, identity())
    assert again.seq == lost.seq
    assert await tables.view(table, None, None) == await as_logged(store, table)
    assert await sound(store, table)


async def test_nothing_is_appended_behind_a_lost_row(tables: Tables, store: EventStore, log_url: str) -> None:
    """Another process has appended a different event in the same place."""
    table, luck, other = await started(tables), Random(2), Tables(store, Silent(), ENTROPY)
    await move(tables, table, luck)
    await lose(log_url)
    await move(other, table, luck)
    assert (await tables.cache.load(table)).hash != (await other.cache.load(table)).hash
    seat = await asked(other, table)
    await tables.command(table, PLAYERS[seat], await chosen(other, table, seat, luck), identity())
    assert await tables.view(table, None, None) == await as_logged(store, table)
    assert await sound(store, table)


async def test_a_key_whose_row_was_lost_is_unknown_again(tables: Tables, store: EventStore, log_url: str) -> None:
    table, luck, key = await started(tables), Random(3), identity()
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    await tables.command(table, PLAYERS[seat], command, key)
    await lose(log_url)
    again = await tables.command(table, PLAYERS[seat], command, key)
    assert (await tables.command(table, PLAYERS[seat], command, key)).seq == again.seq == await store.head(table)


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("replaced", [False, True])
async def test_a_reader_sees_what_the_log_has(
    tables: Tables, store: EventStore, log_url: str, rows: int, replaced: bool
) -> None:
    table, luck = await started(tables), Random(4)
    for _ in range(3):
        await move(tables, table, luck)
    await lose(log_url, rows)
    if replaced:
        await play(Tables(store, Silent(), ENTROPY), table, luck, most=rows)
    assert await tables.view(table, None, None) == await as_logged(store, table)
    fresh = Tables(store, Silent(), ENTROPY)
    assert await tables.queries.events(table, SPECTATOR, -1) == await fresh.queries.events(table, SPECTATOR, -1)
    assert (await tables.queries.table(table, None)) == await fresh.queries.table(table, None)


async def test_a_table_that_was_lost_whole_is_not_found(tables: Tables, log_url: str) -> None:
    table = await started(tables)
    await lose(log_url, (await tables.cache.load(table)).version + 1)
    with pytest.raises(Problem, match="not-found"):
        await tables.view(table, None, None)


async def test_pages_that_hold_a_lost_row_are_not_read_again(
    tables: Tables, store: EventStore, log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "PAGE", 5)
    table, luck, read = await started(tables), Random(5), PageCache(tables)
    await play(tables, table, luck, most=10)
    await read.read(table, SPECTATOR, -1)
    await lose(log_url, 8)
    await play(Tables(store, Silent(), ENTROPY), table, luck, most=10)
    await tables.queries.audience(table, None, None)
    fresh = PageCache(Tables(store, Silent(), ENTROPY))
    assert await read.read(table, SPECTATOR, 4) == await fresh.read(table, SPECTATOR, 4)


async def test_nor_when_the_table_had_been_forgotten_in_between(
    store: EventStore, log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_cache, "PAGE", 5)
    tables, luck = Tables(store, Silent(), ENTROPY, most_cached=1), Random(6)
    other, table = await started(tables), await started(tables)
    read = PageCache(tables)
    await play(tables, table, luck, most=10)
    await read.read(table, SPECTATOR, -1)
    await tables.view(other, None, None)
    await lose(log_url, 8)
    await play(Tables(store, Silent(), ENTROPY), table, luck, most=10)
    assert await read.read(table, SPECTATOR, 4) == await PageCache(Tables(store, Silent(), ENTROPY)).read(table, SPECTATOR, 4)


@pytest.mark.parametrize("replaced", [0, 2, 6])
async def test_spectators_with_a_delay_see_no_lost_row(
    tables: Tables, store: EventStore, log_url: str, replaced: int
) -> None:
    delayed = NewTable("game-of-kingdoms", 2, {}, PoliciesBody(SpectatorsBody("delayed", 2)))
    table, luck = ids.decode((await tables.create(PLAYERS[0], delayed)).id), Random(7)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, PLAYERS[0], lambda t: seating.start(t, PLAYERS[0]))
    for seat in [0, 1] * 4:
        if (await tables.view(table, PLAYERS[seat], None)).choice:
            await answer(tables, table, seat, luck)
    await tables.view(table, None, None)
    await lose(log_url, 3)
    other = Tables(store, Silent(), ENTROPY)
    for seat in [0, 1] * replaced:
        if (await other.view(table, PLAYERS[seat], None)).choice:
            await answer(other, table, seat, luck)
    queries, others = tables.queries, Tables(store, Silent(), ENTROPY).queries
    assert await tables.view(table, None, None) == await queries.view_for(table, SPECTATOR) == await as_logged(store, table)
    assert await queries.events(table, SPECTATOR, -1) == await others.events(table, SPECTATOR, -1)


async def test_a_snapshot_of_lost_rows_gives_way_to_the_next_one(
    tables: Tables, store: EventStore, log_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, luck = await started(tables, 4, version="ruthless"), Random(8)
    await play(tables, stream, luck, most=10)
    table = await tables.cache.load(stream)
    tables.cache.snapshots.save(table)
    await tables.close()
    await lose(log_url, 3)
    monkeypatch.setattr(snapshots, "EVERY", 5)
    other = Tables(store, Silent(), ENTROPY)
    await move(other, stream, luck)
    await other.close()
    kept = await store.snapshot(stream, revision(table.title))
    assert kept is not None and kept[0] == await store.head(stream)


# --- commands -----------------------------------------------------------------------------------------------------------
def on(command: Command, head: str) -> Command:
    return msgspec.structs.replace(command, head=head)


async def lost_and_made_again(tables: Tables, other: Tables, table: UUID, luck: Random, url: str) -> tuple[int, Command]:
    """Lose an event, append it again, and return a command made after the lost event.

    Returns:
        The seat that had to act after the lost event, and its command.
    """
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    lost = await tables.command(table, PLAYERS[seat], command)
    seat_behind = await asked(tables, table)
    behind = on(await chosen(tables, table, seat_behind, luck), lost.head)
    await lose(url)
    again = await other.command(table, PLAYERS[seat], command)
    assert (again.seq, again.head != lost.head) == (lost.seq, True)
    return seat_behind, behind


@pytest.mark.parametrize("knows", [True, False], ids=["who knows the lost row", "who knows the log"])
async def test_what_was_decided_on_a_lost_row_is_refused_though_it_would_fit(
    tables: Tables, store: EventStore, log_url: str, knows: bool
) -> None:
    other, table = Tables(store, Silent(), ENTROPY), await started(tables)
    seat, command = await lost_and_made_again(tables, other, table, Random(9), log_url)
    head = await store.head(table)
    assert head is not None
    problem = await refused((tables if knows else other).command(table, PLAYERS[seat], command, identity()))
    assert (problem.code, problem.seq, await store.head(table)) == ("lost-row", head, head)
    numbered = msgspec.structs.replace(command, head=None)
    assert (await tables.command(table, PLAYERS[seat], numbered, identity())).seq == head + 1


async def wave(tables: Tables, luck: Random) -> tuple[UUID, tuple[int, Command], Accepted]:
    """Find a table at which several seats have to act at once.

    Returns:
        The table, the seat and the command that made the newest event, and the result of that command.
    """
    table, made = await started(tables, 5, version="ruthless"), None
    while made is None or len(await all_asked(tables, table)) < 2:
        seat = await asked(tables, table)
        command = await chosen(tables, table, seat, luck)
        made = (seat, command), await tables.command(table, PLAYERS[seat], command)
    return table, *made


async def all_asked(tables: Tables, table: UUID) -> list[int]:
    view = await tables.view(table, None, None)
    assert view.view is not None and view.view.asked, "no wave in this game"
    return [*view.view.asked]


@pytest.mark.parametrize("stands", [True, False])
async def test_an_older_row_is_looked_up_in_the_log(
    tables: Tables, store: EventStore, log_url: str, stands: bool
) -> None:
    """The newest event is lost, or the newest two.

    Others replace the lost events, and this process knows none of the new ones.
    """
    luck, other = Random(10), Tables(store, Silent(), ENTROPY)
    table, (maker, before), made = await wave(tables, luck)
    first, second = (await all_asked(tables, table))[:2]
    early, late = [await chosen(tables, table, seat, luck) for seat in (first, second)]
    newest = await tables.command(table, PLAYERS[first], early)
    await lose(log_url, 1 if stands else 2)
    if not stands:
        await other.command(table, PLAYERS[maker], before)
    await other.command(table, PLAYERS[first], early)
    answer = tables.command(table, PLAYERS[second], on(late, made.head), identity())
    if stands:
        assert (await answer).seq == newest.seq + 1
    else:
        assert ((await refused(answer)).code, await store.head(table)) == ("lost-row", newest.seq)
    assert await sound(store, table)


async def test_a_row_that_the_log_has_not_come_to_again_is_lost(tables: Tables, log_url: str) -> None:
    table, luck = await started(tables), Random(11)
    moved = await answer(tables, table, await asked(tables, table), luck)
    seat = await asked(tables, table)
    command = await chosen(tables, table, seat, luck)
    await lose(log_url)
    problem = await refused(tables.command(table, PLAYERS[seat], on(command, moved.head)))
    assert (problem.code, problem.seq) == ("lost-row", moved.seq - 1)
    assert (await refused(tables.command(table, PLAYERS[seat], command))).code == "future-sequence"


async def test_nothing_is_taken_back_on_a_lost_row(tables: Tables, store: EventStore) -> None:
    table, seat = await beating(tables, Random(12))
    view = await tables.view(table, PLAYERS[seat], None)
    for seq in (view.seq, view.seq - 1, 2**62):
        assert (await refused(tables.command(table, PLAYERS[seat], Undo(seq, "0" * 16), identity()))).code == "lost-row"
    assert await store.head(table) == view.seq
    assert (await tables.command(table, PLAYERS[seat], Undo(view.seq, view.head))).seq == view.seq + 1


async def test_who_knows_a_row_of_another_process_acts_on_it(tables: Tables, store: EventStore) -> None:
    """A command may refer to an event that this process has not received yet.

    Once that event is no longer the newest, such a command is refused as stale.
    """
    table, luck, other = await started(tables), Random(13), Tables(store, Silent(), ENTROPY)
    moved = await answer(other, table, await asked(other, table), luck)
    seat = await asked(other, table)
    command, key = on(await chosen(other, table, seat, luck), moved.head), identity()
    done = await tables.command(table, PLAYERS[seat], command, key)
    assert await tables.command(table, PLAYERS[seat], command, key) == done
    problem = await refused(tables.command(table, PLAYERS[seat], command, identity()))
    assert (problem.code, problem.seq) in {("stale-sequence", done.seq), ("not-asked", None)}


async def test_a_head_tells_strangers_nothing(tables: Tables) -> None:
    private = NewTable("game-of-kingdoms", 2, {}, PoliciesBody(SpectatorsBody("nobody"), "invited"))
    table = ids.decode((await tables.create(PLAYERS[0], private)).id)
    for seq in (0, 1):
        problem = await refused(tables.command(table, PLAYERS[1], Command(seq, ActionBody("done"), "0" * 16)))
        assert problem.code == "not-found"

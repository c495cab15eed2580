"""The contents of the lists of running and finished games."""
from __future__ import annotations

import gzip
from random import Random
from uuid import UUID

import msgspec
import pytest

from ludarium.bots.fair_queue import BotTable
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.projections import records, replay_worker
from ludarium.projections.lobby import TableQuery
from ludarium.projections.registry import Projections, follow_projections
from ludarium.projections.schemas import FramePage, ReplayFrame
from ludarium.projections.turns import AskedBot
from ludarium.tables.model import seating
from ludarium.tables.model.access import Proof
from ludarium.tables.schemas import NewTable, PoliciesBody, SpectatorsBody, Undo
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.bodies import ViewBody
from ludarium_engine.kernel.describe import describe_view
from tests.support.following import caught_up
from tests.support.table_games import PLAYERS, RULESET, answer, chosen, identity, play, started
from tests.tables.test_ends import does
from tests.tables.test_replacements import vacant

PRIVATE = NewTable(RULESET, 2, policies=PoliciesBody(SpectatorsBody("nobody"), "invited"))


async def by_name(table: UUID, player: str) -> Proof:
    return "invitation"


async def finished(tables: Tables, seed: int, seats: int = 3, **options: object) -> UUID:
    table = await started(tables, seats, **options)  # type: ignore[arg-type]
    assert (await play(tables, table, Random(seed))).status == "over"
    return table


async def test_the_lobby_tells_seats_and_status(tables: Tables, base: Database, projections: Projections) -> None:
    opened = await tables.create("zoe", NewTable(RULESET, 2))
    private = await tables.create("zoe", PRIVATE)
    playing, over = await started(tables), await finished(tables, 1)
    table = ids.decode(opened.id)
    await tables.sit(table, "ada", 1)
    await tables.sit(table, "ben", 0)
    await tables.change(table, "ben", lambda t: seating.leave(t, "ben", 0))
    await caught_up(base)
    page = await projections.tables(TableQuery(), None, 50)
    assert [(t.id, t.status) for t in page.tables] == [
        (ids.encode(over), "over"), (ids.encode(playing), "playing"), (opened.id, "open"),
    ]  # fmt: skip
    assert [s.player for s in page.tables[2].seats] == [None, "ada"]
    assert private.id not in [t.id for t in page.tables]
    assert [t.id for t in (await projections.tables(TableQuery("playing"), None, 50)).tables] == [ids.encode(playing)]


async def test_players_find_their_tables_and_where_it_is_their_turn(
    tables: Tables, base: Database, projections: Projections
) -> None:
    luck = Random(7)
    table = await started(tables, 3)
    private = ids.decode((await tables.create("zoe", PRIVATE)).id)
    tables.queries.find_proof = by_name
    await tables.sit(private, "ada", 1)
    for _ in range(6):
        await caught_up(base, "turns")
        asked = (await view_of(tables, table)).asked
        for seat, player in enumerate(PLAYERS[:3]):
            turns = await projections.own_tables(player, "playing", True, None, 50)
            assert [t.seat for t in turns.tables] == ([seat] if seat in asked else [])
        await answer(tables, table, asked[0], luck)
    own = await projections.own_tables("ada", None, None, None, 50)
    assert [(t.table.id, t.seat) for t in own.tables] == [(ids.encode(private), 1), (ids.encode(table), 0)]
    assert [t.seat for t in (await projections.own_tables("zoe", None, None, None, 50)).tables] == [None]
    await play(tables, table, luck)
    await caught_up(base, "turns")
    assert (await projections.own_tables("ada", None, True, None, 50)).tables == []
    assert (await projections.own_tables("ada", "over", None, None, 50)).tables[0].table.id == ids.encode(table)


async def view_of(tables: Tables, table: UUID) -> ViewBody:
    view = (await tables.view(table, None, None)).view
    assert view is not None
    return view


async def test_whoever_left_a_table_does_not_find_it_among_theirs(
    tables: Tables, base: Database, projections: Projections
) -> None:
    table = ids.decode((await tables.create("zoe", NewTable(RULESET, 2))).id)
    await tables.sit(table, "ada", 0)
    await caught_up(base)
    assert len((await projections.own_tables("ada", None, None, None, 50)).tables) == 1
    await tables.change(table, "ada", lambda t: seating.leave(t, "ada", 0))
    await caught_up(base)
    assert (await projections.own_tables("ada", None, None, None, 50)).tables == []


async def test_tables_whose_rows_alternate_on_one_page_are_all_told_to_their_end(
    tables: Tables, base: Database, database_url: str
) -> None:
    first, second = [ids.decode((await tables.create("zoe", NewTable(RULESET, 2))).id) for _ in range(2)]
    await tables.sit(second, "ada", 0)
    await tables.sit(first, "ada", 1)
    async with follow_projections(database_url, base, tables.cache, grace=0.0) as projections:
        await caught_up(base)
        own = (await projections.own_tables("ada", None, None, None, 50)).tables
        assert [(t.table.id, t.seat) for t in own] == [(ids.encode(second), 0), (ids.encode(first), 1)]


async def test_games_of_most_people_are_worth_watching_first(
    tables: Tables, base: Database, projections: Projections
) -> None:
    games = [ids.encode(await started(tables, seats)) for seats in (3, 2, 4, 3)]
    await tables.create("zoe", NewTable(RULESET, 4))
    await finished(tables, 1, 4)
    await caught_up(base)
    found: list[str] = []
    after = None
    while page := await projections.tables(TableQuery(), after, 1, "people"):
        found += [table.id for table in page.tables]
        if (after := page.next) is None:
            break
    assert found == [games[2], games[3], games[0], games[1]]
    assert (await projections.tables(TableQuery("open"), None, 9, "people")).tables == []


async def test_lists_name_who_has_taken_over_a_seat(tables: Tables, base: Database, projections: Projections) -> None:
    table, seat = await vacant(tables)
    await does(tables, table, lambda h: seating.replace(h, "zed", seat))
    await caught_up(base)
    (found,) = (await projections.tables(TableQuery(), None, 50)).tables
    assert found.seats[seat].player == "zed"
    assert [own.seat for own in (await projections.own_tables("zed", "playing", True, None, 50)).tables] == [seat]
    assert seat not in [own.seat for own in (await projections.own_tables(PLAYERS[seat], None, None, None, 50)).tables]


async def test_bots_that_owe_an_answer_are_known(tables: Tables, base: Database, projections: Projections) -> None:
    table = ids.decode((await tables.create("zoe", NewTable(RULESET, 2, {"dealer": 0}))).id)
    for _ in range(2):
        await tables.change(table, "zoe", lambda t: seating.add_bot(t, "zoe", "random", None))
    await tables.change(table, "zoe", lambda t: seating.start(t, "zoe"))
    await caught_up(base)
    asked = (await view_of(tables, table)).asked
    assert await projections.bots_asked() == {AskedBot(BotTable(table, "zoe"), seat, 4) for seat in asked}


async def test_positions_are_what_spectators_see_and_of_public_games_only(
    tables: Tables, base: Database, projections: Projections
) -> None:
    playing, over = await started(tables), await finished(tables, 2)
    await play(tables, playing, Random(3), 9)
    hidden = ids.decode((await tables.create("ada", PRIVATE)).id)
    tables.queries.find_proof = by_name
    for player in ("ada", "ben"):
        await tables.sit(hidden, player, None)
    await tables.change(hidden, "ada", lambda t: seating.start(t, "ada"))
    await caught_up(base)
    page = await projections.positions(None, None, None, 20)
    expected = [await tables.view(table, None, SPECTATOR) for table in (over, playing)]
    assert msgspec.to_builtins(page.positions) == msgspec.to_builtins(expected)
    assert [v.seq for v in (await projections.positions("playing", None, None, 20)).positions] == [expected[1].seq]


async def test_a_delayed_game_has_no_position_until_it_is_over(
    tables: Tables, base: Database, projections: Projections
) -> None:
    delayed = NewTable(RULESET, 2, policies=PoliciesBody(SpectatorsBody("delayed", 3)))
    table = ids.decode((await tables.create("ada", delayed)).id)
    for player in PLAYERS[:2]:
        await tables.sit(table, player, None)
    await tables.change(table, "ada", lambda t: seating.start(t, "ada"))
    luck, moves = Random(3), 0
    while (seen := await tables.view(table, "ada", None)).status == "playing" and seen.view:
        await answer(tables, table, seen.view.asked[0], luck)
        moves += 1
        if moves == 9:
            await caught_up(base)
            assert (await projections.positions(None, None, None, 20)).positions == []
    await caught_up(base)
    assert [v.status for v in (await projections.positions(None, None, None, 20)).positions] == ["over"]


async def test_a_finished_game_is_listed_when_it_is_over(
    tables: Tables, base: Database, projections: Projections
) -> None:
    table, _unfinished = await finished(tables, 4), await started(tables)
    await caught_up(base)
    table_state = await tables.cache.fresh(table)
    (game,) = (await projections.records(records.RecordQuery(ruleset=RULESET), None, 50)).games
    assert (game.table.id, game.outcome, game.events) == (
        ids.encode(table), table_state.playing.outcome, table_state.version + 1,
    )  # fmt: skip


async def test_frames_are_the_views_after_each_event(tables: Tables, projections: Projections) -> None:
    table = await game_with_undo(tables)
    log = await tables.cache.events(table)
    replays = {audience: await all_frames(projections, table, audience, 33) for audience in (SPECTATOR, 0, 1, 2)}
    for seq in range(5, len(log)):
        then = await tables.cache.state_at(table, log, seq)
        for audience, seen in replays.items():
            wanted = describe_view(then.title, then.playing, audience)
            assert seen[seq - 5].seq == seq
            assert msgspec.to_builtins(seen[seq - 5].view) == msgspec.to_builtins(wanted)


async def game_with_undo(tables: Tables) -> UUID:
    """Play a game in which about every second possible undo is made."""
    luck, table, back = Random(5), await started(tables, 3), 0
    while (view := await tables.view(table, None, None)).status == "playing":
        assert view.view is not None
        seat = luck.choice(view.view.asked)
        done = await tables.command(table, PLAYERS[seat], await chosen(tables, table, seat, luck), identity())
        own = await tables.view(table, PLAYERS[seat], None)
        if own.undo and own.undo.count and luck.random() < 0.5:
            await tables.command(table, PLAYERS[seat], Undo(done.seq))
            back += 1
    assert back
    return table


async def all_frames(projections: Projections, table: UUID, audience: int, limit: int) -> list[ReplayFrame]:
    found: list[ReplayFrame] = []
    after = -1
    while True:
        page = msgspec.json.decode(gzip.decompress(await projections.frames(table, audience, after, limit)), type=FramePage)
        found += page.frames
        if page.next is None:
            return found
        assert len(page.frames) == limit
        after = page.next


async def test_a_replay_for_which_nobody_waits_is_there_when_they_ask_again(
    tables: Tables, projections: Projections, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await finished(tables, 4)
    monkeypatch.setattr(replay_worker, "MAX_WAIT", 0.0)
    with pytest.raises(Problem, match="unavailable"):
        await projections.frames(table, SPECTATOR, -1, 100)
    (making,) = projections.frame_pages.cache.in_progress.values()
    await making
    page = msgspec.json.decode(gzip.decompress(await projections.frames(table, SPECTATOR, -1, 100)), type=FramePage)
    assert page.frames


async def test_a_game_that_goes_on_has_no_frames(tables: Tables, projections: Projections) -> None:
    table = await started(tables)
    await play(tables, table, Random(1), 5)
    for audience in (SPECTATOR, 0, 1, 2):
        with pytest.raises(Problem, match="game-not-over"):
            await projections.frames(table, audience, -1, 100)


async def test_statistics_count_each_game_once(tables: Tables, base: Database, projections: Projections) -> None:
    games = [await finished(tables, seed, 2) for seed in range(3)]
    games.append(await finished(tables, 9, 3))
    await started(tables)
    await caught_up(base)
    histories = [await tables.cache.fresh(table) for table in games]
    lengths = [table_state.version + 1 for table_state in histories]
    two, three = (await projections.statistics(RULESET)).by_seats
    assert (two.seats, two.games, three.seats, three.games) == (2, 3, 3, 1)
    assert (two.lengths.shortest, two.lengths.longest) == (min(lengths[:3]), max(lengths[:3]))
    assert two.lengths.mean == round(sum(lengths[:3]) / 3, 1)
    outcomes = [table_state.playing.outcome or [] for table_state in histories[:3]]
    for seat in (0, 1):
        (result,) = [r for r in two.results if r.seat == seat]
        assert (result.bot, result.places) == (None, [sum(o[seat] == place for o in outcomes) for place in (1, 2)])

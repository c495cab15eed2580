"""Commands with their permissions, timing, idempotency, and races of players."""
from __future__ import annotations

import asyncio
from random import Random
from typing import Any
from uuid import UUID

import pytest

from ludarium.platform.idempotency import Identity
from ludarium.platform.problems import Problem
from ludarium.tables.event_schemas import ActedEvent, Hidden
from ludarium.tables.model import decisions
from ludarium.tables.model.events import Acted, RulesChanged, Seated, Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import decoded_entries
from ludarium.tables.schemas import ActionBody, Command, Preference, Undo, UndoBody
from ludarium.tables.service import Tables
from ludarium_engine.kernel.contract import encode
from ludarium_eventstore import EventStore
from tests.support.entropy import ENTROPY
from tests.support.table_games import PLAYERS, Silent, answer, chosen, identity, play, started


async def refused(work: object) -> Problem:
    with pytest.raises(Problem) as caught:
        await work  # type: ignore[misc]
    return caught.value


async def test_the_state_in_memory_is_the_fold_of_the_log_after_every_command(tables: Tables) -> None:
    table, luck = await started(tables, 4, version="ruthless"), Random(5)
    view = await tables.view(table, None, None)
    while view.status != "over" and view.view:
        await answer(tables, table, luck.choice(view.view.asked), luck)
        live = await tables.cache.load(table)
        cold = fold(table, decoded_entries(await tables.store.read(table)))
        assert encode(cold.state) == encode(live.state)
        assert (cold.since, cold.undoable, cold.hash, cold.version) == (live.since, live.undoable, live.hash, live.version)
        view = await tables.view(table, None, None)


async def test_a_command_is_refused_by_a_code_and_appends_nothing(tables: Tables) -> None:
    table, luck = await started(tables, 2), Random(1)
    view = await tables.view(table, None, None)
    assert view.view is not None
    (asked,) = view.view.asked
    good = await chosen(tables, table, asked, luck)
    other = PLAYERS[1 - asked]

    async def code(player: str, command: Command) -> str:
        return (await refused(tables.command(table, player, command, identity()))).code

    assert await code(other, good) == "not-asked"
    assert await code("nobody", good) == "not-seated"
    for action in ("lead:99", "beat:0:1", "nonsense", "lead", "lead:1:2:3", "lead:x", ":::", "é"):
        assert await code(PLAYERS[asked], Command(good.expected_seq, ActionBody(action))) == "action-not-offered"
    assert await code(PLAYERS[asked], Command(good.expected_seq + 1, good.action)) == "future-sequence"
    assert await code(PLAYERS[asked], Command(0, good.action)) == "stale-sequence"
    assert await tables.store.head(table) == view.seq


async def test_stale_tells_what_was_missed(tables: Tables) -> None:
    table, luck = await started(tables, 2), Random(2)
    first = await chosen(tables, table, (await tables.view(table, None, None)).view.asked[0], luck)  # type: ignore[union-attr]
    await play(tables, table, luck, most=4)
    view = await tables.view(table, None, None)
    assert view.view is not None
    problem = await refused(tables.command(table, PLAYERS[view.view.asked[0]], first, identity()))
    assert problem.code == "stale-sequence" and problem.seq == view.seq and problem.events is not None
    assert len(problem.events) == view.seq - first.expected_seq


async def test_a_key_gives_its_first_answer_after_many_events_and_after_a_restart(tables: Tables) -> None:
    table, luck = await started(tables, 4), Random(3)
    asked = (await tables.view(table, None, None)).view.asked[0]  # type: ignore[union-attr]
    command, key = await chosen(tables, table, asked, luck), identity()
    first = await tables.command(table, PLAYERS[asked], command, key)
    view = await play(tables, table, luck, most=50)
    assert view.seq >= first.seq + 50
    restarted = Tables(tables.store, Silent(), ENTROPY)
    for each in (tables, restarted):
        assert await each.command(table, PLAYERS[asked], command, key) == first
    rows = decoded_entries(await tables.store.read(table))
    assert sum(isinstance(entry.event, Acted) and entry.version == first.seq for entry in rows) == 1
    other = Identity(key.key, b"another request")
    assert (await refused(restarted.command(table, PLAYERS[asked], command, other))).code == "key-reused"


async def test_sealed_answers_at_the_same_time_are_all_accepted(tables: Tables) -> None:
    """Each command goes to another process and expects the version before the first."""
    luck, done = Random(4), 0
    processes = [Tables(tables.store, Silent(), ENTROPY) for _ in range(4)]
    while done < 3:
        table = await started(tables, 5, version="ruthless")
        view = await tables.view(table, None, None)
        while view.status != "over" and view.view:
            if len(view.view.asked) > 1:
                commands = {seat: await chosen(tables, table, seat, luck) for seat in view.view.asked}
                await asyncio.gather(
                    *(processes[seat % 4].command(table, PLAYERS[seat], c, identity()) for seat, c in commands.items())
                )
                done += 1
            else:
                await answer(tables, table, view.view.asked[0], luck)
            view = await tables.view(table, None, None)


async def test_two_clients_of_one_seat_race(tables: Tables) -> None:
    """One command is accepted, the other is refused with the events that it missed."""
    luck, other = Random(6), Tables(tables.store, Silent(), ENTROPY)
    table = await started(tables, 2)
    for _ in range(20):
        view = await tables.view(table, None, None)
        if view.view is None or view.status == "over":
            break
        seat = view.view.asked[0]
        command = await chosen(tables, table, seat, luck)
        results = await asyncio.gather(
            *(each.command(table, PLAYERS[seat], command, identity()) for each in (tables, other)), return_exceptions=True
        )
        problems = [result for result in results if isinstance(result, Problem)]
        assert len(problems) == 1 and problems[0].code in ("stale-sequence", "not-asked", "game-over")
        if problems[0].code == "stale-sequence":
            assert problems[0].events


async def test_a_process_that_is_behind_catches_up(tables: Tables) -> None:
    table, luck, other = await started(tables, 2), Random(7), Tables(tables.store, Silent(), ENTROPY)
    await other.view(table, None, None)
    await play(tables, table, luck, most=7)
    assert await other.view(table, None, None) == await tables.view(table, None, None)
    assert await answer(other, table, (await other.view(table, None, None)).view.asked[0], luck)  # type: ignore[union-attr]
    assert await other.view(table, None, None) == await tables.view(table, None, None)


async def test_a_repeated_view_of_the_past_is_what_it_was(tables: Tables) -> None:
    table, luck = await started(tables, 3, version="ruthless"), Random(8)
    seen = []
    for _ in range(12):
        seen.append(await tables.view(table, PLAYERS[0], None))
        view = seen[-1].view
        assert view is not None
        await answer(tables, table, luck.choice(view.asked), luck)
    for past in seen:
        assert await tables.view(table, PLAYERS[0], None, past.seq) == past


# --- undo ---------------------------------------------------------------------------------------------------------------
async def beating(tables: Tables, luck: Random, seats: int = 2, **options: Any) -> tuple[UUID, int]:
    """Return a table, and a seat that has just beaten a card and may undo that."""
    while True:
        table = await started(tables, seats, **options)
        view = await tables.view(table, None, None)
        while view.view and view.status != "over":
            seat = view.view.asked[0]
            accepted = await answer(tables, table, seat, luck)
            after = await tables.view(table, PLAYERS[seat], None)
            event = accepted.events[-1]
            if isinstance(event, ActedEvent) and event.data.verb == "beat" and after.undo and after.undo.count == 1:
                return table, seat
            view = await tables.view(table, None, None)


async def test_undo_takes_back_ones_own_last_command(tables: Tables) -> None:
    table, seat = await beating(tables, Random(9))
    now = await tables.view(table, PLAYERS[seat], None)
    before = await tables.view(table, PLAYERS[seat], None, now.seq - 1)
    accepted = await tables.command(table, PLAYERS[seat], Undo(now.seq), identity())
    again = await tables.view(table, PLAYERS[seat], None)
    assert again.view == before.view and again.seq == now.seq + 1 == accepted.seq
    assert again.choice is not None and before.choice is not None and again.choice.offers == before.choice.offers
    rows = decoded_entries(await tables.store.read(table))
    assert rows[-1].event == Undone(seat, now.seq - 1)
    assert await Tables(tables.store, Silent(), ENTROPY).view(table, PLAYERS[seat], None) == again
    await play(tables, table, Random(10))


async def test_nobody_takes_back_anothers_command(tables: Tables) -> None:
    table, seat = await beating(tables, Random(12))
    seq = (await tables.view(table, None, None)).seq
    problem = await refused(tables.command(table, PLAYERS[1 - seat], Undo(seq)))
    assert (problem.code, problem.cause) == ("undo-refused", "answered")


async def test_a_table_may_forbid_undo(tables: Tables) -> None:
    table, luck = await started(tables, 2, undo="none"), Random(13)
    for _ in range(15):
        view = await tables.view(table, None, None)
        assert view.view is not None
        if view.status == "over":
            break
        seat = view.view.asked[0]
        await answer(tables, table, seat, luck)
        after = await tables.view(table, PLAYERS[seat], None)
        assert after.undo == UndoBody(0, "policy")


async def test_the_view_says_before_why_nothing_can_be_taken_back(tables: Tables) -> None:
    table, luck, causes = await started(tables, 2), Random(13), set()
    for _ in range(25):
        asked = (await tables.view(table, None, None)).view
        assert asked is not None
        await answer(tables, table, asked.asked[0], luck)
        for player in PLAYERS[:2]:
            view = await tables.view(table, player, None)
            assert view.undo is not None and (view.undo.cause is None) is (view.undo.count > 0)
            if view.undo.cause:
                causes.add(view.undo.cause)
                problem = await refused(tables.command(table, player, Undo(view.seq)))
                assert (problem.code, problem.cause) == ("undo-refused", view.undo.cause)
    assert causes == {"nothing-done", "answered", "turn-passed"}


# --- preferences and rules ------------------------------------------------------------------------------------------------
async def test_a_preference_is_seen_by_its_seat_alone(tables: Tables) -> None:
    table = await started(tables, 3, version="ruthless")
    seq = (await tables.view(table, None, None)).seq
    await tables.change(table, PLAYERS[1], lambda t: decisions.prefer(t, PLAYERS[1], Preference(1, "wave", True)))
    assert (await tables.view(table, PLAYERS[1], None)).view.always_passes == ["wave"]  # type: ignore[union-attr]
    for audience in (-1, 0, 2):
        (event,) = await tables.queries.events(table, audience, seq)
        assert isinstance(event, Hidden) and event.seq == seq + 1
    for wrong, code in ((Preference(0, "wave", True), "forbidden"), (Preference(1, "bout", True), "action-not-offered")):
        attempt = tables.change(table, PLAYERS[1], lambda t, wrong=wrong: decisions.prefer(t, PLAYERS[1], wrong))  # type: ignore[misc]
        assert (await refused(attempt)).code == code


async def test_a_game_that_goes_on_under_other_rules_says_so(
    tables: Tables, store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream, luck = await started(tables, 2), Random(14)
    await play(tables, stream, luck, most=3)
    table = await tables.cache.load(stream)
    monkeypatch.setattr(type(table.title), "version", property(lambda title: "99.cafebabe"))
    await play(tables, stream, luck, most=2)
    changes = [entry for entry in decoded_entries(await store.read(stream)) if isinstance(entry.event, RulesChanged)]
    assert [entry.event.version for entry in changes if isinstance(entry.event, RulesChanged)] == ["99.cafebabe"]


async def test_nothing_that_happens_after_the_start_moves_the_chance(tables: Tables) -> None:
    """The nonce of a player who joins later must not change future draws."""
    stream = await started(tables, 2)
    table = await tables.cache.fresh(stream)
    before = table.chance.seed
    table.seats[0] = Seated(0, "newcomer", None, b"another nonce")
    assert table.chance.seed == before

"""Matches of several games end once a player has won more than half of them."""
from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from uuid import UUID

import httpx
import pytest

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.records.tournament_rounds import OTHER_TABLE
from ludarium.records.tournament_tables import faults_of_tables, faults_of_tournament
from ludarium.records.tournaments import verify_events
from ludarium.tournaments.event_types import decode
from ludarium.tournaments.events import NextGame, Result
from ludarium.tournaments.state_parts import Board, PlayedGame
from ludarium_eventstore import EventStore
from tests.faults.tournament_log import missed, second_opinions, wrong
from tests.support.people import Json
from tests.support.tournaments import Event, code, event_of, host_of, key, plan
from tests.support.waiting import LIMIT
from tests.tournaments.tampered import relinked, with_other_tables

THREE = {"format": "single-elimination", "best_of": 3}
TAMPERED = 60


@pytest.fixture(scope="module")
async def http(address: object) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as client:     # type: ignore[attr-defined]
        yield client


async def match(event: Event, told: Json, board: int, losers: list[int]) -> Json:
    """Let the given seats lose game after game, and return the board."""
    seats = told["tables"][board - 1]["seats"]
    for loser in losers:
        table = await event.lost(told, board, seats[loser])
    return table


@pytest.fixture(scope="module")
async def cup(http: httpx.AsyncClient, base: Database) -> tuple[Event, list[Json]]:
    """Play a single elimination of four players.

    One match takes two games, and the others take three.
    """
    event = await event_of(http, base, 4, THREE)
    told = await event.published()
    await match(event, told, 1, [0, 0])
    await match(event, told, 2, [0, 1, 1])
    first = await event.round(1, 1)
    await event.close(first)
    told = await event.published()
    await match(event, told, 1, [1, 0, 1])
    await event.close(await event.round(1, 2))
    return event, [first, await event.round(1, 2)]


async def test_no_game_is_opened_behind_one_that_decides(cup: tuple[Event, list[Json]]) -> None:
    event, (first, final) = cup
    one, other = first["tables"]
    assert [(len(table["games"]), table["score"], table["places"]) for table in (one, other)] == [
        (2, [0, 240], [2, 1]), (3, [240, 120], [1, 2]),
    ]  # fmt: skip
    assert sorted(final["tables"][0]["seats"]) == sorted([one["seats"][1], other["seats"][0]])
    assert (final["tables"][0]["score"], final["tables"][0]["places"]) == ([240, 120], [1, 2])
    winner = final["tables"][0]["seats"][0]
    assert (await event.host.get(f"{event.path}/standings"))["rows"][0]["entry"] == winner


async def test_seats_change_from_game_to_game_and_each_has_its_own_deal(cup: tuple[Event, list[Json]]) -> None:
    event, (first, _) = cup
    table = first["tables"][1]
    assert [game["seats"] for game in table["games"]] == [table["seats"], [*reversed(table["seats"])], table["seats"]]
    told = [await event.host.get(f"/tables/{game['table']}") for game in table["games"]]
    assert [[seat["player"] for seat in each["seats"]] for each in told] == [
        [event.people[entry].id for entry in game["seats"]] for game in table["games"]
    ]
    assert len({game["table"] for game in table["games"]}) == 3 and table["table"] == table["games"][-1]["table"]


async def test_a_match_is_in_files_and_pictures(cup: tuple[Event, list[Json]]) -> None:
    event, (first, final) = cup
    bracket = await event.host.get(f"{event.path}/bracket")
    assert [[table["score"] for table in round["tables"]] for round in bracket["rounds"]] == [
        [table["score"] for table in round["tables"]] for round in (first, final)
    ]
    sheet = (await event.host.ask("GET", f"{event.path}/sheets/pairings")).text.splitlines()
    assert sheet[0].endswith("place,score") and sorted(line[-1] for line in sheet[1:]) == ["0", "1", "1", "2", "2", "2"]
    records = (await event.host.ask("GET", f"{event.path}/records?limit=100")).text.splitlines()
    assert len(records) == 2 + 3 + 3
    report = await event.host.ask("GET", f"{event.path}/report")
    lines = [line for line in report.text.splitlines() if line.startswith("001")]
    assert sorted(line[91:].split()[2] for line in lines) == ["0", "0", "1", "1"]
    assert (await event.host.ask("GET", f"{event.path}/pictures/bracket")).status_code == 200


async def test_all_of_it_is_computed_again(cup: tuple[Event, list[Json]], module_database_url: str) -> None:
    """`verify` and the second implementation agree, and both find tampering."""
    event, _ = cup
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
        assert [fault async for fault in faults_of_tournament(store, stream, rows)] == []
        assert [*second_opinions(stream, rows)] == []
        shown = {1: (await event.host.get(f"{event.path}/standings"))["rows"]}
        assert await wrong(store, event, shown) == []
        assert await missed(store, event, Random(11), TAMPERED) == []


async def test_a_log_without_a_game_that_is_due_is_found(cup: tuple[Event, list[Json]], module_database_url: str) -> None:
    """The last games of a match are dropped, so that the other player advances."""
    stream = ids.decode(cup[0].id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
        at = next(n for n, row in enumerate(rows) if isinstance(decode(row.type, row.schema, row.data), NextGame))
        board = decode(rows[at].type, rows[at].schema, rows[at].data).board     # type: ignore[union-attr]
        closed = next(n for n, row in enumerate(rows) if row.type == 97)

        def stays(n: int) -> bool:
            row = decode(rows[n].type, rows[n].schema, rows[n].data)
            return not at <= n < closed or board not in (getattr(row, "board", None), *getattr(row, "boards", []))

        fault = verify_events(stream, relinked([row for n, row in enumerate(rows) if stays(n)]), keyed=True)[1].fault
        assert fault is not None and "not decided" in fault.what


async def test_the_id_of_each_table_follows_from_the_key(cup: tuple[Event, list[Json]], module_database_url: str) -> None:
    """This includes a table whose log nothing else confirms.

    Without the key, the id cannot be checked.
    """
    stream = ids.decode(cup[0].id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
    logs = [*with_other_tables(rows)]
    assert len(logs) > 2
    for log in logs:
        fault = verify_events(stream, log, keyed=True)[1].fault
        assert fault is not None and fault.what == OTHER_TABLE
        assert verify_events(stream, log, keyed=False)[1].fault is None


async def test_a_ruling_ends_the_match_and_a_replay_one_game(
    http: httpx.AsyncClient, base: Database, module_database_url: str
) -> None:
    event = await event_of(http, base, 2, THREE)
    told = await event.published()
    path = event.round_path(1, 1)
    board = await match(event, told, 1, [0])
    assert (board["status"], board["places"], board["score"], len(board["games"])) == ("waiting", [], [0, 120], 1)
    assert (await event.people[1].get(f"{event.path}/me"))["table"] == board["table"]
    player = event.people[board["seats"][0]]
    dispute = f"{event.path}{path}/tables/1/disputes"
    assert await code(player, "POST", dispute, {"reason": "A wrong card"}) == "table-running"
    recut = {"expected_seq": board["seq"], "tables": [[*reversed(board["seats"])]], "byes": [], "out": []}
    assert await code(event.host, "POST", f"{event.path}{path}/recut", recut) == "board-begun"
    begun = (await event.begun([board]))["tables"][0]
    again = {"expected_seq": board["seq"], "reason": "A card was shown"}
    await event.host.post(f"{event.path}{path}/tables/1/replay", again, **key())
    board = (await event.round(1, 1))["tables"][0]
    assert (board["earlier"], len(board["games"]), board["score"]) == ([begun["table"]], 1, [0, 120])
    await event.begun([board])
    await event.rule(told, (await event.round(1, 1))["tables"][0], "places", [1, 2])
    board = (await event.settled(1, 1))["tables"][0]
    assert (board["places"], board["reason"], board["score"]) == ([1, 2], "adjudicated", [120, 120])
    await event.close(await event.round(1, 1))
    assert (await event.host.get(f"{event.path}/standings"))["rows"][0]["entry"] == board["seats"][0]
    stream = ids.decode(event.id)
    async with await EventStore.open(module_database_url) as store:
        rows = await store.read(stream)
        state, report = verify_events(stream, rows, keyed=True)
        assert state is not None and report.fault is None
        assert [fault async for fault in faults_of_tables(store, state)] == []
    found = [verify_events(stream, log, keyed=True)[1].fault for log in with_other_tables(rows)]
    assert [fault and fault.what for fault in found] == [OTHER_TABLE] * 3


@pytest.mark.parametrize("stage", [{"seats": 3}, {"deals": "shared"}, {"scheme": "share"}, {"best_of": 10}])
async def test_plans_of_matches_that_cannot_be(http: httpx.AsyncClient, base: Database, stage: Json) -> None:
    wanted = plan({"format": "swiss", "rounds": 2, "best_of": 3, **stage})
    host = await host_of(http, base, "Olga")
    refused = await code(host, "POST", "/tournaments", {"title": "Cup", "plan": wanted})
    assert refused == ("invalid-request" if stage.get("best_of") else "invalid-tournament")


def board_with(results: list[list[int]], best_of: int) -> Board:
    """Return a board with results, each given as the places of the table's seats."""
    told = [Result(1, 1, 1, "finished", places, [], [], b"") for places in results]
    board = Board(1, UUID(int=1), (7, 8), 0, b"", 0, best_of=best_of)
    for row in told[:-1]:
        board.games = (*board.games, PlayedGame(board.table, b"", True, row))
    board.result = told[-1]
    return board


@pytest.mark.parametrize(("results", "best_of", "decided", "places"), [
    ([[1, 2]], 3, False, (1, 2)),
    ([[1, 2], [2, 1]], 3, True, (1, 2)),
    ([[1, 2], [1, 2]], 3, False, (1, 1)),
    ([[1, 1], [2, 1], [1, 1]], 3, True, (1, 2)),
    ([[], [], []], 3, True, ()),
    ([[1, 2], [], [2, 1]], 5, False, (1, 1)),
    ([[1, 2], [2, 1], [1, 2]], 5, True, (1, 2)),
    ([[1, 1], [1, 1]], 2, True, (1, 1)),
])  # fmt: skip
def test_when_a_match_is_decided(results: list[list[int]], best_of: int, decided: bool, places: tuple[int, ...]) -> None:
    board = board_with(results, best_of)
    assert (board.is_decided, board.places) == (decided, places)

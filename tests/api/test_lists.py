"""Lists and archives at the API: visibility, pages and searches."""
from __future__ import annotations

import random

import httpx
import pytest

from tests.support.people import PRIVATE, Json, Person, end_early, let_in, open_game, play_on

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Ada")


@pytest.fixture
async def bea(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Bea")


async def finished(people: list[Person]) -> str:
    table = await open_game(people)
    await end_early(people, table, 20, random.Random(8))
    return table


async def pages(person: Person, path: str, name: str, limit: int, **params: object) -> list[Json]:
    """Return all entries of a list, by following `next`."""
    found: list[Json] = []
    after: dict[str, object] = {}
    while True:
        page = await person.get(path, limit=limit, **params, **after)
        found += page[name]
        if page["next"] is None:
            return found
        after = {"after": page["next"]}


async def test_ones_own_tables_are_listed_with_whose_turn_it_is(ada: Person, bea: Person) -> None:
    opened = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    table = await open_game([ada, bea])
    found = await pages(ada, "/me/tables", "tables", 1)
    assert [(t["table"]["id"], t["seat"]) for t in found] == [(table, 0), (opened, None)]
    asked = (await ada.view(table))["view"]["asked"]
    for seat, person in enumerate((ada, bea)):
        turns = (await person.get("/me/tables", your_turn="true"))["tables"]
        assert [(t["seat"], t["your_turn"]) for t in turns] == ([(seat, True)] if seat in asked else [])
    assert [t["table"]["id"] for t in (await bea.get("/me/tables"))["tables"]] == [table]


async def test_a_list_of_ones_own_needs_a_token(http: httpx.AsyncClient) -> None:
    assert (await http.get("/me/tables")).json()["code"] == "unauthenticated"


async def test_positions_show_what_spectators_see(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    await play_on([ada, bea], table, 5, random.Random(2))
    watched = (await http.get(f"/tables/{table}/view")).json()
    shown: list[Json] = []
    while not shown or shown[0]["seq"] < watched["seq"]:                  # the list may lag by a moment
        shown = [view for view in await pages(ada, "/positions", "positions", 2) if view["table"] == table]
    assert shown == [watched]


async def test_a_finished_game_can_be_replayed_from_every_seat(
    ada: Person, bea: Person, http: httpx.AsyncClient
) -> None:
    table = await finished([ada, bea])
    head = (await http.get(f"/tables/{table}")).json()["seq"]
    for viewer in ("spectator", "0", "1"):
        frames = await pages(bea, f"/tables/{table}/frames", "frames", 40, **{"as": viewer})
        assert [frame["seq"] for frame in frames] == [*range(4, head + 1)]
        for frame in frames[:: len(frames) // 3]:
            then = await bea.view(table, at=frame["seq"], **{"as": viewer})
            assert frame["view"] == then["view"]
    assert (await bea.refused("GET", f"/tables/{table}/frames?as=7"))["code"] == "no-such-seat"
    assert (await http.get(f"/tables/{table}/frames")).json()["frames"][0]["view"]["zones"]["hand"][0][0] == -1


async def test_there_are_no_frames_and_no_record_of_all_hands_before_the_end(ada: Person, bea: Person) -> None:
    table = await open_game([ada, bea])
    assert (await ada.refused("GET", f"/tables/{table}/frames"))["code"] == "game-not-over"
    assert (await ada.refused("GET", f"/tables/{table}/frames?as=1"))["code"] == "forbidden"
    assert table not in [game["table"]["id"] for game in await pages(ada, "/records", "games", 3)]
    rows = (await ada.get(f"/tables/{table}/record"))["rows"]
    assert {leaf["leaf"] for row in rows for leaf in row["opened"]} == {2}      # what seat 0 sees


async def test_the_record_of_a_finished_game_is_the_same_for_everybody(
    ada: Person, bea: Person, http: httpx.AsyncClient
) -> None:
    table = await finished([ada, bea])
    assert table in [game["table"]["id"] for game in await pages(ada, "/records", "games", 3)]
    found, asked = [(await http.get(f"/tables/{table}/record", params=p)).json() for p in ({}, {"as": "1"})]
    assert found == asked and found["viewer"] is None
    assert {leaf["leaf"] for row in found["rows"] for leaf in row["opened"]} == {0, 1, 2, 3}


async def test_a_private_game_stays_private_when_it_is_over(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    await let_in(ada, table, bea)
    for person in (ada, bea):
        await person.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/start")
    await end_early([ada, bea], table, 4, random.Random(9))
    assert (await bea.get(f"/tables/{table}/frames"))["frames"]
    for path in ("frames", "record"):
        assert (await http.get(f"/tables/{table}/{path}")).status_code == 404
    for path, name in (("/records", "games"), ("/positions", "positions"), ("/tables", "tables")):
        assert table not in str(await pages(ada, path, name, 20))


async def test_statistics_grow_with_each_finished_game(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    async def games() -> int:
        found = (await http.get("/rulesets/game-of-kingdoms/statistics")).json()["by_seats"]
        return sum(row["games"] for row in found if row["seats"] == 2)

    before = await games()
    await play_on([ada, bea], await open_game([ada, bea]), 1000, random.Random(8))      # a resigned game does not count
    assert await games() == before + 1
    assert (await http.get("/rulesets/chess/statistics")).json()["code"] == "no-such-ruleset"


# --- search ---------------------------------------------------------------------------------------------------------------
async def test_the_lobby_is_searched_by_seats_and_clock(ada: Person) -> None:
    live, slow = {"type": "live", "bank": 300}, {"type": "turn-based", "days": 2}
    wanted = [(2, None), (2, live), (3, live), (2, slow)]
    opened = [
        (await ada.post("/tables", KINGDOMS | {"seats": seats, "policies": {"clock": clock}}))["id"] for seats, clock in wanted
    ]

    async def found(**filters: object) -> list[int]:
        told = {table["id"]: table for table in await pages(ada, "/tables", "tables", 3, status="open", **filters)}
        return [nth for nth, id_ in enumerate(opened) if id_ in told]

    assert await found() == [0, 1, 2, 3]
    assert await found(clock="live") == [1, 2] and await found(clock="turn-based") == [3]
    assert await found(seats=2) == [0, 1, 3] and await found(seats=2, clock="none") == [0]
    assert await found(seats=3, clock="live", ruleset="kemet") == []
    shown = (await ada.get("/tables", status="open", seats=3, limit=1))["tables"][0]
    assert (shown["id"], shown["clock"]["bank"]) == (opened[2], 300)
    assert (await ada.refused("GET", "/tables?clock=sundial"))["code"] == "invalid-request"
    await ada.post(f"/tables/{opened[0]}/policies", {"clock": slow})
    assert await found(clock="turn-based") == [0, 3]


async def test_the_next_game_is_the_one_whose_time_is_over_soonest(ada: Person, bea: Person) -> None:
    tables: list[str] = []
    for clock in (None, {"type": "turn-based", "days": 5}, {"type": "live", "bank": 3600}, {"type": "turn-based", "days": 2}):
        table = (await ada.post("/tables", KINGDOMS | {"policies": {"clock": clock}}))["id"]
        for person in (ada, bea):
            await person.post(f"/tables/{table}/seats")
        await ada.post(f"/tables/{table}/start")
        tables.append(table)
    for person in (ada, bea):
        due = [table for table in (tables[2], tables[3], tables[1], tables[0]) if (await person.view(table))["choice"]]
        found = await pages(person, "/me/tables", "tables", 1, your_turn="true", order="deadline")
        assert [own["table"]["id"] for own in found] == due
        told = {own["table"]["id"]: own["deadline"] for own in found}
        for table in {*due} & {tables[1], tables[3]}:
            clocks = (await person.view(table))["clocks"]["seats"]
            assert told[table] in [clock["deadline"] for clock in clocks if clock["runs"]]
        assert told.get(tables[2], "soon") is not None and told.get(tables[0]) is None
        waiting = await pages(person, "/me/tables", "tables", 3, your_turn="false")
        assert {own["deadline"] for own in waiting} <= {None}

"""Tables, from opening to the rematch."""

import random

import httpx
import pytest

from tests.support.people import PRIVATE, Person, open_game, play_on, someone_asked

KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Ada")


@pytest.fixture
async def bea(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http, "Bea")


async def test_a_table_is_opened_filled_and_started(ada: Person, bea: Person) -> None:
    table = await ada.post("/tables", KINGDOMS | {"options": {"version": "ruthless"}})
    assert (table["status"], table["creator"], table["seq"]) == ("open", ada.id, 1)
    assert table["options"] == {"version": "ruthless", "pile_on_take": True, "dealer": None}
    path = f"/tables/{table['id']}"
    await bea.post(f"{path}/seats", {"seat": 1, "nonce": "00ff"})
    await ada.post(f"{path}/seats")
    assert [seat["player"] for seat in (await ada.get(path))["seats"]] == [ada.id, bea.id]
    started = await ada.post(f"{path}/start")
    assert started["events"][0]["type"] == "game_started"
    assert (await bea.get(path))["status"] == "playing"


async def test_a_seat_can_be_left_before_the_game(ada: Person, bea: Person) -> None:
    path = f"/tables/{(await ada.post('/tables', KINGDOMS))['id']}"
    await ada.post(f"{path}/seats", {"bot": "simple"})
    await bea.post(f"{path}/seats")
    assert (await bea.ask("DELETE", f"{path}/seats/1")).status_code == 200
    assert (await ada.ask("DELETE", f"{path}/seats/0")).status_code == 200
    assert [(s["player"], s["bot"]) for s in (await ada.get(path))["seats"]] == [(None, None), (None, None)]


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"ruleset": "chess", "seats": 2}, "unknown-ruleset"),
        ({"ruleset": "game-of-kingdoms", "seats": 7}, "invalid-seats"),
        ({"ruleset": "game-of-kingdoms", "seats": 1}, "invalid-seats"),
        ({"ruleset": "game-of-kingdoms", "seats": 17}, "invalid-request"),
        ({"ruleset": "game-of-kingdoms", "seats": "2"}, "invalid-request"),
        ({"ruleset": "game-of-kingdoms"}, "invalid-request"),
        (KINGDOMS | {"options": {"version": "cruel"}}, "invalid-options"),
        (KINGDOMS | {"options": {"cruel": True}}, "invalid-options"),
        (KINGDOMS | {"options": {"dealer": 3}}, "invalid-options"),
        (KINGDOMS | {"options": []}, "invalid-request"),
        (KINGDOMS | {"clock": 3}, "invalid-request"),
        (KINGDOMS | {"policies": {"join": "secret"}}, "invalid-request"),
    ],
)
async def test_a_table_that_cannot_be(ada: Person, wanted: object, code: str) -> None:
    assert (await ada.refused("POST", "/tables", wanted))["code"] == code


VALLEY = {"ruleset": "valley-of-the-kings", "seats": 5}


@pytest.mark.parametrize(("wanted", "pointer"), [
    ({"ruleset": "game-of-kingdoms", "seats": 7}, "/seats"),
    (KINGDOMS | {"options": {"version": "cruel"}}, "/options/version"),
    (KINGDOMS | {"options": {"cruel": True}}, "/options/cruel"),
    (KINGDOMS | {"options": {"dealer": 3}}, "/options/dealer"),
    (KINGDOMS | {"options": {"dealer": "first"}}, "/options/dealer"),
    (VALLEY, "/options/edition"),
    (VALLEY | {"options": {"edition": "premium", "sets": ["none"]}}, "/options/sets"),
    (KINGDOMS | {"policies": {"spectators": {"who": "nobody"}}}, "/policies/join"),
    (KINGDOMS | {"policies": {"absence": {"bot": "simple"}}}, "/policies/absence"),
    (KINGDOMS | {"clock": 3}, "/clock"),
    ({"ruleset": "game-of-kingdoms"}, "/seats"),
])  # fmt: skip
async def test_a_table_that_cannot_be_says_which_field_is_wrong(ada: Person, wanted: object, pointer: str) -> None:
    problem = await ada.refused("POST", "/tables", wanted)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


async def test_seats_are_refused_for_a_reason(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    path = f"/tables/{(await ada.post('/tables', KINGDOMS))['id']}"

    async def code(person: Person, method: str, at: str, body: object = None) -> str:
        return str((await person.refused(method, f"{path}{at}", body))["code"])

    assert await code(ada, "POST", "/start") == "seats-empty"
    assert await code(ada, "POST", "/seats", {"seat": 2}) == "no-such-seat"
    assert await code(ada, "POST", "/seats", {"seat": -1}) == "invalid-request"
    assert await code(ada, "POST", "/seats", {"nonce": "xyz"}) == "invalid-request"
    assert await code(ada, "POST", "/seats", {"bot": "deep-thought"}) == "unknown-bot"
    assert await code(bea, "POST", "/seats", {"bot": "simple"}) == "forbidden"
    await ada.post(f"{path}/seats", {"seat": 1})
    assert await code(ada, "POST", "/seats", {}) == "already-seated"
    assert await code(bea, "POST", "/seats", {"seat": 1}) == "seat-taken"
    assert await code(bea, "DELETE", "/seats/1") == "forbidden"
    assert await code(bea, "DELETE", "/seats/0") == "no-such-seat"
    assert await code(bea, "DELETE", "/seats/99") == "invalid-request"
    await bea.post(f"{path}/seats")
    assert await code(bea, "POST", "/start") == "forbidden"
    await ada.post(f"{path}/start")
    third = await Person.arrive(http)
    assert await code(third, "POST", "/seats", {}) == "table-not-open"
    assert await code(ada, "DELETE", "/seats/1") == "table-not-open"
    assert await code(ada, "POST", "/start") == "table-not-open"
    assert await code(ada, "POST", "/rematch") == "game-not-over"


@pytest.mark.parametrize("table", ["nothing", "0" * 26, "u" * 26, "%00", "01m7yt0g8fe8s9ag8qk6ngh1pc" * 40])
@pytest.mark.parametrize("path", ["", "/view", "/events", "/story", "/record", "/proof"])
async def test_a_table_that_is_not_there(ada: Person, table: str, path: str) -> None:
    assert (await ada.refused("GET", f"/tables/{table}{path}"))["code"] == "not-found"


async def test_a_private_table_is_not_there_for_others(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = (await ada.post("/tables", KINGDOMS | PRIVATE))["id"]
    missing = (await bea.refused("GET", f"/tables/{'0' * 26}")) | {"instance": ""}
    assert (await bea.refused("GET", f"/tables/{table}")) | {"instance": ""} == missing
    assert (await http.get(f"/tables/{table}/view")).status_code == 404
    assert table not in [found["id"] for found in (await ada.get("/tables"))["tables"]]


async def test_the_lobby_lists_the_newest_first_page_by_page(ada: Person) -> None:
    made = [(await ada.post("/tables", KINGDOMS))["id"] for _ in range(5)]
    found: list[str] = []
    after: dict[str, str] = {}
    while len(found) < 5:
        page = await ada.get("/tables", status="open", ruleset="game-of-kingdoms", limit=2, **after)
        found += [table["id"] for table in page["tables"]]
        after = {"after": page["next"]}
    assert found[:5] == made[::-1]
    assert (await ada.get("/tables", ruleset="chess"))["tables"] == []


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "status=lost", "status=null", "after=x", "after=Null"])
async def test_the_lobby_refuses_what_it_does_not_understand(ada: Person, query: str) -> None:
    assert (await ada.refused("GET", f"/tables?{query}"))["code"] == "invalid-request"


async def test_a_view_shows_its_seat_and_nobody_elses_hand(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    mine, theirs = (await ada.view(table)), (await bea.view(table))
    watched = (await http.get(f"/tables/{table}/view")).json()
    assert [v["viewer"] for v in (mine, theirs, watched)] == [0, 1, None]
    hidden = [-1] * len(mine["view"]["zones"]["hand"][0])
    assert watched["view"]["zones"]["hand"] == [hidden, hidden]
    assert mine["view"]["zones"]["hand"][1] == theirs["view"]["zones"]["hand"][0] == hidden
    assert -1 not in mine["view"]["zones"]["hand"][0]
    assert (await ada.view(table, **{"as": "spectator"}))["view"] == watched["view"]
    assert (await ada.refused("GET", f"/tables/{table}/view?as=1"))["code"] == "forbidden"
    assert (await ada.refused("GET", f"/tables/{table}/view?as=5"))["code"] == "no-such-seat"
    assert (await ada.refused("GET", f"/tables/{table}/view?as=x"))["code"] == "invalid-request"


async def test_a_view_that_has_not_changed_is_not_sent_again(ada: Person, bea: Person) -> None:
    table = await open_game([ada, bea])
    answer = await ada.ask("GET", f"/tables/{table}/view")
    again = await ada.ask("GET", f"/tables/{table}/view", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


async def test_the_past_can_be_viewed_and_the_future_cannot(ada: Person, bea: Person) -> None:
    table = await open_game([ada, bea])
    before = await ada.view(table)
    await play_on([ada, bea], table, 6, random.Random(1))
    assert (await ada.view(table, at=before["seq"]))["view"] == before["view"]
    assert (await ada.view(table, at=0))["status"] == "open"
    assert (await ada.refused("GET", f"/tables/{table}/view?at=99"))["code"] == "future-sequence"
    assert (await ada.refused("GET", f"/tables/{table}/view?at=-1"))["code"] == "invalid-request"


async def test_events_are_numbered_alike_for_everybody(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea], version="ruthless")
    await play_on([ada, bea], table, 10, random.Random(2))
    head = (await ada.get(f"/tables/{table}"))["seq"]
    for viewer in (ada, bea, Person(http, {"player": {"id": ""}, "token": ada.token})):
        events = (await viewer.get(f"/tables/{table}/events"))["events"]
        assert [event["seq"] for event in events] == list(range(head + 1))
    page = await ada.get(f"/tables/{table}/events", after=2, limit=3)
    assert ([event["seq"] for event in page["events"]], page["next"]) == ([3, 4, 5], 5)
    assert (await ada.refused("GET", f"/tables/{table}/events?after=99"))["code"] == "future-sequence"


async def test_when_the_game_is_over_all_is_shown(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    assert (await ada.get(f"/tables/{table}/proof"))["seed"] is None
    await play_on([ada, bea], table, 1000, random.Random(3))
    view = await ada.view(table, **{"as": "1"})
    assert (view["status"], view["viewer"]) == ("over", 1)
    proof = (await http.get(f"/tables/{table}/proof")).json()
    events = (await http.get(f"/tables/{table}/events", params={"limit": 1000})).json()["events"]
    assert len(proof["hashes"]) == len(events)
    assert proof["seed"] == events[-1]["data"]["seed"]
    late = {"expected_seq": view["seq"], "action": {"id": "done"}}
    assert (await ada.refused("POST", f"/tables/{table}/commands", late))["code"] == "game-over"


async def test_the_loser_deals_the_rematch(ada: Person, bea: Person, http: httpx.AsyncClient) -> None:
    table = await open_game([ada, bea])
    await play_on([ada, bea], table, 1000, random.Random(4))
    outcome = (await ada.view(table))["view"]["outcome"]
    stranger = await Person.arrive(http)
    assert (await stranger.refused("POST", f"/tables/{table}/rematch"))["code"] == "not-seated"
    again = await bea.post(f"/tables/{table}/rematch")
    assert [seat["player"] or seat["reserved"] for seat in again["seats"]] == [ada.id, bea.id]
    if sorted(outcome) == [1, 2]:
        assert again["options"]["dealer"] == outcome.index(2)


async def test_bots_play_among_themselves(ada: Person) -> None:
    table = await open_game([ada], bots=("simple", "random"))
    commands = await play_on([ada], table, 1000, random.Random(5))
    assert commands > 0
    view = await ada.view(table)
    assert (view["status"], sorted(view["view"]["outcome"])[0]) == ("over", 1)


async def test_what_told_nobody_anything_can_be_taken_back(ada: Person, bea: Person) -> None:
    table = await open_game([ada, bea])
    await play_on([ada, bea], table, 4, random.Random(6))
    for _ in range(200):
        person, view = await someone_asked([ada, bea], table)
        if view["status"] == "over":
            table = await open_game([ada, bea])
            continue
        action = {"id": view["choice"]["offers"][-1]["id"]}
        subset = view["choice"]["offers"][-1]["subset"]
        if subset:
            action["subset"] = subset["pool"][: max(1, subset["least"])]
        after = (await person.command(table, view, action)).json()
        if after["view"]["undo"]["count"]:
            break
    undone = await person.post(f"/tables/{table}/undo", {"expected_seq": after["seq"]})
    assert undone["events"][-1]["type"] == "undone"
    assert undone["view"]["view"] == view["view"]
    assert (await person.refused("POST", f"/tables/{table}/undo", {"expected_seq": undone["seq"]}))["code"] in (
        "undo-refused", "stale-sequence",
    )  # fmt: skip


async def test_a_seat_may_always_pass_a_window_and_nobody_else_learns_of_it(ada: Person, bea: Person) -> None:
    table = await open_game([ada, bea], version="ruthless")
    path = f"/tables/{table}/preferences"
    wanted = {"seat": 1, "window": "wave", "on": True}
    assert (await ada.refused("POST", path, wanted))["code"] == "forbidden"
    assert (await bea.refused("POST", path, wanted | {"window": "door"}))["code"] == "action-not-offered"
    assert (await bea.refused("POST", path, wanted | {"on": "yes"}))["code"] == "invalid-request"
    await bea.post(path, wanted)
    mine, theirs = await bea.view(table), await ada.view(table)
    assert (mine["view"]["always_passes"], theirs["view"]["always_passes"]) == (["wave"], [])
    assert [(await person.get(f"/tables/{table}/events", after=4))["events"][0]["type"] for person in (ada, bea)] == [
        "hidden", "acted",
    ]  # fmt: skip
    await bea.post(path, wanted | {"on": False})
    assert (await bea.view(table))["view"]["always_passes"] == []
    assert (await bea.refused("POST", path, wanted | {"window": "wave:king"}))["code"] == "action-not-offered"
    await bea.post(path, wanted | {"window": "wave@turn"})
    assert (await bea.view(table))["view"]["always_passes"] == ["wave@turn"]

"""Replays: each viewer sees their own view, and all hands after the game."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.support.people import Json, Person, end_early, open_game, play_on, someone_asked
from tests.support.waiting import in_time

PROJECT = Path(__file__).parents[2]


async def two(http: httpx.AsyncClient, **options: Any) -> tuple[list[Person], str]:
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    return people, await open_game(people, version="ruthless", **options)


async def test_of_a_running_game_each_is_told_what_they_see_of_it(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    await play_on([ada, bea], table, 9, random.Random(3))
    view = await ada.view(table)
    own, public = await ada.get(f"/tables/{table}/replay"), (await http.get(f"/tables/{table}/replay")).json()
    for replay, viewer in ((own, 0), (public, None)):
        assert (replay["table"], replay["viewer"], replay["everything"], replay["over"]) == (table, viewer, False, False)
        assert (replay["seq"], replay["head"]) == (view["seq"], view["head"]) and not replay["scores"]
        assert [step["seq"] for step in replay["steps"]] == [*range(replay["steps"][0]["seq"], view["seq"] + 1)]
    assert {step["decision"]["seat"] for step in own["steps"] if "decision" in step} == {0}
    assert not [step for step in public["steps"] if "decision" in step or "points" in step]
    dealt = [step["steps"][0]["facts"] for step in (own, public)]
    assert [sum(card >= 0 for fact in facts if fact["type"] == "moved" for card in fact["cards"]) for facts in dealt] == [7, 1]
    log = {event["seq"]: event for event in (await ada.get(f"/tables/{table}/events?limit=1000"))["events"]}
    assert all(step["facts"] == log[step["seq"]]["data"]["facts"] for step in own["steps"] if "facts" in step)


async def test_other_seats_and_all_hands_are_for_the_time_after(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    path = f"/tables/{table}/replay"
    for seat, code in (("1", "forbidden"), ("everything", "forbidden"), ("7", "no-such-seat"), ("all", "invalid-request")):
        assert (await ada.refused("GET", f"{path}?as={seat}"))["code"] == code
    await end_early([ada, bea], table, 16, random.Random(3))
    replay = (await http.get(f"{path}?as=everything")).json()
    assert (replay["viewer"], replay["everything"], replay["over"]) == (None, True, True)
    facts = [fact for step in replay["steps"] for fact in step.get("facts", [])]
    assert not [card for fact in facts for card in fact.get("cards", []) if card < 0]
    assert {step["decision"]["seat"] for step in replay["steps"] if "decision" in step} == {0, 1}
    shuffled = [fact["type"] for fact in replay["steps"][0]["facts"][:3]]
    assert "became" in shuffled[shuffled.index("shuffled") :]
    seen = (await http.get(f"{path}?as=1")).json()
    assert seen["viewer"] == 1 and {step["decision"]["seat"] for step in seen["steps"] if "decision" in step} == {1}


async def test_before_the_game_there_is_nothing_to_replay(http: httpx.AsyncClient) -> None:
    ada = await Person.arrive(http)
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    assert (await ada.refused("GET", f"/tables/{table}/replay"))["code"] == "game-not-started"
    nowhere = await http.get("/tables/00000000000000000000000000/replay")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "not-found")


async def test_what_was_taken_back_is_gone_through_and_preferences_are_ones_own(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    people, luck = [ada, bea], random.Random(3)
    for _ in range(200):
        await play_on(people, table, 1, luck)
        person, view = await someone_asked(people, table)
        if view["undo"]["count"]:
            break
    seat = people.index(person)
    await person.post(f"/tables/{table}/preferences", {"seat": seat, "window": "wave", "on": True})
    await person.post(f"/tables/{table}/undo", {"expected_seq": view["seq"] + 1})
    own, other = await person.get(f"/tables/{table}/replay"), await people[1 - seat].get(f"/tables/{table}/replay")
    for replay in (own, other):
        assert (replay["steps"][-1]["seat"], replay["steps"][-1]["to"]) == (seat, view["seq"] - 1)
        assert [line["message"]["id"] for line in replay["steps"][-1]["story"]] == ["story.undone"]
    assert own["steps"][-2]["facts"] == [{"type": "preferred", "window": "wave", "on": True}]
    assert other["steps"][-2].keys() == {"seq", "at"}


async def test_clocks_are_told_as_they_stood(http: httpx.AsyncClient) -> None:
    people = [await Person.arrive(http), await Person.arrive(http)]
    wanted: Json = {"ruleset": "game-of-kingdoms", "seats": 2, "options": {"version": "ruthless"}}
    wanted["policies"] = {"clock": {"type": "live", "bank": 300, "increment": 3}}
    table = (await people[0].post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await people[0].post(f"/tables/{table}/start")
    await play_on(people, table, 4, random.Random(1))
    replay = (await http.get(f"/tables/{table}/replay")).json()
    told = [step["left"] for step in replay["steps"] if "left" in step]
    seen = (await http.get(f"/tables/{table}/view", params={"at": replay["seq"]})).json()
    assert told[0] == [300_000, 300_000] and len(told) > 2
    pairs = zip(told[-1], seen["clocks"]["seats"], strict=True)
    assert all(0 <= left - clock["remaining_ms"] < 60_000 for left, clock in pairs)


async def test_who_has_it_need_not_have_it_again_and_secrets_are_not_compressed(http: httpx.AsyncClient) -> None:
    (ada, bea), table = await two(http)
    path = f"/tables/{table}/replay"
    public, own = await ada.ask("GET", f"{path}?as=spectator"), await ada.ask("GET", path)
    assert (public.headers.get("content-encoding"), own.headers.get("content-encoding")) == ("gzip", None)
    for known in (public, own):
        asked = known.request.url.raw_path.decode().removeprefix("/api/v1")
        again = await ada.ask("GET", asked, headers={"if-none-match": known.headers["etag"]})
        assert (again.status_code, again.headers["etag"]) == (304, known.headers["etag"])
    await play_on([ada, bea], table, 1, random.Random(1))
    assert (await ada.ask("GET", path, headers={"if-none-match": own.headers["etag"]})).status_code == 200
    await end_early([ada, bea], table, 8, random.Random(3))
    assert (await ada.ask("GET", path)).headers["content-encoding"] == "gzip"


async def test_the_example_of_the_docs(http: httpx.AsyncClient, server: str, capsys: pytest.CaptureFixture[str]) -> None:
    people, table = await two(http)
    await play_on(people, table, 10_000, random.Random(3))
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("### Replays")
    example = after.partition("```python\n")[2].partition("```")[0]
    known: Json = {"httpx": httpx, "url": f"{server}/api/v1", "table": table}
    await asyncio.to_thread(exec, example, known)
    assert known["now"]["asked"] == []
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 5 and all(" seat 0: verb." in line or " seat 0: label." in line for line in lines), lines[:3]


async def test_a_replay_waits_for_a_process_that_gets_no_cpu(http: httpx.AsyncClient) -> None:
    people, table = await two(http)
    await play_on(people, table, 9, random.Random(3))
    assert (await http.get(f"/tables/{table}/replay")).status_code == 200       # starts the worker process
    there = workers()
    for worker in there:
        worker.suspend()
    asked = asyncio.create_task(http.get(f"/tables/{table}/replay?as=spectator"))
    own = asyncio.create_task(people[0].get(f"/tables/{table}/replay"))
    try:
        for _ in range(10):
            assert (await http.get(f"/tables/{table}")).status_code == 200
        assert not own.done()
    finally:
        for worker in there:
            worker.resume()
    assert (await in_time(own))["viewer"] == 0 and (await in_time(asked)).status_code == 200
    assert there == workers()


def workers() -> list[psutil.Process]:
    """Return the processes that make replays for the server in this process."""
    return [child for child in psutil.Process().children() if "ludarium.platform.worker_process" in child.cmdline()]

"""The log loses its newest event while clients follow the table."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import httpx
import msgspec

from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_streams import SSE
from tests.support.blind_client import random_action
from tests.support.live_client import client
from tests.support.lost_rows import lose
from tests.support.people import Json, Person, open_game, play_on, someone_asked
from tests.support.waiting import within_limit

PROJECT = Path(__file__).parents[2]


async def scene(http: httpx.AsyncClient, moves: int) -> tuple[str, list[Person], list[Json]]:
    """Play this many moves; return the table, its people and the public events."""
    people = [await Person.arrive(http, name) for name in ("Ada", "Bea")]
    table = await open_game(people)
    await play_on(people, table, moves, Random(1))
    events: list[Json] = (await http.get(f"/tables/{table}/events")).json()["events"]
    return table, people, events


async def test_events_behind_a_lost_row_are_refused(http: httpx.AsyncClient, module_database_url: str) -> None:
    table, people, events = await scene(http, 3)
    view = await people[0].view(table)
    assert view["head"] == events[-1]["head"]
    await lose(module_database_url)
    behind = f"/tables/{table}/events"
    refused = await http.get(behind, params={"after": events[-1]["seq"], "head": events[-1]["head"]})
    assert (refused.status_code, refused.json()["code"], refused.json()["seq"]) == (409, "lost-row", events[-2]["seq"])
    stands = await http.get(behind, params={"after": events[-3]["seq"], "head": events[-3]["head"]})
    assert [event["head"] for event in stands.json()["events"]] == [events[-2]["head"]]


async def until_reset(lines: AsyncIterator[str], begin: str, reached: asyncio.Event, seq: int) -> Json:
    """Set `reached` at event `seq`, and return the reset that follows.

    A reset to `seq` itself is skipped, because an earlier loss of another table causes it.
    """
    async for line in lines:
        told = msgspec.json.decode(line.removeprefix(begin)) if line.startswith(begin + "{") else {}
        if told.get("seq") == seq:
            reached.set()
        if told.get("type") == "reset" and told["seq"] != seq:
            return dict(told)
    raise AssertionError("the stream has ended")


async def test_streams_are_told_the_table_anew(http: httpx.AsyncClient, module_database_url: str) -> None:
    table, _, events = await scene(http, 3)
    last, path = events[-1], f"/tables/{table}/stream"
    async with http.stream("GET", path) as lines, http.stream("GET", path, headers=SSE) as sse, within_limit():
        at_end = [asyncio.Event(), asyncio.Event()]
        told = [
            asyncio.create_task(until_reset(lines.aiter_lines(), "", at_end[0], last["seq"])),
            asyncio.create_task(until_reset(sse.aiter_lines(), "data: ", at_end[1], last["seq"])),
        ]
        for reached in at_end:
            await reached.wait()
        await lose(module_database_url)
        view = (await http.get(f"/tables/{table}/view")).json()
        assert [(reset["seq"], reset["data"]["view"]) for reset in await asyncio.gather(*told)] == [(view["seq"], view)] * 2


async def test_who_comes_back_from_a_lost_row_is_told_the_same_on_all_ways(
    http: httpx.AsyncClient, address: Address, module_database_url: str
) -> None:
    table, _, events = await scene(http, 3)
    last, path, nobody = events[-1], f"/tables/{table}/stream", asyncio.Event()
    await lose(module_database_url)
    view = (await http.get(f"/tables/{table}/view")).json()
    again = SSE | {"last-event-id": f"{last['seq']}.{last['head']}"}
    async with (
        http.stream("GET", path, params={"after": last["seq"], "head": last["head"]}) as lines,
        http.stream("GET", path, headers=again) as sse,
        client(port_of(address)) as eve,
    ):
        pushed = await eve.until_reset(await eve.subscribe(table, last["seq"], head=last["head"]))
        lined = await until_reset(lines.aiter_lines(), "", nobody, -1)
        evented = await until_reset(sse.aiter_lines(), "data: ", nobody, -1)
    assert pushed == lined == evented
    assert (pushed["seq"], pushed["head"], pushed["data"]["view"]) == (view["seq"], view["head"], view)


def example() -> tuple[Json, int, Json]:
    """Return the documented command on a lost event: its body, status and answer."""
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("**Send the `head`")
    body, answered = re.findall(r"^(?:POST|→).*?(\{(?!id\}).*\})$", after.split("```")[1], re.MULTILINE)
    status = re.search(r"→ (\d+)", after)
    assert status is not None
    return msgspec.json.decode(body), int(status[1]), msgspec.json.decode(answered.replace(", …", ""))


async def test_a_command_on_a_lost_row_is_answered_as_the_page_says(
    http: httpx.AsyncClient, module_database_url: str
) -> None:
    table, people, _ = await scene(http, 3)
    person, view = await someone_asked(people, table)
    await lose(module_database_url)
    body, status, answered = example()
    sent = {"expected_seq": view["seq"], "head": view["head"], "action": random_action(view["choice"], Random(3))}
    assert sent.keys() == body.keys()
    for path in (f"/tables/{table}/commands", f"/tables/{table}/undo"):
        told = {key: value for key, value in sent.items() if path.endswith("commands") or key != "action"}
        refused = await person.ask("POST", path, json=told)
        assert (refused.status_code, refused.json()["code"]) == (status, answered["code"])
        assert refused.json()["seq"] - view["seq"] == answered["seq"] - body["expected_seq"]

"""The log loses the events that gave a player the right to see a table."""
from __future__ import annotations

import random
from collections.abc import AsyncIterator

import httpx
import pytest

from ludarium.server import Address, running
from tests.api.test_live import CONFIG, port_of
from tests.live.conftest import Looked
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.lost_rows import lose
from tests.support.people import Json, Person, play_on
from tests.support.waiting import LIMIT


@pytest.fixture
async def address(database_url: str, redis_url: str) -> AsyncIterator[Address]:
    async with running(CONFIG, database_url, redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
async def http(address: Address) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as made:
        yield made


async def played(http: httpx.AsyncClient, moves: int) -> tuple[list[Person], str]:
    people = [await Person.arrive(http) for _ in range(2)]
    table = (await people[0].post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2}))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    await people[0].post(f"/tables/{table}/start")
    await play_on(people, table, moves, random.Random(1))
    return people, table


def told(messages: list[Json]) -> set[str]:
    return {str(message.get("type")) for message in messages}


@pytest.mark.parametrize("lost", [1, 3])
async def test_who_looked_from_a_seat_because_the_game_was_over_is_told_no_more_when_it_is_not(
    looked: Looked, http: httpx.AsyncClient, address: Address, database_url: str, lost: int
) -> None:
    _, table = await played(http, 1000)
    last = (await http.get(f"/tables/{table}")).json()
    assert last["status"] == "over"
    async with client(port_of(address)) as eve:
        sub = await eve.subscribe(table, viewer=1)
        await eve.until(sub, last["seq"])
        await looked()
        before = len(eve.heard)
        await lose(database_url, lost)
        await eve.until_notice({"type": "ended", "sub": sub})
        assert told(eve.heard[before:]) <= {"presence", "ended"} and (await eve.request("ping"))["ok"]


async def test_a_table_that_is_lost_whole_ends_its_subscriptions_and_nothing_else(
    looked: Looked, http: httpx.AsyncClient, address: Address, database_url: str
) -> None:
    _, table = await played(http, 0)
    last = (await http.get(f"/tables/{table}")).json()
    async with client(port_of(address)) as eve:
        sub = await eve.subscribe(table)
        await eve.until(sub, last["seq"])
        await looked()
        await lose(database_url, last["seq"] + 1)
        await eve.until_notice({"type": "ended", "sub": sub})
        assert (await eve.request("ping"))["ok"]


async def test_a_view_of_a_lost_row_is_not_said_to_hold(http: httpx.AsyncClient, database_url: str) -> None:
    people, table = await played(http, 6)
    etag = (await people[0].ask("GET", f"/tables/{table}/view")).headers["etag"]
    await lose(database_url)
    await play_on(people, table, 1, random.Random(2))
    again = await people[0].ask("GET", f"/tables/{table}/view", headers={"if-none-match": etag})
    assert again.status_code == 200

"""Processes with one role each together make a complete service.

Work that one process leaves unfinished is continued by another.
"""
from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import NamedTuple

import httpx
import pytest

from ludarium.platform.config import ConfigError, read_config
from tests.support.blind_client import random_action
from tests.support.live_client import client
from tests.support.people import Json, Person, open_game
from tests.support.servers import LUDARIUM, ServerProcess
from tests.support.waiting import LIMIT, eventually


class House(NamedTuple):
    api: ServerProcess
    live: ServerProcess
    workers: list[ServerProcess]


@pytest.fixture(scope="module")
async def house(module_database_url: str, module_redis_url: str) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        async def made(roles: str) -> ServerProcess:
            server = ServerProcess(module_database_url, module_redis_url, roles=roles, rate_limits="false")
            return await stack.enter_async_context(server)

        api, live = await made("api"), await made("live")
        yield House(api, live, [await made("projections,bots,timers") for _ in range(2)])


async def asked(person: Person, table: str) -> Json:
    """Return the view once it is this person's turn or the game is over."""

    async def found() -> Json | None:
        view = await person.view(table)
        return view if view["choice"] or view["status"] != "playing" else None

    return await eventually(found)


async def act(person: Person, table: str, view: Json, luck: Random) -> None:
    answer = await person.command(table, view, random_action(view["choice"], luck))
    assert answer.status_code == 200, answer.text


async def test_roles_apart_are_one_house(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.api.api, timeout=LIMIT) as http, client(house.live.ws_port) as eve:
        ada, luck = await Person.arrive(http), Random(1)
        table = await open_game([ada], bots=("simple",))

        async def listed() -> bool:             # another process writes the projection
            found = (await http.get("/tables", params={"status": "playing"})).json()["tables"]
            return [one["id"] for one in found] == [table]

        await eventually(listed)
        watched = await eve.subscribe(table)
        for stopped in (None, *house.workers[:1]):
            if stopped is not None:
                await stopped.kill()
            for _ in range(4):
                await act(ada, table, await asked(ada, table), luck)
            await eve.until(watched, (await asked(ada, table))["seq"])


async def test_who_works_alone_says_that_it_is_well(house: House) -> None:
    async with httpx.AsyncClient(base_url=house.workers[1].http, timeout=LIMIT) as http:
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        assert (await http.get("/readyz")).json()["status"] == "ready"
        assert (await http.get("/api/v1/tables")).status_code == 404


def test_a_role_that_is_none_stops_the_start() -> None:
    with pytest.raises(ConfigError, match="LUDARIUM_ROLES: there is no role cook; there are api, live, projections"):
        read_config({"LUDARIUM_ROLES": "api,cook"})
    with pytest.raises(ConfigError, match="LUDARIUM_ROLES: name some of api"):
        read_config({"LUDARIUM_ROLES": ","})
    assert str(read_config({"LUDARIUM_ROLES": "live, api"}).roles) == "api,live"


def test_some_roles_alone_have_nobody_to_share_servers_with(tmp_path: object) -> None:
    run = subprocess.run(
        [LUDARIUM, "serve"], env={"LUDARIUM_ROLES": "live", "LUDARIUM_HOME": str(tmp_path)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 1 and "LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL must name what they share" in run.stderr

"""Players' own bots: marked as bots, and not counted as people."""

import asyncio
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from ludarium.accounts.bots import MAX_BOTS
from ludarium.http.rate_limits import BOT
from ludarium.live import personal
from ludarium.platform.problems import Problem
from ludarium.projections.bot_quota import MAX_TABLES_OF_BOT
from ludarium.server import Address
from ludarium.tables.model import seating
from ludarium.tables.model.endings import people
from ludarium.tables.model.events import Left
from ludarium.tables.model.lifecycle_events import PoliciesSet
from ludarium.tables.model.policies import Policies
from tests.api.test_live import port_of
from tests.support.entropy import suffix, uuid4
from tests.support.live_client import client
from tests.support.oauth import BACK, Flow
from tests.support.people import Json, Person, open_game, play_on
from tests.support.pure_games import Game
from tests.support.waiting import eventually, in_time

EXAMPLE = Path(__file__).parents[2] / "clients/python/examples/bot.py"
KINGDOMS = {"ruleset": "game-of-kingdoms", "seats": 2}
ROBOT = {"name": "Robot", "scopes": ["me:read", "tables", "play"]}


async def an_account(http: httpx.AsyncClient, name: str = "Ada") -> Person:
    guest, login = await Person.arrive(http, name), f"ada.{suffix().translate(str.maketrans('10', '23'))}"
    return Person(http, await guest.post("/me/account", {"login": login, "password": "seven green bottles"}))


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await an_account(http)


def as_person(http: httpx.AsyncClient, made: Json) -> Person:
    return Person(http, {"player": made["bot"], "token": made["token"]})


@pytest.fixture
async def robot(ada: Person, http: httpx.AsyncClient) -> Person:
    return as_person(http, await ada.post("/me/bots", ROBOT))


async def test_the_example_plays_a_whole_game(ada: Person, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal, "TICK", 0.02)                 # so that turns are pushed at once
    made = await ada.post("/me/bots", ROBOT)
    table = (await ada.post("/tables", KINGDOMS | {"policies": {"auto_start": True}}))["id"]
    await ada.post(f"/tables/{table}/seats", {"seat": 0})
    environment = os.environ | {"LUDARIUM_TOKEN": made["token"]}
    bot = await asyncio.create_subprocess_exec(sys.executable, EXAMPLE, server, table, env=environment)
    luck = random.Random(3)
    await play_on([ada], table, 10_000, luck)
    assert (await ada.get(f"/tables/{table}"))["status"] == "over"
    assert await in_time(bot.wait()) == 0


async def test_a_bot_is_shown_with_whose_it_is(ada: Person, robot: Person, http: httpx.AsyncClient) -> None:
    assert (await http.get(f"/players/{robot.id}")).json() == {
        "id": robot.id, "name": "Robot", "kind": "bot", "owner": ada.id, "deleted": False, "hides_history": False,
    }  # fmt: skip
    table = await open_game([ada, robot])
    for told in (await ada.get(f"/tables/{table}"), await ada.view(table), (await ada.get("/me/tables"))["tables"][0]["table"]):
        assert [seat["owner"] for seat in told["seats"]] == [None, ada.id]
    events = (await ada.get(f"/tables/{table}/events"))["events"]
    assert [event["data"].get("owner") for event in events if event["type"] == "seated"] == [None, ada.id]
    listed = [each for each in (await ada.get("/tables", status="playing"))["tables"] if each["id"] == table]
    assert [seat["owner"] for seat in listed[0]["seats"]] == [None, ada.id]


async def test_a_rematch_knows_it_again(ada: Person, robot: Person) -> None:
    table = await open_game([ada, robot])
    await robot.post(f"/tables/{table}/resign")
    again = await robot.post(f"/tables/{table}/rematch")
    await ada.post(f"/tables/{table}/rematch")
    assert [seat["owner"] for seat in (await ada.get(f"/tables/{again['id']}"))["seats"]] == [None, ada.id]


async def test_a_game_does_not_go_on_for_a_bot_when_the_last_person_has_gone(ada: Person, robot: Person) -> None:
    second = as_person(ada.http, await ada.post("/me/bots", ROBOT))
    table = await open_game([ada, robot, second])
    await ada.post(f"/tables/{table}/resign")
    assert (await ada.get(f"/tables/{table}"))["reason"] == "resigned"


async def test_bots_alone_do_not_begin_by_themselves_and_count_as_a_game_of_bots(ada: Person, robot: Person) -> None:
    table = (await ada.post("/tables", KINGDOMS | {"policies": {"auto_start": True}}))["id"]
    await ada.post(f"/tables/{table}/seats", {"bot": "random"})
    await robot.post(f"/tables/{table}/seats")
    assert (await ada.get(f"/tables/{table}"))["status"] == "open"


async def test_figures_leave_them_out(ada: Person, robot: Person) -> None:
    def counted(told: Json) -> list[int]:
        return [sum(result["places"]) for seats in told["by_seats"] for result in seats["results"] if result["bot"] is None]

    before = sum(counted(await ada.get("/rulesets/game-of-kingdoms/statistics")))
    table = await open_game([ada, robot])
    await play_on([ada, robot], table, 1000, random.Random(4))

    async def change() -> int:
        return sum(counted(await ada.get("/rulesets/game-of-kingdoms/statistics"))) - before

    assert await eventually(change) == 1


async def test_strangers_are_not_matched_with_them(robot: Person) -> None:
    wanted = KINGDOMS | {"policies": {"clock": {"type": "live", "bank": 300}}}
    assert (await robot.refused("POST", "/matches", wanted))["code"] == "people-only"


def test_rated_tables_are_for_people() -> None:
    game = Game("rated", "kemet", 2)
    game.append([PoliciesSet(Policies(rated=True)), Left(1)])
    assert seating.sit(game.history, "ben", None, b"")
    with pytest.raises(Problem, match="people-only"):
        seating.sit(game.history, "robot", None, b"", who=seating.Newcomer(owner="ben"))


def test_whose_bot_sits_there_is_in_the_log() -> None:
    game = Game("owned", "kemet", 2)
    game.append([Left(1)])
    game.append(seating.sit(game.history, "robot", 1, b"", who=seating.Newcomer(owner="ben")))
    game.again()
    assert game.history.lifecycle.owners == {1: "ben"} and people(game.history) == [0]
    game.append([Left(1)])
    assert game.history.lifecycle.owners == {}


async def test_what_a_bot_may_do_is_its_owners_word(ada: Person, http: httpx.AsyncClient) -> None:
    made = await ada.post("/me/bots", ROBOT | {"scopes": ["me:read"]})
    robot, table = as_person(http, made), (await ada.post("/tables", KINGDOMS))["id"]
    assert (await robot.refused("POST", f"/tables/{table}/seats", {}))["code"] == "insufficient-scope"
    renewed = await ada.post(f"/me/bots/{made['bot']['id']}/token", {"scopes": ["tables"]})
    assert (await robot.refused("GET", "/me"))["code"] == "invalid-token"
    await as_person(http, renewed).post(f"/tables/{table}/seats")
    assert [bot["scopes"] for bot in await ada.list("/me/bots")] == [["tables"]]
    assert (await ada.refused("POST", "/me/bots", ROBOT | {"scopes": ["me:write"]}))["code"] == "invalid-request"


async def test_bots_are_made_once_and_not_without_end(ada: Person) -> None:
    key = {"idempotency-key": uuid4().hex}
    first, again = [await ada.post("/me/bots", ROBOT, **key) for _ in range(2)]
    assert first == again
    for _ in range(MAX_BOTS - 1):
        await ada.post("/me/bots", ROBOT)
    assert (await ada.refused("POST", "/me/bots", ROBOT))["code"] == "too-many-bots"


async def test_a_guest_has_none_and_nobody_closes_anothers(ada: Person, robot: Person, http: httpx.AsyncClient) -> None:
    assert (await (await Person.arrive(http)).refused("POST", "/me/bots", ROBOT))["code"] == "account-needed"
    ben = await an_account(http, "Ben")
    assert (await ben.refused("DELETE", f"/me/bots/{robot.id}"))["code"] == "not-found"
    assert (await ben.refused("POST", f"/me/bots/{robot.id}/token", {"scopes": ["play"]}))["code"] == "not-found"


async def test_a_closed_bot_is_gone_and_its_socket_too(ada: Person, robot: Person, address: Address) -> None:
    async with client(port_of(address), robot.token) as socket:
        await ada.ask("DELETE", f"/me/bots/{robot.id}")
        assert await socket.until_closed() == 1008
    assert (await robot.refused("GET", "/me"))["code"] == "invalid-token"
    assert await ada.list("/me/bots") == []


async def test_bots_and_apps_go_with_their_owner(ada: Person, robot: Person, http: httpx.AsyncClient, address: Address) -> None:
    """The bot resigns its games, and its tables get another host.

    Tokens of the owner's apps stop working.
    """
    bea = await an_account(http, "Bea")
    flow = Flow(bea, (await ada.post("/me/apps", {"name": "Radar", "redirects": [BACK]}))["id"])
    given = (await flow.pair())["access_token"]
    game, opened = await open_game([bea, robot]), (await robot.post("/tables", KINGDOMS))["id"]
    for person in (robot, bea):
        await person.post(f"/tables/{opened}/seats")
    async with client(port_of(address), robot.token) as socket:
        await ada.ask("DELETE", "/me")
        assert await socket.until_closed() == 1008
    assert (await robot.refused("GET", "/me"))["code"] == "invalid-token"
    over = await until(bea, game, lambda table: table["status"] == "over")
    assert (over["reason"], over["outcome"]) == ("resigned", [1, 2])
    left = await until(bea, opened, lambda table: table["seats"][0]["player"] is None)
    assert (left["status"], left["host"]) == ("open", bea.id)
    assert not await flow.works(given) and (await flow.by_refresh("ludr_" + "A" * 43)).status_code == 400
    assert (await bea.list("/me/approvals"), (await bea.get(f"/players/{robot.id}"))["deleted"]) == ([], True)


async def test_a_table_is_handed_on_to_people_and_not_to_their_programs(robot: Person, http: httpx.AsyncClient) -> None:
    host, cyd = [await an_account(http, name) for name in ("Hal", "Cyd")]
    table = (await host.post("/tables", KINGDOMS))["id"]
    for person in (robot, cyd):
        await person.post(f"/tables/{table}/seats")
    await host.ask("DELETE", "/me")
    assert (await until(cyd, table, lambda now: now["host"] != host.id))["host"] == cyd.id


async def until(person: Person, table: str, so: Callable[[Json], bool]) -> Json:
    async def found() -> Json | None:
        table_now = await person.get(f"/tables/{table}")
        return table_now if so(table_now) else None

    return await eventually(found)


async def test_a_bot_has_limits_of_its_own(robot: Person) -> None:
    assert int((await robot.ask("GET", "/me")).headers["ratelimit-limit"]) == BOT.most
    answers = [await robot.ask("POST", "/tables", json=KINGDOMS) for _ in range(MAX_TABLES_OF_BOT + 1)]
    assert [answer.status_code for answer in answers] == [201] * MAX_TABLES_OF_BOT + [409]
    assert answers[-1].json()["code"] == "too-many-tables"

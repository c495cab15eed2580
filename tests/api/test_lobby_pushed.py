"""Lobby pushes: the current tables first, then changes, never private tables."""

from collections.abc import Callable
from contextlib import aclosing

import httpx

from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_personal import of, told
from tests.api.test_streams import lines
from tests.support.live_client import Client, client
from tests.support.people import Json, Person
from tests.support.waiting import within_limit

KINGDOMS: Json = {"ruleset": "game-of-kingdoms", "seats": 2}
PRIVATE: Json = {"spectators": {"who": "nobody"}, "join": "link"}


async def opened(person: Person, **wanted: object) -> str:
    table: str = (await person.post("/tables", KINGDOMS | wanted))["id"]
    return table


def shows(table: str, status: str = "open") -> Callable[[Json], bool]:
    return lambda news: news["type"] == "table" and news["data"]["id"] == table and news["data"]["status"] == status


def heard_of(one: Client) -> set[str]:
    return {news["data"]["id"] for news in one.notices if news["type"] == "table"}


async def test_tables_come_change_and_go(http: httpx.AsyncClient, address: Address) -> None:
    ada = await Person.arrive(http)
    early = await opened(ada)
    async with client(port_of(address)) as one:
        assert (await one.request("lobby", status="open", ruleset="game-of-kingdoms", seats=2))["ok"]
        first = await told(one, lambda news: news["type"] == "tables")
        assert first["sub"] == "lobby" and early in [table["id"] for table in first["data"]["tables"]]
        private, other = await opened(ada, policies=PRIVATE), await opened(ada, seats=3)
        late = await opened(ada)
        await told(one, shows(late))
        await ada.post(f"/tables/{late}/seats")
        await told(one, lambda news: news["data"].get("id") == late and news["data"]["seats"][0]["player"] == ada.id)
        assert (await ada.ask("DELETE", f"/tables/{late}")).is_success
        assert (await told(one, of("gone", late)))["data"] == {"table": late}
        assert heard_of(one).isdisjoint({private, other})
        async with within_limit(), aclosing(lines(http, "/lobby/stream?status=open&seats=3")) as stream:  # type: ignore[type-var]
            assert (await anext(stream))["data"]["tables"][0]["id"] == other


async def test_one_list_is_followed_at_a_time_and_left(http: httpx.AsyncClient, address: Address) -> None:
    ada = await Person.arrive(http)
    async with client(port_of(address)) as one:
        assert (await one.request("lobby", seats=2, status="open"))["ok"]
        assert (await one.request("lobby", seats=4, status="open"))["ok"]
        await told(one, lambda news: news["type"] == "tables")
        two, four = await opened(ada), await opened(ada, seats=4)
        await told(one, shows(four))
        assert two not in heard_of(one)
        assert (await one.request("unsubscribe", sub="lobby"))["ok"]
        assert (await one.request("unsubscribe", sub="lobby"))["problem"]["code"] == "not-found"


async def test_tables_of_friends_are_told_to_who_follows_them(http: httpx.AsyncClient, address: Address) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    async with client(port_of(address)) as nobody:
        assert (await nobody.request("lobby", friends=True))["problem"]["code"] == "unauthenticated"
    assert (await http.get("/lobby/stream", params={"friends": "true"})).json()["code"] == "unauthenticated"
    async with client(port_of(address), ada.token) as one:
        assert (await one.request("lobby", friends=True, status="open"))["ok"]
        table = await opened(bea)
        assert (await told(one, lambda news: news["type"] == "tables"))["data"] == {"tables": []}
        assert table not in heard_of(one)
        assert (await ada.ask("PUT", f"/me/follows/{bea.id}")).is_success
        await told(one, shows(table))

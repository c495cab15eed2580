"""A player's own notices: the present state first, then each change once."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

import httpx

from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_streams import lines
from tests.support.live_client import Client, client
from tests.support.people import Json, Person, end_early, open_game, play_on
from tests.support.waiting import eventually, within_limit


async def follow(one: Client) -> None:
    assert (await one.request("me"))["ok"]


async def told(one: Client, wanted: Callable[[Json], bool]) -> Json:
    """Wait for a matching notice, and return the first one."""
    return (await eventually(lambda: [notice for notice in one.notices if wanted(notice)]))[0]


def of(type: str, table: str) -> Callable[[Json], bool]:
    return lambda notice: notice["type"] == type and notice["data"]["table"] == table


async def test_a_player_is_told_of_games_and_turns_at_all_tables(http: httpx.AsyncClient, address: Address) -> None:
    ada, bea = await Person.arrive(http), await Person.arrive(http)
    async with client(port_of(address), ada.token) as one, client(port_of(address), bea.token) as two:
        await follow(one)
        await follow(two)
        table = await open_game([ada, bea], version="ruthless")
        started = await told(one, of("game_started", table))
        assert started == {
            "sub": "me", "type": "game_started", "data": {"table": table, "seat": 0, "ruleset": "game-of-kingdoms"}
        }  # fmt: skip
        asked = [seat for seat, person in enumerate((ada, bea)) if (await person.view(table))["choice"]]
        turn = await told((one, two)[asked[0]], of("your_turn", table))
        assert turn["data"]["seat"] == asked[0]
        assert turn["data"]["since"] == (await (ada, bea)[asked[0]].view(table))["choice"]["since"]
        await end_early([ada, bea], table, 8, random.Random(2))
        for each in (one, two):
            await told(each, of("game_ended", table))
            assert len([notice for notice in each.notices if of("game_started", table)(notice)]) == 1


async def test_who_comes_anew_is_told_how_things_stand(http: httpx.AsyncClient, address: Address) -> None:
    ada = await Person.arrive(http)
    tables = {await open_game([ada], bots=("simple",)) for _ in range(2)}
    async with client(port_of(address), ada.token) as early:
        await follow(early)
        for table in tables:
            await told(early, of("game_started", table))
        async with within_limit(), aclosing(lines(http, "/me/stream", **ada.headers)) as stream:  # type: ignore[type-var]
            assert {news["data"]["table"] for news in [await started(stream), await started(stream)]} == tables


async def started(stream: AsyncIterator[Json]) -> Json:
    while (news := await anext(stream))["type"] != "game_started":
        assert news["type"] == "your_turn"
    return news


async def test_where_it_is_ones_turn_is_told_as_a_whole_the_next_game_first(
    http: httpx.AsyncClient, address: Address
) -> None:
    ada, bea = people = [await Person.arrive(http), await Person.arrive(http)]
    async with client(port_of(address), ada.token) as one, client(port_of(address), bea.token) as two:
        for each in (one, two):
            await follow(each)
            assert (await told(each, lambda news: news["type"] == "turns"))["data"] == {"turns": []}
        tables = [await with_days(people, days) for days in (9, 2, 5)]
        for person, each in ((ada, one), (bea, two)):
            await settled(each, await turns_of(person))
        await play_on(people, tables[1], 1, random.Random(1))
        for person, each in ((ada, one), (bea, two)):
            await settled(each, await turns_of(person))
    async with client(port_of(address), ada.token) as again:
        await follow(again)
        await settled(again, await turns_of(ada))


async def with_days(people: list[Person], days: int) -> str:
    """Start a game of two with a turn-based clock."""
    policies = {"clock": {"type": "turn-based", "days": days}, "auto_start": True}
    wanted = {"ruleset": "game-of-kingdoms", "seats": 2, "policies": policies}
    table: str = (await people[0].post("/tables", wanted))["id"]
    for person in people:
        await person.post(f"/tables/{table}/seats")
    return table


async def turns_of(person: Person) -> list[Json]:
    """Return the person's turns, as the list of their tables has them."""
    found = (await person.get("/me/tables", your_turn="true", order="deadline"))["tables"]
    assert [own["deadline"] for own in found] == sorted(own["deadline"] for own in found)
    return [
        {"table": own["table"]["id"], "ruleset": own["table"]["ruleset"]}
        | {name: own[name] for name in ("seat", "since", "deadline")} for own in found
    ]  # fmt: skip


async def settled(one: Client, turns: list[Json]) -> None:
    """Wait until the newest pushed list of turns is this one."""
    await eventually(lambda: [news["data"]["turns"] for news in one.notices if news["type"] == "turns"][-1:] == [turns])


async def test_oneself_is_followed_once_and_left(http: httpx.AsyncClient, address: Address) -> None:
    ada = await Person.arrive(http)
    async with client(port_of(address), ada.token) as one:
        await follow(one)
        assert (await one.request("me"))["problem"]["code"] == "already-subscribed"
        assert (await one.request("unsubscribe", sub="me"))["ok"]
        table = await open_game([ada], bots=("simple",))
        await one.until(await one.subscribe(table), 3)
        await follow(one)
        await told(one, of("game_started", table))


async def test_nobody_in_particular_has_no_news(http: httpx.AsyncClient, address: Address) -> None:
    assert (await http.get("/me/stream")).json()["code"] == "unauthenticated"
    async with client(port_of(address)) as eve:
        assert (await eve.request("me"))["problem"]["code"] == "unauthenticated"

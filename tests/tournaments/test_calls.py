"""Notices to players about tables, pauses, check-in, rulings and featured tables."""
from __future__ import annotations

import time
from collections.abc import Callable

import httpx

from ludarium.platform.database import Database
from ludarium.server import Address
from tests.api.test_live import port_of
from tests.api.test_personal import follow, told
from tests.support.live_client import client
from tests.support.people import Json, Person
from tests.support.tournaments import SWISS, Event, event_of, host_of, key, plan, players_of


def call(type: str, event: Event, **data: object) -> Callable[[Json], bool]:
    def fits(notice: Json) -> bool:
        said = notice["data"]
        return bool(notice["type"] == type and {"tournament": event.id, **data}.items() <= said.items())

    return fits


async def test_a_player_is_told_of_the_next_table_of_pauses_and_of_rulings(
    http: httpx.AsyncClient, base: Database, address: Address
) -> None:
    event = await event_of(http, base, 3)
    told_now = await event.published()
    (table,), (idle,) = told_now["tables"], told_now["byes"]
    ada = event.seated(table)[0]
    async with client(port_of(address), ada.token) as one, client(port_of(address), event.people[idle].token) as two:
        await follow(one)
        await follow(two)
        news = await told(one, call("next_table", event, table=table["table"], paused=False))
        mine = await ada.get(f"{event.path}/me")
        assert {name: mine[name] for name in ("stage", "round", "board", "table", "starts_at", "ends_at", "paused", "bye")} == {
            name: value for name, value in news["data"].items() if name != "tournament"
        }
        await told(two, call("next_table", event, bye=True, table=None))
        await event.act("/pause", (await event.body())["paused_seq"], reason="Lunch")
        await told(one, call("next_table", event, table=table["table"], paused=True))
        await event.act("/resume", (await event.body())["paused_seq"])
        path = f"{event.round_path(1, 1)}/tables/1"
        await event.act(f"{path}/rulings", (await event.round(1, 1))["tables"][0]["seq"], verdict="void", reason="A fault")
        await told(one, call("ruling", event, table=table["table"], verdict="void"))
        assert not [notice for notice in two.notices if notice["type"] == "ruling"]
    assert await listed(ada, event) == {"ruling": (1, 1, table["table"])}
    assert await listed(event.people[idle], event) == {"round": (1, None, None)}


async def listed(person: Person, event: Event) -> dict[str, tuple[int, int | None, str | None]]:
    """Return round, board and table of the person's notices from a tournament, by kind."""
    notices = [each for each in (await person.get("/me/notices"))["notices"] if each["tournament"] == event.id]
    return {each["kind"]: (each["round"], each["board"], each["table"]) for each in notices}


async def test_a_player_is_told_that_one_can_check_in_until_it_is_done(
    http: httpx.AsyncClient, base: Database, address: Address
) -> None:
    starts_at = int(time.time()) + 3600
    event = await Event.set_up(await host_of(http, base, "Klara"), plan(SWISS, starts_at=starts_at, check_in=3600 * 2))
    await event.opened()
    await event.enter(await players_of(http, base, 1))
    ada = event.people[1]
    assert (await ada.get(f"{event.path}/me"))["check_in"]
    async with client(port_of(address), ada.token) as one:
        await follow(one)
        await told(one, call("check_in", event))
    assert [*await listed(ada, event)] == ["check_in"]
    await ada.patiently("POST", f"{event.path}/check-in", headers=key())
    assert (await ada.get(f"{event.path}/me"))["check_in"] is None
    assert await listed(ada, event) == {}


async def test_featured_tables_are_in_the_list_while_their_round_is_played(http: httpx.AsyncClient, base: Database) -> None:
    event = await event_of(http, base, 2)
    round = await event.published()
    table, path = round["tables"][0], f"{event.path}{event.round_path(1, 1)}/tables/1/featured"
    body = {"expected_seq": table["seq"], "featured": True}
    assert (await event.host.patiently("PUT", path, json=body, headers=key())).status_code == 200
    assert await featured(event) == [table["table"]]
    await event.close(await event.play(1, 1))
    assert await featured(event) == []


async def featured(event: Event) -> list[str]:
    listed = (await event.host.get("/tournaments"))["tournaments"]
    return next(each["featured"] for each in listed if each["id"] == event.id)

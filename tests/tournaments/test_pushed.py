"""Tournament events are pushed once and in order, over WebSocket and over HTTP."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from ludarium.platform.database import Database
from ludarium.server import Address
from ludarium_client import AsyncClient, Client
from tests.api.test_streams import lines
from tests.support.people import Json
from tests.support.tournaments import SWISS, Event, host_of, plan, players_of
from tests.support.waiting import within_limit

ONE_ROUND = {**SWISS, "rounds": 1}


async def an_event(http: httpx.AsyncClient, base: Database, name: str) -> Event:
    """Set up an open tournament."""
    event = await Event.set_up(await host_of(http, base, name), plan(ONE_ROUND))
    await event.opened()
    return event


async def first(rows: AsyncIterator[Any], many: int) -> list[Any]:
    async with within_limit():
        return [await anext(rows) for _ in range(many)]


async def test_every_row_is_told_once_and_in_order(http: httpx.AsyncClient, base: Database, address: Address) -> None:
    event = await an_event(http, base, "Pia")
    async with AsyncClient(address.http) as client, aclosing(client.tournaments.follow(event.id)) as socket, \
            aclosing(lines(http, f"{event.path}/rows?after=0")) as stream:      # type: ignore[type-var]
        early = await first(socket, 2)
        assert [row.type for row in early] == ["tournament_opened", "status"] and (await first(stream, 1))[0]["seq"] == 1
        await event.enter(await players_of(http, base, 4))
        await event.closed()
        await event.published()
        over_socket, over_http = await first(socket, 7), await first(stream, 7)
    rows = (await event.host.get(f"{event.path}/stream"))["rows"]
    assert [(row.seq, row.type, row.head) for row in over_socket] == [
        (row["seq"], row["type"], row["hash"][:16]) for row in rows[2:9]
    ]
    assert [row["data"] for row in over_http] == [{"at": row["at"], **row["row"]} for row in rows[2:9]]
    assert over_socket[-1].type == "round_published" and over_socket[-1].sub == f"tournament:{event.id}"


async def test_without_asyncio_from_where_one_left_off(http: httpx.AsyncClient, base: Database, address: Address) -> None:
    event = await an_event(http, base, "Pat")

    def newest() -> int:
        with Client(address.http) as client:
            return next(client.tournaments.follow(event.id, after=0)).seq

    assert await asyncio.to_thread(newest) == 1


async def test_what_cannot_be_followed_is_refused(http: httpx.AsyncClient, base: Database, address: Address) -> None:
    event = await an_event(http, base, "Pam")
    assert (await event.host.refused("GET", f"/tournaments/{'0' * 26}/rows"))["code"] == "not-found"
    assert (await event.host.refused("GET", f"{event.path}/rows?after=99"))["code"] == "future-sequence"
    async with connect(address.ws) as socket:
        assert (await asked(socket, "hello"))["ok"]
        assert (await asked(socket, "tournament", tournament="0" * 26))["problem"]["code"] == "not-found"
        assert (await asked(socket, "tournament", tournament=event.id, after=1))["ok"]
        again = await asked(socket, "tournament", tournament=event.id)
        assert again["problem"]["code"] == "already-subscribed"
        assert (await asked(socket, "unsubscribe", sub=f"tournament:{event.id}"))["ok"]
        assert (await asked(socket, "unsubscribe", sub=f"tournament:{event.id}"))["problem"]["code"] == "not-found"


async def asked(socket: ClientConnection, type: str, **members: Any) -> Json:
    await socket.send(msgspec.json.encode({"id": type, "type": type, **members}).decode())
    answer: Json = msgspec.json.decode(await socket.recv())
    return answer

"""The Python client on connections that are cut, and at servers that stop."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from ludarium.platform.config import Config
from ludarium.server import running
from ludarium_client import AsyncClient, Client, Reset, Unreachable, at_random
from ludarium_client.bodies import ActedEvent, ActionBody, LeftEvent, SeatedEvent, TableEvent, TableView
from tests.clients.test_games import opened, outcome, watched
from tests.live.proxy import Proxy, bad_line
from tests.support import ports
from tests.support.entropy import ENTROPY
from tests.support.waiting import in_time

LONGEST = 12_000
"""Bytes per connection: enough for a view, too few for a game."""


class Line(NamedTuple):
    """A server with bad connections to its WebSocket and, optionally, its HTTP port."""

    server: str
    http: Proxy
    live: Proxy

    @property
    def bad(self) -> str:
        return f"http://127.0.0.1:{self.http.port}"


@pytest.fixture
async def line(module_database_url: str, module_redis_url: str) -> AsyncIterator[Line]:
    async with bad_server(module_database_url, module_redis_url, cuts=60) as line:
        yield line


@asynccontextmanager
async def bad_server(database_url: str, redis_url: str, cuts: int) -> AsyncIterator[Line]:
    seed, targets = ENTROPY.random("seed").randrange(10**6), list[int]()
    print("seed", seed)
    async with bad_line(targets, cuts, seed, LONGEST) as live:
        config = Config(port=0, ws_port=0, ws_url=f"ws://127.0.0.1:{live.port}/", rate_limits=False)
        async with running(config, database_url, redis_url, ENTROPY) as where:
            targets.append(where.ws_port)
            port = urlsplit(where.http).port or 0
            async with bad_line([port], cuts, seed, LONGEST) as http:
                yield Line(where.http, http, live)


async def test_a_game_over_lines_that_are_cut_at_any_byte_is_played_as_over_good_ones(line: Line) -> None:
    """Every event is seen once and in order, and no command is applied twice."""
    async with AsyncExitStack() as stack:
        people = [await stack.enter_async_context(AsyncClient(line.server)) for _ in range(2)]
        table = await opened(people, "game-of-kingdoms")
        far = [await stack.enter_async_context(AsyncClient(line.bad, person.token)) for person in people]
        players = [Counting(person, table) for person in far]
        eve = await stack.enter_async_context(AsyncClient(line.bad))
        async with asyncio.TaskGroup() as group:
            games = [group.create_task(player.play()) for player in players]
            watcher = group.create_task(watched(eve, table))
        log = (await people[0].events(table, limit=1000)).events
    assert outcome(games[0].result()) == outcome(games[1].result())
    assert [event.seq for event in watcher.result()] == [event.seq for event in log]
    for seat, player in enumerate(players):
        acted = [event for event in log if isinstance(event, ActedEvent) and event.data.seat == seat]
        assert 0 < len(acted) <= player.answers
    assert line.http.cuts and line.live.cuts


class Counting:
    """A player who answers at random and counts the answers."""

    def __init__(self, person: AsyncClient, table: str) -> None:
        self.answers = 0
        self._person, self._table = person, table
        self._choose = at_random(random.Random(1))

    async def play(self) -> TableView:
        return await self._person.play(self._table, self.answer)

    def answer(self, view: TableView) -> ActionBody:
        self.answers += 1
        return self._choose(view)


async def test_without_asyncio_too(line: Line) -> None:
    async with AsyncClient(line.server) as ada, AsyncClient(line.server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        async with asyncio.TaskGroup() as group:
            group.create_task(bea.play(table, at_random(random.Random(2))))
            played = group.create_task(asyncio.to_thread(play_blocking, line.bad, ada.token, table))
        assert len(played.result()) == len((await ada.events(table, limit=1000)).events)


def play_blocking(server: str, token: str | None, table: str) -> list[TableEvent | Reset]:
    with Client(server, token) as client:
        client.play(table, at_random(random.Random(3)))
        return list(client.follow(table))


async def test_the_same_key_acts_once(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        view = next(view for view in [await ada.view(table), await bea.view(table)] if view.choice)
        player, choose = (ada, bea)[view.viewer or 0], at_random(random.Random(4))
        action = choose(view)
        answers = [await player.submit(table, view.seq, action, key="once") for _ in range(3)]
        assert [answer.seq for answer in answers] == 3 * [view.seq + 1]
        assert (await ada.table(table)).seq == view.seq + 1


async def test_a_follower_moves_on_when_its_server_stops(module_database_url: str, module_redis_url: str) -> None:
    targets, urls = list[int](), (module_database_url, module_redis_url)
    async with bad_line(targets, cuts=0, seed=0) as live, AsyncExitStack() as staying, AsyncExitStack() as leaving:
        config = Config(port=0, ws_port=0, ws_url=f"ws://127.0.0.1:{live.port}/")
        stays = await staying.enter_async_context(running(config, *urls, ENTROPY))
        leaves = await leaving.enter_async_context(running(config, *urls, ENTROPY))
        targets += [stays.ws_port, leaves.ws_port]
        ada = await staying.enter_async_context(AsyncClient(stays.http))
        await ada.guest()
        table = (await ada.create_table("game-of-kingdoms", seats=2)).id
        events = await staying.enter_async_context(ada.follow(table))
        assert [(await anext(events)).seq for _ in range(2)] == [0, 1]
        async with asyncio.TaskGroup() as group:
            group.create_task(leaving.aclose())
            following = group.create_task(anext(events))
            await ada.sit(table)
        assert isinstance(following.result(), SeatedEvent)


async def test_a_loop_over_events_may_be_left_and_taken_up_again(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        table = await opened([ada, bea], "game-of-kingdoms")
        events = ada.follow(table)
        async for event in events:
            if event.seq == 1:
                break
        begun = asyncio.Event()

        async def go_on() -> None:
            async for event in events:
                assert event.seq <= 4
                if event.seq == 4:
                    begun.set()

        loop = asyncio.create_task(go_on())
        await in_time(begun.wait())             # from here on it waits for a move
        loop.cancel()
        with pytest.raises(asyncio.CancelledError):
            await loop
        end = await play_out([ada, bea], table)
        assert [event.seq async for event in events] == list(range(5, end.seq + 1))


async def play_out(people: list[AsyncClient], table: str) -> TableView:
    ends = [person.play(table, at_random(random.Random(nth))) for nth, person in enumerate(people)]
    return (await asyncio.gather(*ends))[0]


async def test_who_gives_up_a_seat_goes_on_as_a_spectator(server: str) -> None:
    async with AsyncClient(server) as ada, AsyncClient(server) as bea:
        await ada.guest()
        await bea.guest()
        table = (await ada.create_table("game-of-kingdoms", seats=2)).id
        await ada.sit(table)
        async with ada.follow(table) as events:
            assert [(await anext(events)).seq for _ in range(3)] == [0, 1, 2]
            await ada.leave(table, seat=0)
            await bea.sit(table)
            assert [type(await anext(events)) for _ in range(2)] == [LeftEvent, SeatedEvent]


async def test_nobody_there() -> None:
    async with AsyncClient(f"http://127.0.0.1:{ports.reserve()}", patience=0.1) as ada:
        with pytest.raises(Unreachable) as lost:
            await ada.rulesets()
    assert not lost.value.sent

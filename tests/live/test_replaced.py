"""Gateway processes that replace each other during a game."""

import asyncio
import random

from ludarium_client import AsyncClient
from tests.live.ears import Ear, all_told, followed, listening, most_told, sockets
from tests.live.game import check_heard, game_at
from tests.live.proxy import good_line
from tests.support.entropy import ENTROPY
from tests.support.servers import ServerProcess
from tests.support.waiting import in_time

MOST = 100
"""Moves during the replacement; the game is longer."""


async def test_a_gateway_that_stops_sends_its_clients_to_the_next_and_they_miss_nothing(
    database_url: str, redis_url: str
) -> None:
    seed, ports = ENTROPY.random("seed").randrange(10**6), list[int]()
    print("seed", seed)
    urls = database_url, redis_url
    async with (
        good_line(ports) as line,
        ServerProcess(*urls, ws_url=f"ws://127.0.0.1:{line.port}/") as server,
        ServerProcess(*urls, roles="live") as first,
        ServerProcess(*urls, roles="live") as second,
        game_at([server], random.Random(seed)) as game,
        AsyncClient(server.http, game.people[0].token) as client,
    ):
        ports.append(first.ws_port)
        people = [None, *game.people] * 4
        bare = [Ear(who, sockets(line.port, game.table, who.token if who else None)) for who in people]
        ears = [*bare, Ear(game.people[0], followed(client, game.table))]
        async with listening(ears):
            await all_told(ears, await game.move())
            assert line.connections == len(ears)
            ports[:] = [second.ws_port]
            stopping = asyncio.create_task(first.stop())
            for _ in range(MOST):
                await most_told(ears, last := await game.move())
                if stopping.done():
                    break
            assert await in_time(stopping) == 0
            await all_told(ears, last)
        assert line.connections == 2 * len(ears)
        assert all(ear.notices.count("going-away") == 1 for ear in bare)
        await check_heard(server, ears, game.table)

"""Clients of two servers on one Valkey, with connections that are cut at any byte."""

from contextlib import AsyncExitStack
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from ludarium_client import AsyncClient
from tests.live.ears import Ear, all_told, followed, listening, most_told, sockets
from tests.live.game import Game, check_heard, game_at
from tests.live.proxy import Proxy, bad_line
from tests.support.servers import two_servers

LONGEST = 40_000
"""The most bytes that a connection passes before it is cut."""
MOST = 220
"""The most moves until all cuts are made; the game is longer."""


class Cuts(NamedTuple):
    """The result of a run with cuts."""

    clients: int
    cuts: int
    connections: int
    events: int

    def __str__(self) -> str:
        return (
            f"{self.clients} clients at two servers, {self.cuts} cuts, {self.connections} connections: "
            f"each has heard {self.events} events, once and in order"
        )


async def cut_off(database_url: str, redis_url: str, clients: int, cuts: int, seed: int) -> Cuts:
    """Play until enough connections were cut, then check that clients missed nothing.

    Two of the clients are Python clients.
    """
    ports: list[int] = []
    async with (
        bad_line(ports, cuts, seed, LONGEST) as line,
        two_servers(database_url, redis_url, ws_url=f"ws://127.0.0.1:{line.port}/") as servers,
        game_at(servers, Random(seed)) as game,
        AsyncExitStack() as stack,
    ):
        ports += [server.ws_port for server in servers]
        ears = bare(line, game, clients - len(servers))
        for server, who in zip(servers, game.people, strict=True):
            client = await stack.enter_async_context(AsyncClient(server.http, who.token))
            ears.append(Ear(who, followed(client, game.table)))
        async with listening(ears):
            last = await played_until(line, cuts, game, ears)
            await all_told(ears, last)
        await check_heard(servers[0], ears, game.table)
    assert line.cuts == cuts
    return Cuts(len(ears), line.cuts, line.connections, last + 1)


def bare(line: Proxy, game: Game, count: int) -> list[Ear]:
    """Return clients with plain WebSockets.

    Each player has one in turn, followed by a spectator.
    """
    people = islice(cycle([*game.people, None]), count)
    return [Ear(who, sockets(line.port, game.table, who.token if who else None)) for who in people]


async def played_until(line: Proxy, cuts: int, game: Game, ears: list[Ear]) -> int:
    """Play until all cuts are made, and return the number of the last event."""
    for _ in range(MOST):
        last = await game.move()
        if line.cuts == cuts:
            return await game.move()
        await most_told(ears, last)
    raise AssertionError(f"{line.cuts} cuts in {last} events")

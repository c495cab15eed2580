"""Clients of two real servers on one Valkey, whose lines are cut at any byte while a game goes on."""

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
"""Bytes that a connection passes at most before it is cut."""
MOST = 220
"""Moves; the game goes on longer."""


class Cuts(NamedTuple):
    """How it went."""

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
    """A game that goes on until so many lines were cut; then everybody has heard all of it, two by the Python client."""
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
    """Bare WebSockets, of each seat and of spectators."""
    people = islice(cycle([*game.people, None]), count)
    return [Ear(who, sockets(line.port, game.table, who.token if who else None)) for who in people]


async def played_until(line: Proxy, cuts: int, game: Game, ears: list[Ear]) -> int:
    """The number of the event that came after the last cut."""
    for _ in range(MOST):
        last = await game.move()
        if line.cuts == cuts:
            return await game.move()
        await most_told(ears, last)
    raise AssertionError(f"{line.cuts} cuts in {last} events")

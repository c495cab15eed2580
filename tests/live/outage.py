"""Kill or freeze Valkey during a game at two servers, and check all clients."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import monotonic
from typing import NamedTuple

import httpx
import redis.asyncio

from ludarium.live import channel
from ludarium.live.hub import REDIS_GRACE
from ludarium_client import AsyncClient
from tests.api.test_streams import events, lines
from tests.faults.liveness import in_words, plays_again
from tests.live.ears import Ear, all_told, followed, listening, socket
from tests.live.game import Game, check_heard, game_at
from tests.live.proxy import Proxy, good_line
from tests.support.servers import ServerProcess, two_servers
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT, eventually

CAUGHT_UP = 5.0
"""Seconds within which clients get moves without Valkey, on a quiet machine."""
RESUMES = 30.0
"""Seconds within which push works again, on a quiet machine."""
SOCKETS = 6
"""The number of clients with plain sockets."""
BURST = 5
"""Moves between two waits for the clients."""


class Fault(NamedTuple):
    """A fault of Valkey, with the functions that begin and end it."""

    name: str
    begin: Callable[[Valkey], Awaitable[None]]
    end: Callable[[Valkey], Awaitable[None]]


KILLED = Fault("killed", Valkey.kill, Valkey.start)
HANGING = Fault("hanging", Valkey.freeze, Valkey.thaw)


class Outage(NamedTuple):
    """The measurements of an outage.

    Attributes:
        latest: The longest time, in seconds, from sending a move until the last client received it.
        resumed: Seconds from the return of Valkey until a move was pushed again.
        accepted: For each server, the seconds at the end until it accepted a command at a new table.
    """

    fault: str
    seconds: float
    moves: int
    latest: float
    resumed: float
    ears: int
    accepted: float

    def __str__(self) -> str:
        return (
            f"Valkey {self.fault} for {self.seconds:.1f} s: {self.moves} moves accepted, {self.ears} watchers caught up within "
            f"{self.latest:.2f} s; pushed again {self.resumed:.2f} s after its return; no line was lost; "
            f"{in_words(self.accepted)}"
        )


async def outage(
    database_url: str, valkey: Valkey, seconds: float, moves: int, seed: int, fault: Fault = KILLED
) -> Outage:
    """Play without Valkey for at least `seconds` and `moves`."""
    async with scene(database_url, valkey.url, seed) as (servers, game, ears):
        await played(game, ears, BURST)
        await pushed(game, ears, valkey.url)
        gone = monotonic()
        await fault.begin(valkey)
        made = await dark(game, ears, seconds, moves)
        assert [await ready(server) for server in servers] == [(True, False)] * 2
        slowest = max(latest(game, ears).values())
        back = monotonic()
        await fault.end(valkey)
        await pushed(game, ears, valkey.url)
        resumed = monotonic() - back
        await played(game, ears, BURST)
        accepted = max([await plays_again(server.api) for server in servers])
    return Outage(fault.name, back - gone, made, slowest, resumed, len(ears), accepted)


@asynccontextmanager
async def scene(database_url: str, redis_url: str, seed: int) -> AsyncIterator[tuple[list[ServerProcess], Game, list[Ear]]]:
    """Start two servers, a game and its clients.

    At the end, check that each client has all events and that no socket was opened twice.
    """
    ports: list[int] = []
    async with (
        good_line(ports) as line,
        two_servers(database_url, redis_url, ws_url=f"ws://127.0.0.1:{line.port}/") as servers,
        game_at(servers, Random(seed)) as game,
        AsyncExitStack() as stack,
    ):
        ports += [server.ws_port for server in servers]
        ears = await watchers(servers, line, game, stack)
        async with listening(ears):
            yield servers, game, ears
        assert line.connections == SOCKETS
        await check_heard(servers[0], ears, game.table)


def latest(game: Game, ears: Iterable[Ear]) -> dict[int, float]:
    """Return, for each move, the seconds from sending it until the last client had it."""
    return {seq: max(ear.times[seq] for ear in ears) - sent for seq, sent in game.sent.items()}


async def dark(game: Game, ears: list[Ear], seconds: float, moves: int) -> int:
    """Play without Valkey for the given time and moves.

    Returns:
        The number of moves.
    """
    began, made = monotonic(), 0
    while monotonic() < began + seconds or made < moves:
        await played(game, ears, BURST)
        made += BURST
    return made


async def played(game: Game, ears: list[Ear], moves: int) -> None:
    for _ in range(moves):
        seq = await game.move()
    await all_told(ears, seq)


async def pushed(game: Game, ears: list[Ear], redis_url: str) -> None:
    """Wait until both processes are subscribed and a move arrives by push."""
    async with redis.asyncio.from_url(redis_url) as client:
        await eventually(lambda: both_listen(client, game.table))

    async def quick() -> bool:
        await played(game, ears, 1)
        return latest(game, ears)[max(game.sent)] < REDIS_GRACE

    await eventually(quick)


async def both_listen(client: redis.asyncio.Redis, table: str) -> bool:
    told = await client.pubsub_shardnumsub(channel.of_table(table).decode())
    return int(told[0][1]) == 2


async def ready(server: ServerProcess) -> tuple[bool, bool]:
    """Return whether the server is ready, and whether it can reach Valkey."""
    async with httpx.AsyncClient(timeout=LIMIT) as http:
        answer = await http.get(f"{server.http}readyz")
    return answer.status_code == 200, answer.json()["redis"]


async def watchers(servers: list[ServerProcess], line: Proxy, game: Game, stack: AsyncExitStack) -> list[Ear]:
    """Connect players and spectators to both servers, in every way to follow a table."""
    table, people, http = game.table, game.people, stack.enter_async_context
    ways = [await http(httpx.AsyncClient(base_url=server.api, timeout=LIMIT)) for server in servers]
    clients = [await http(AsyncClient(server.http, who.token)) for server, who in zip(servers, people, strict=True)]
    path = f"/tables/{table}/stream"
    return [
        *[Ear(None, socket(line.port, table)) for _ in servers],
        *[Ear(who, socket(line.port, table, who.token)) for who in people],
        *[Ear(who, followed(client, table)) for who, client in zip(people, clients, strict=True)],
        *[Ear(None, lines(way, path)) for way in ways],
        *[Ear(who, events(way, path, **who.headers)) for who, way in zip(people, ways, strict=True)],
    ]

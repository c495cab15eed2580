"""Promotions of lagging standbys under load.

Clients must continue from the events that are left.
"""
from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

import httpx
import msgspec

from ludarium.embedded.postgres import make_database
from ludarium_client import AsyncClient
from tests.faults.kills import verified
from tests.faults.liveness import plays_again
from tests.faults.standby import Node, Row
from tests.faults.tables import PAUSE, Away
from tests.live.ears import LOST, socket
from tests.support.blind_client import random_action
from tests.support.people import Json, Person, fine, open_game
from tests.support.servers import ServerProcess, two_servers
from tests.support.store_proxy import Proxy, proxy
from tests.support.valkey import Valkey
from tests.support.waiting import LIMIT

PLAY = 4.0                                      # seconds before the standby lags, and after each promotion
LAG = 1.5                                       # seconds for which it lags
WATCHED = 4                                     # number of watched tables
PACE = 0.8                                      # seconds between two commands at a table, at most
CAUGHT_UP = 30.0                                # seconds within which all clients reach the end of the log
SHORT_LINE = 40                                 # events after which some of the clients reconnect
SSE = {"accept": "text/event-stream"}
DOWN = (Away, httpx.TransportError)


class Told(NamedTuple):
    """An acknowledged event with the time of the acknowledgement."""

    row: Row
    at: float


class Promotion(NamedTuple):
    at: float
    had: set[Row]


class Play:
    """Two people at a table who use different servers.

    `told` has the acknowledged events.
    """

    def __init__(self, table: str, people: list[Person], luck: Random, told: list[Told]) -> None:
        self.table, self.people, self.luck, self.told = table, people, luck, told

    async def run(self, stop: asyncio.Event) -> None:
        for person in cycle(self.people):
            if stop.is_set() or await self.over(person):
                return
            await asyncio.sleep(self.luck.uniform(0, PACE))

    async def over(self, person: Person) -> bool:
        """Answer a question if there is one, and return whether the game is over.

        Requests are not retried.
        """
        try:
            view = settled(await person.ask("GET", f"/tables/{self.table}/view"))
            if view.get("choice"):
                self.took(settled(await person.command(self.table, view, random_action(view["choice"], self.luck))))
        except DOWN:
            await asyncio.sleep(PAUSE)
            return False
        return bool(view["status"] == "over")

    def took(self, answer: Json) -> None:
        for event in answer.get("events", []) if "code" not in answer else []:
            self.told.append(Told((self.table, event["seq"], event["head"]), monotonic()))


def settled(answer: httpx.Response) -> Json:
    if answer.status_code == 503:
        raise Away
    found: Json = answer.json()
    assert answer.status_code < 500, answer.text
    return found


class Watcher:
    """A spectator.

    `heard` has the heads of all events since the last reset, `view` the latest view.
    """

    def __init__(self, name: str, events: Callable[[Watcher], AsyncGenerator[Json]]) -> None:
        self.name, self.resets, self.seq = name, 0, -1
        self.head: str | None = None
        self.view: Json = {}
        self.heard: dict[int, str] = {}
        self._events = events

    async def listen(self) -> None:
        while True:
            try:
                async with aclosing(self._events(self)) as events:
                    async for event in events:
                        if "seq" in event:
                            self.take(event)
            except (*LOST, *DOWN):
                await asyncio.sleep(PAUSE)

    def take(self, event: Json) -> None:
        view = event.get("data", {}).get("view")
        if event["type"] == "reset":
            self.resets += 1
            self.heard.clear()
        else:
            assert event["seq"] == self.seq + 1, f"{self.name}: {event['seq']} came behind {self.seq}"
        self.seq, self.head = event["seq"], view["head"] if event["type"] == "reset" else event["head"]
        self.heard[self.seq] = str(self.head)
        self.view = view or self.view


def watchers(
    servers: list[ServerProcess], table: str, ways: list[httpx.AsyncClient], clients: list[AsyncClient]
) -> list[Watcher]:
    """Create a spectator of each kind at both servers."""
    made = []
    for nth, (server, http, client) in enumerate(zip(servers, ways, clients, strict=True)):
        made += [
            Watcher(f"socket at {nth}", lambda w, port=server.ws_port: socket(port, table, None, w.seq, w.head)),  # type: ignore[misc]
            Watcher(f"lines at {nth}", lambda w, http=http: streamed(http, table, w)),  # type: ignore[misc]
            Watcher(f"short lines at {nth}", lambda w, http=http: streamed(http, table, w, most=SHORT_LINE)),  # type: ignore[misc]
            Watcher(f"events at {nth}", lambda w, http=http: streamed(http, table, w, headers=SSE)),  # type: ignore[misc]
            Watcher(f"Python client at {nth}", lambda w, client=client: followed(client, table, w)),  # type: ignore[misc]
        ]
    return made


async def streamed(
    http: httpx.AsyncClient, table: str, watcher: Watcher, most: int | None = None, headers: dict[str, str] | None = None
) -> AsyncGenerator[Json]:
    known = {"after": watcher.seq} | ({"head": watcher.head} if watcher.head else {})
    async with http.stream("GET", f"/tables/{table}/stream", params=known, headers=headers) as answer:
        if answer.status_code != 200:
            raise Away
        taken = 0
        async for line in answer.aiter_lines():
            text = line.removeprefix("data: ")
            if text.startswith("{"):
                yield msgspec.json.decode(text)
                taken += 1
            if taken == most:
                return


async def followed(client: AsyncClient, table: str, watcher: Watcher) -> AsyncGenerator[Json]:
    async with client.follow(table, watcher.seq, "spectator", watcher.head) as events:
        async for event in events:
            yield msgspec.to_builtins(event)
    await asyncio.Event().wait()                # the game is over: there are no more events


class Scene:
    """PostgreSQL primaries that replace each other behind the address `front`."""

    def __init__(self, folder: Path, front: Proxy, primary: Node, nodes: list[Node]) -> None:
        self.folder, self.front, self.primary, self.nodes = folder, front, primary, nodes
        self.promotions: list[Promotion] = []

    async def fail_over(self) -> None:
        standby = await self.primary.standby(self.folder / f"n{len(self.nodes)}")
        self.nodes.append(standby)
        await standby.start()
        await self.primary.caught_up(standby)
        await asyncio.sleep(PLAY)
        await standby.lag()
        await asyncio.sleep(LAG)
        self.front.accepts = False
        self.front.hang_up()
        await self.primary.kill()
        await standby.promote()
        self.promotions.append(Promotion(monotonic(), await standby.log()))
        self.primary, self.front.server = standby, standby.sockets / self.front.server.name
        self.front.accepts = True
        await asyncio.sleep(PLAY)


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[tuple[Scene, list[ServerProcess]]]:
    """Start two servers, a Valkey and the first primary."""
    folder.mkdir(mode=0o711)
    (folder / "valkey").mkdir()
    nodes = [primary := Node(folder / "n0")]
    async with AsyncExitStack() as stack:
        stack.push_async_callback(killed, nodes)                # cleaned up last
        await primary.start()
        await make_database(primary.sockets)
        front = await stack.enter_async_context(proxy(folder / "front", primary.dsn))
        valkey = await stack.enter_async_context(Valkey(folder / "valkey"))
        servers = await stack.enter_async_context(two_servers(front.dsn, valkey.url, rate_limits="false"))
        yield Scene(folder, front, primary, nodes), servers


async def killed(nodes: list[Node]) -> None:
    for node in nodes:
        await node.kill()


async def failed_over(folder: Path, times: int, tables: int, luck: Random) -> AsyncIterator[str]:
    """Fail over under load, and yield lines of text about the result.

    Raises:
        AssertionError: A check failed.
    """
    async with scene(folder) as (stage, servers), AsyncExitStack() as stack:
        limits = httpx.Limits(max_connections=None)
        ways = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=server.api, limits=limits, timeout=LIMIT))
            for server in servers
        ]
        clients = [await stack.enter_async_context(AsyncClient(server.http)) for server in servers]
        told: list[Told] = []
        plays, watching, stop = await seated(ways, tables, luck, told), list[tuple[str, Watcher]](), asyncio.Event()
        for play in plays[:WATCHED]:
            watching += [(play.table, watcher) for watcher in watchers(servers, play.table, ways, clients)]
        async with asyncio.TaskGroup() as group:
            listening = [group.create_task(watcher.listen()) for _, watcher in watching]
            playing = [group.create_task(play.run(stop)) for play in plays]
            for _ in range(times):
                await stage.fail_over()
                for server in servers:
                    await plays_again(server.api)
            stop.set()
            await asyncio.gather(*playing)
            log = await stage.primary.log()
            await all_there(watching, log, ways[0])
            for task in listening:
                task.cancel()
        for line in losses(told, stage.promotions, log):
            yield line
        await verified(servers[0].environment)
        resets = sum(watcher.resets for _, watcher in watching)
        yield f"{len(watching)} watchers stand at the log's end, after {resets} resets; {len(log):,} rows verified"


async def seated(ways: list[httpx.AsyncClient], tables: int, luck: Random, told: list[Told]) -> list[Play]:
    people = [await Person.arrive(http, name) for http, name in zip(ways, ("Ada", "Bea"), strict=True)]
    return [Play(await open_game(people), people, Random(luck.random()), told) for _ in range(tables)]


async def all_there(watching: list[tuple[str, Watcher]], log: set[Row], http: httpx.AsyncClient) -> None:
    """Check that each client has the final view and all events since its last reset."""
    heads = {(table, seq): head for table, seq, head in log}
    ends = {table: max(seq for of, seq in heads if of == table) for table, _ in watching}
    for table, watcher in watching:
        deadline = monotonic() + CAUGHT_UP
        while (watcher.seq, watcher.head) != (ends[table], heads[table, ends[table]]) and monotonic() < deadline:
            await asyncio.sleep(PAUSE)
        wrong = {seq: head for seq, head in watcher.heard.items() if heads.get((table, seq)) != head}
        assert not wrong, f"{watcher.name} of {table} heard {wrong}, which are not in the log"
        assert watcher.seq == ends[table], f"{watcher.name} of {table} stands at {watcher.seq}, the log at {ends[table]}"
        seen = fine(await http.get(f"/tables/{table}/view"))
        assert watcher.view["seq"] == seen["seq"] and watcher.view["head"] == seen["head"], watcher.name


def losses(told: list[Told], promotions: list[Promotion], log: set[Row]) -> list[str]:
    """Return text about the acknowledged events that each standby never had.

    No other events may be missing.
    """
    lines, explained = [], set[Row]()
    for nth, (at, had) in enumerate(promotions, 1):
        never = sorted({row for row, when in told if when < at} - had - explained)
        explained |= {*never}
        assert never, "a standby had it all, so nothing was proved"
        lines.append(f"promotion {nth}: the standby never had {len(never)} of the rows that were acknowledged")
        lines += [f"  table {table}, seq {seq}, head {head}" for table, seq, head in never]
    missing = {row for row, _ in told} - log
    assert missing == explained, f"missing, though a standby had them: {missing - explained}; {explained - missing} came back"
    lines.append(f"{len(told):,} rows acknowledged, {len(missing)} lost with their primaries; nothing else is missing")
    return lines

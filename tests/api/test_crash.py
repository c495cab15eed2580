"""kill -9 of anything in the middle of a game: it goes on, and nothing that was acknowledged is missing."""

import asyncio
import os
import random
import socket
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psutil

from tests.api.people import Json, Person, open_game
from tests.blind_client import random_action

LUDARIUM = Path(sys.executable).parent / "ludarium"
VICTIMS = ("ludarium", "postgres", "valkey-server")
PORTS = range(20_000, 32_768)                   # below those of outgoing connections
STARTS_WITHIN = 60.0
COMES_BACK_WITHIN = 60.0


def free_port() -> int:
    """One that the kernel gives to nobody's connection in the meantime: a server that is killed must find it again."""
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class House:
    """`ludarium serve` with servers of its own, durable, on the same address however often it is started."""

    def __init__(self, home: Path) -> None:
        self.port = free_port()
        self.environment = os.environ | {
            "LUDARIUM_HOME": str(home),
            "LUDARIUM_PORT": str(self.port),
            "LUDARIUM_WS_PORT": str(free_port()),
            "LUDARIUM_RATE_LIMITS": "false",
        }

    async def launch(self) -> None:
        """Without waiting until it answers."""
        self.process = await asyncio.create_subprocess_exec(
            LUDARIUM, "serve", env=self.environment, stdout=asyncio.subprocess.DEVNULL
        )

    async def start(self) -> None:
        await self.launch()
        async with asyncio.timeout(STARTS_WITHIN), httpx.AsyncClient() as http:
            while not await self.answers(http):
                await asyncio.sleep(0.1)

    async def answers(self, http: httpx.AsyncClient) -> bool:
        assert self.process.returncode is None, "ludarium serve has ended"
        try:
            return (await http.get(f"http://127.0.0.1:{self.port}/readyz")).status_code == 200
        except httpx.TransportError:
            return False

    async def kill(self, what: str) -> None:
        """ "ludarium", which is started again; or one of the servers that it runs, by name, if that is there just now."""
        if what == "ludarium":
            self.process.kill()
            await self.process.wait()
            await self.launch()
        else:
            for server in psutil.Process(self.process.pid).children():
                with suppress(psutil.NoSuchProcess):
                    if what in server.name():
                        server.kill()

    async def stop(self) -> None:
        self.process.terminate()
        await self.process.wait()


@asynccontextmanager
async def house(home: Path) -> AsyncIterator[House]:
    one = House(home)
    await one.start()
    try:
        yield one
    finally:
        await one.stop()


async def insist(person: Person, table: str, body: Json, key: str) -> Json:
    """Sends a command until it is answered, always with the same key."""
    async with asyncio.timeout(COMES_BACK_WITHIN):
        while True:
            try:
                answer = await person.ask(
                    "POST", f"/tables/{table}/commands", json=body, headers={"idempotency-key": key}
                )
            except httpx.TransportError:
                await asyncio.sleep(0.1)
                continue
            if answer.status_code != 503:
                found: Json = answer.json()
                return found


async def view_of(person: Person, table: str) -> Json:
    async with asyncio.timeout(COMES_BACK_WITHIN):
        while True:
            try:
                answer = await person.ask("GET", f"/tables/{table}/view")
            except httpx.TransportError:
                await asyncio.sleep(0.1)
                continue
            if answer.status_code == 200:
                found: Json = answer.json()
                return found


async def play_through(server: House, people: list[Person], table: str, victim: str) -> list[tuple[Person, Json]]:
    """A whole game in which `victim` is killed after five commands. What was acknowledged, and to whom."""
    luck, killer = random.Random(11), None
    acknowledged: list[tuple[Person, Json]] = []
    while True:
        views = [(person, await view_of(person, table)) for person in people]
        if views[0][1]["status"] == "over":
            break
        for person, view in [(person, view) for person, view in views if view["choice"]][:1]:
            body = {"expected_seq": view["seq"], "action": random_action(view["choice"], luck)}
            answer = await insist(person, table, body, str(uuid.uuid4()))
            acknowledged += [(person, event) for event in answer["events"]]
        if killer is None and len(acknowledged) >= 5:
            killer = asyncio.create_task(server.kill(victim))
    assert killer is not None
    await killer
    return acknowledged


async def survive(server: House, people: list[Person], victim: str) -> int:
    """A game in which `victim` is killed: every acknowledged event stands once in everybody's log, which has no gap."""
    table = await open_game(people, bots=("simple",))
    acknowledged = await play_through(server, people, table, victim)
    for person in people:
        log = (await person.get(f"/tables/{table}/events", limit=1000))["events"]
        assert [event["seq"] for event in log] == [*range(len(log))]
        told = [event for somebody, event in acknowledged if somebody is person]
        assert told == [without_view(log[event["seq"]]) for event in told]
    return len(acknowledged)


@asynccontextmanager
async def two_people(server: House) -> AsyncIterator[list[Person]]:
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}/api/v1", timeout=20) as http:
        yield [await Person.arrive(http, name) for name in ("Ada", "Bea")]


async def test_whatever_is_killed_the_game_goes_on(tmp_path: Path) -> None:
    async with house(tmp_path) as server, two_people(server) as people:
        for victim in VICTIMS:
            assert await survive(server, people, victim)


def without_view(event: Json) -> Json:
    return event | {"data": {name: value for name, value in event["data"].items() if name != "view"}}

"""Kill the service, PostgreSQL, both or Valkey at random moments during games."""
from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple, TypeVar

import httpx

from tests.api.test_crash import kill, without_view
from tests.faults.history import Attempt, Logged, faults
from tests.faults.liveness import in_words, plays_again
from tests.faults.tables import PAUSE, RULESET, Away, asked, opened
from tests.support.blind_client import random_action
from tests.support.entropy import uuid4
from tests.support.people import Json, Person
from tests.support.servers import LUDARIUM, ServerProcess, durable_server
from tests.support.waiting import LIMIT, eventually

VICTIMS = ("ludarium", "postgres", "both", "valkey-server")
PAIRS = 8                                       # number of pairs of people; each pair plays at several tables
SHOTS = (1, 1, 2, 3, 5)                         # numbers of kills in a round, chosen at random
LONGEST_LULL = 1.0                              # seconds before a kill, at most: about the time of a start
T = TypeVar("T")


class Tried(NamedTuple):
    person: Person
    attempt: Attempt


class Play:
    """Two people who play one game after another, with their commands and results."""

    def __init__(self, people: list[Person], luck: Random, stop: asyncio.Event, ruleset: str = RULESET) -> None:
        self.people, self.luck, self.stop, self.ruleset = people, luck, stop, ruleset
        self.tables: dict[str, list[Tried]] = {}

    async def run(self) -> None:
        while not self.stop.is_set():
            table = await self.patiently(lambda: opened(self.people, self.ruleset))
            if table is not None:
                self.tables[table] = []
                await self.play(table)

    async def play(self, table: str) -> None:
        for person in cycle(self.people):
            view = await self.patiently(lambda who=person: asked(who, "GET", f"/tables/{table}/view"))  # type: ignore[misc]
            if view is None or view["status"] == "over":
                return
            if view["choice"]:
                self.tables[table].append(Tried(person, await self.answer(table, person, view)))

    async def answer(self, table: str, person: Person, view: Json) -> Attempt:
        """Send a command and return the attempt.

        About every other command is repeated until there is a response. The others are sent only once.
        """
        action, key, insists = random_action(view["choice"], self.luck), str(uuid4()), self.luck.random() < 0.5

        async def send() -> Json:
            return settled(await person.command(table, view, action, key))

        began = monotonic()
        try:
            told = await self.patiently(send) if insists else await send()
        except (Away, httpx.TransportError):
            told = None
        return attempt_of(table, told, began)

    async def patiently(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """Repeat a request until there is a response, or return None once play is stopped."""
        while not self.stop.is_set():
            try:
                return await ask()
            except (Away, httpx.TransportError):
                await asyncio.sleep(PAUSE)
        return None


def settled(answer: httpx.Response) -> Json:
    """Return the content of a response, which may be a problem.

    Raises:
        Away: The response does not show whether the command was executed.
    """
    told: Json = answer.json()
    if answer.status_code == 503 or told.get("code") == "key-in-use":
        raise Away
    assert answer.status_code < 500, answer.text
    return told


def attempt_of(table: str, told: Json | None, began: float) -> Attempt:
    if told is None:
        return Attempt(table, None, began, monotonic(), known=False)
    if "events" not in told or "code" in told:
        return Attempt(table, (), began, monotonic())
    return Attempt(table, (*map(content, told["events"]),), began, monotonic(), told["events"][0]["seq"])


def content(event: Json) -> str:
    return json.dumps(without_view(event), sort_keys=True)


# --- kills ------------------------------------------------------------------------------------------------------------
class Siege:
    """Many tables at a service that is killed again and again."""

    def __init__(self, server: ServerProcess, plays: list[Play], luck: Random) -> None:
        self.server, self.plays, self.luck = server, plays, luck
        self.shots = 0

    @property
    def acknowledged(self) -> int:
        return sum(tried.attempt.version is not None for play in self.plays for of in play.tables.values() for tried in of)

    async def round(self, victim: str) -> None:
        """Kill the victim one or more times during play, and wait until play goes on."""
        for _ in range(self.luck.choice(SHOTS)):
            await asyncio.sleep(self.luck.uniform(0, LONGEST_LULL))
            await self.shoot(victim)
        before = self.acknowledged
        await eventually(lambda: self.acknowledged > before + len(self.plays))      # more than were in flight

    async def shoot(self, victim: str) -> None:
        """Kill the victim, whether it is serving, starting, recovering or already dead."""
        self.shots += 1
        for name in ("postgres", "ludarium") if victim == "both" else (victim,):
            await kill(self.server, name)

    async def wrongs(self) -> list[str]:
        """Return the faults of the log as each person sees it."""
        found = [await wrongs(table, tried, play.people) for play in self.plays for table, tried in play.tables.items()]
        return [fault for of_table in found for fault in of_table]

    def summary(self) -> str:
        attempts = [tried.attempt for play in self.plays for of in play.tables.values() for tried in of]
        outcomes = Counter("acknowledged" if a.version is not None else "refused" if a.known else "unknown" for a in attempts)
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items()))
        tables = sum(len(play.tables) for play in self.plays)
        return f"{self.shots} kills, {tables} tables, {len(attempts):,} commands: {told}"


async def besiege(home: Path, victims: Iterable[str], tables: int, luck: Random) -> str:
    """Kill each victim in turn during play, check all logs and return a summary."""
    async with durable_server(home) as server, people_at(server, tables) as pairs:
        stop = asyncio.Event()
        plays = [Play(pair, Random(luck.random()), stop) for pair, _ in zip(cycle(pairs), range(tables), strict=False)]
        siege = Siege(server, plays, luck)
        async with asyncio.TaskGroup() as group:
            for play in plays:
                group.create_task(play.run())
            for victim in victims:
                await siege.round(victim)
            stop.set()
        waited = await plays_again(server.api)
        assert await siege.wrongs() == []
        await verified(server.environment)
        return f"{siege.summary()}; {in_words(waited)}"


@asynccontextmanager
async def people_at(server: ServerProcess, connections: int) -> AsyncIterator[list[list[Person]]]:
    limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx.AsyncClient(base_url=server.api, timeout=LIMIT, limits=limits) as http:
        yield [[await Person.arrive(http, name) for name in ("Ada", "Bea")] for _ in range(PAIRS)]


async def verified(environment: dict[str, str]) -> None:
    """Verify the hash chain of every table, and the log as a whole."""
    process = await asyncio.create_subprocess_exec(
        LUDARIUM, "verify", "--all", env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()


# --- checks -----------------------------------------------------------------------------------------------------------
async def wrongs(table: str, tried: list[Tried], people: list[Person]) -> list[str]:
    found: list[str] = []
    for person in people:
        events = await whole_log(person, table)
        begun = next(event["seq"] for event in events if event["type"] == "game_started") + 1
        rows = [Logged(event["seq"], content(event), event["seq"]) for event in events]
        attempts = [as_seen(one, person, rows) for one in tried]
        found += faults([*attempts, *ends(events, tried)], {table: rows}, setup=begun)
    return found


async def whole_log(person: Person, table: str) -> list[Json]:
    events: list[Json] = []
    while page := (await person.get(f"/tables/{table}/events", after=len(events) - 1, limit=1000))["events"]:
        events += page
    return events


def as_seen(tried: Tried, person: Person, rows: list[Logged]) -> Attempt:
    """Return an attempt as it must appear in the log of this person.

    In the log of a person who did not send the command, its events only have to exist, since their contents may
    differ.
    """
    attempt = tried.attempt
    if attempt.version is None or attempt.content is None or tried.person is person:
        return attempt
    theirs = rows[attempt.version : attempt.version + len(attempt.content)]
    return attempt._replace(content=tuple(row.content for row in theirs))


def ends(events: list[Json], tried: list[Tried]) -> list[Attempt]:
    """Return an attempt for the event that ends a game.

    The event belongs to a command of unknown outcome, which may then have written two events.
    """
    unknown = any(not one.attempt.known for one in tried)
    if unknown and events[-1]["type"] == "game_ended":
        return [Attempt(tried[0].attempt.stream, (content(events[-1]),), 0, 0, known=False)]
    return []

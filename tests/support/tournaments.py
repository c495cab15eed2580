"""Tournaments over HTTP, with a host, players who move at random, and rounds."""
from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpx

from ludarium.accounts.accounts import Accounts
from ludarium.platform import ids
from ludarium.platform.database import Database
from tests.support.blind_client import random_action
from tests.support.entropy import ENTROPY, uuid4
from tests.support.people import Json, Person, fine
from tests.support.staff import make_staff
from tests.support.waiting import eventually

RULESET = "game-of-kingdoms"
TO_THE_END = 1000
"""Moves of a player before they resign."""


def plan(*stages: Json, **more: Any) -> Json:
    return {"tables": {"ruleset": RULESET}, "stages": [*stages], "wait": 3600, **more}


SWISS = {"format": "swiss", "seats": 2, "rounds": 3}


async def host_of(http: httpx.AsyncClient, base: Database, name: str = "Hana") -> Person:
    """Return a person whose account can host tournaments."""
    made = await Accounts(base, ENTROPY).new_guest(name)
    await base.rows("update accounts.players set kind = 'account' where name = $1", name)
    return Person(http, {"player": {"id": made.player.id}, "token": made.token})


async def organiser_of(http: httpx.AsyncClient, base: Database, name: str = "Olga") -> Person:
    """Return a person who may seat other players without invitations."""
    host = await host_of(http, base, name)
    await base.rows("update accounts.players set role = 'organiser' where id = $1", ids.decode(host.id))
    return host


async def players_of(http: httpx.AsyncClient, base: Database, many: int) -> list[Person]:
    made = [await Accounts(base, ENTROPY).new_guest(f"Bot {at}") for at in range(many)]
    return [Person(http, {"player": {"id": one.player.id}, "token": one.token}) for one in made]


async def sanction(http: httpx.AsyncClient, base: Database, event: Event, *officials: Person) -> None:
    """Sanction a tournament and its officials as an administrator."""
    admin = await make_staff(base, await host_of(http, base, "Alma"), "admin")
    wanted = {"officials": [one.id for one in officials], "reason": "The club's arbiters"}
    await admin.post(f"/admin{event.path}/sanction", wanted, **key())


class Event:
    """A tournament with its host and players.

    Args:
        moves: The number of moves after which each player resigns.
    """

    def __init__(self, host: Person, id: str, moves: int = TO_THE_END) -> None:
        self.moves = moves
        self.host, self.id, self.path = host, id, f"/tournaments/{id}"
        self.people: dict[int, Person] = {}

    @classmethod
    async def set_up(cls, host: Person, wanted: Json, **more: Any) -> Event:
        made = await host.post("/tournaments", {"title": "Cup", "plan": wanted, **more}, **key())
        return cls(host, made["id"])

    async def body(self) -> Json:
        return await self.host.get(self.path)

    async def act(self, path: str, seq: int, **data: Any) -> Json:
        """Post an action as the host."""
        return await self.host.post(self.path + path, {"expected_seq": seq, **data}, **key())

    async def put(self, path: str, seq: int, **data: Any) -> Json:
        """Put a new state as the host."""
        wanted = {"expected_seq": seq, **data}
        return fine(await self.host.patiently("PUT", self.path + path, json=wanted, headers=key()))

    async def change(self, path: str, seq: int, **data: Any) -> Json:
        """Change the draft of the tournament as the host."""
        wanted = {"expected_seq": seq, **data}
        return fine(await self.host.patiently("PATCH", self.path + path, json=wanted, headers=key()))

    async def opened(self) -> None:
        await self.act("/open", (await self.body())["status_seq"])

    async def closed(self) -> None:
        await self.act("/close", (await self.body())["status_seq"])

    async def enter(self, people: Iterable[Person]) -> None:
        for person in people:
            self.people[(await person.post(f"{self.path}/entries", {}, **key()))["entry"]] = person

    async def appoint(self, person: Person, role: str, expected: int = 0) -> None:
        """Appoint a player as an official, and accept the appointment as that player."""
        await self.put(f"/officials/{person.id}", expected, role=role)
        await person.post(f"{self.path}/role", None, **key())

    def round_path(self, stage: int, round: int) -> str:
        return f"/stages/{stage}/rounds/{round}"

    async def round(self, stage: int, round: int) -> Json:
        """Return a round; if it is published, wait until all its open games have tables."""
        async def look() -> Json | None:
            told = await self.host.get(self.path + self.round_path(stage, round))
            here = [board for board in told["tables"] if board["status"] in ("waiting", "playing")]
            return told if told["status"] != "published" or all(board["table"] for board in here) else None

        return await eventually(look)

    async def drafted(self, stage: int = 1) -> Json:
        """Draft the next round and return it."""
        known = (await self.body())
        seq = known["rounds"][-1]["seq"] if known["rounds"] else known["status_seq"]
        made = await self.act(f"/stages/{stage}/rounds", seq)
        return await self.round(stage, made["round"])

    async def published(self, stage: int = 1) -> Json:
        return await self.publish(await self.drafted(stage))

    async def publish(self, draft: Json) -> Json:
        await self.act(f"{self.round_path(draft['stage'], draft['round'])}/publish", draft["seq"])
        return await self.round(draft["stage"], draft["round"])

    async def play(self, stage: int, round: int, *, absent: Iterable[int] = ()) -> Json:
        """Play a round at random until all its matches are over, and return the round.

        Args:
            absent: The entries whose players do not show up.
        """
        told = await self.round(stage, round)
        here = [table for table in told["tables"] if table["status"] != "left-over"]
        await asyncio.gather(*(self.play_match(told, table, {*absent}) for table in here))
        return await self.settled(stage, round)

    async def play_match(self, told: Json, table: Json, absent: set[int]) -> None:
        """Play a match's games as they are opened."""
        while table["status"] != "over":
            people = {seat: one for seat, one in self.seated(table).items() if one.id not in self.ids(absent)}
            await ready(people, table["table"])
            await played(people, table["table"], self.moves)
            table = await self.after(told, table)

    def ids(self, entries: Iterable[int]) -> set[str]:
        return {self.people[entry].id for entry in entries}

    async def after(self, told: Json, table: Json) -> Json:
        """Wait until the match is over or its next game is open, and return the board."""
        async def look() -> bool:
            nonlocal table
            now = (await self.round(told["stage"], told["round"]))["tables"][table["board"] - 1]
            known, table = table["table"], now
            return bool(now["status"] == "over" or now["table"] != known)

        await until(look)
        return table

    async def lost(self, told: Json, board: int, loser: int) -> Json:
        """Resign a board's newest game for this entry, and return the board afterwards."""
        table = (await self.round(told["stage"], told["round"]))["tables"][board - 1]
        await ready(self.seated(table), table["table"])
        await until(lambda: is_played(self.people[loser], table["table"]))
        await self.people[loser].patiently("POST", f"/tables/{table['table']}/resign", headers=key())
        return await self.after(told, table)

    def seated(self, table: Json) -> dict[int, Person]:
        """Return the players of the newest game by seat, which may change after each game."""
        games = len(table["games"]) - (table["status"] == "over" and bool(table["games"]))
        sitting = [*reversed(table["seats"])] if games % 2 else table["seats"]
        return {seat: self.people[entry] for seat, entry in enumerate(sitting)}

    async def begun(self, tables: Iterable[Json]) -> Json:
        """Start the games at all of these tables, and return the round."""
        tables = [*tables]
        for table in tables:
            await ready(self.seated(table), table["table"])
        for table in tables:
            await until(lambda table=table: is_played(self.seated(table)[0], table["table"]))   # type: ignore[misc]
        told = await self.host.get(self.path)
        return await self.round(told["stage"], told["rounds"][-1]["round"])

    async def settled(self, stage: int, round: int) -> Json:
        """Wait until all results of a round are known, and return the round."""
        async def look() -> bool:
            tables = (await self.round(stage, round))["tables"]
            return all(table["status"] in ("over", "left-over") for table in tables)

        await until(look)
        return await self.round(stage, round)

    async def rule(
        self, told: Json, table: Json, verdict: str, places: Iterable[int] = (), by: Person | None = None
    ) -> None:
        """Make a ruling.

        Args:
            by: The person who makes the ruling. By default, the host.
        """
        path = f"{self.path}{self.round_path(told['stage'], told['round'])}/tables/{table['board']}/rulings"
        ruling = {"expected_seq": table["seq"], "verdict": verdict, "places": [*places], "reason": "As was seen"}
        await (by or self.host).post(path, ruling, **key())

    async def paused(self, told: Json) -> None:
        """Pause the whole tournament, and one table separately, then resume both."""
        await self.act("/pause", (await self.body())["paused_seq"], reason="The hall is cleared")
        path = f"{self.round_path(told['stage'], told['round'])}/tables/1"
        board = (await self.round(told["stage"], told["round"]))["tables"][0]
        await self.act(f"{path}/pause", board["seq"], reason="A card is missing")
        await self.act("/resume", (await self.body())["paused_seq"])
        board = (await self.round(told["stage"], told["round"]))["tables"][0]
        await self.act(f"{path}/resume", board["seq"])

    async def given_time(self, told: Json) -> None:
        """Give more time to the first player of the first table, after its game starts."""
        told = await self.begun(told["tables"][:1])
        board = told["tables"][0]
        path = f"{self.round_path(told['stage'], told['round'])}/tables/1/time"
        await self.act(path, board["seq"], entry=board["seats"][0], seconds=1, reason="The lights went out")

    async def pilot(self, *, on: bool) -> None:
        """Switch the autopilot on, without any delay, or off."""
        await self.put("/autopilot", (await self.body())["autopilot_seq"], on=on, rest=0, settle=0)

    async def close(self, told: Json) -> None:
        await self.act(f"{self.round_path(told['stage'], told['round'])}/close", told["seq"])

    async def whole_round(self, stage: int = 1) -> Json:
        told = await self.published(stage)
        told = await self.play(stage, told["round"])
        await self.close(told)
        return told


async def event_of(http: httpx.AsyncClient, base: Database, players: int, *stages: Json, **more: Any) -> Event:
    """Create a tournament of short games and close its registration."""
    event = await Event.set_up(await host_of(http, base, f"Host {time.monotonic_ns()}"), plan(*(stages or (SWISS,)), **more))
    event.moves = 1
    await event.opened()
    await event.enter(await players_of(http, base, players))
    await event.closed()
    return event


async def code(person: Person, method: str, path: str, body: Any = None) -> str:
    return str((await person.refused(method, path, body))["code"])


async def ready(people: dict[int, Person], table: str) -> None:
    await until(lambda: is_there(people, table))
    for person in people.values():
        await person.patiently("POST", f"/tables/{table}/ready", json={"ready": True}, headers=key())


async def is_played(person: Person, table: str) -> bool:
    return bool((await person.get(f"/tables/{table}"))["status"] == "playing")


async def is_there(people: dict[int, Person], table: str) -> bool:
    """Check that all these people have their seats and that no seat is empty.

    After a round is re-paired, its tables are seated again one after another.
    """
    answer = await next(iter(people.values())).ask("GET", f"/tables/{table}")
    if answer.status_code != 200:
        return False
    sitting = {seat["seat"]: seat["player"] for seat in fine(answer)["seats"]}
    return None not in sitting.values() and all(sitting[seat] == person.id for seat, person in people.items())


async def played(people: dict[int, Person], table: str, moves: int) -> None:
    """Play to the end with random answers, while the server plays for absent players.

    Each person resigns once the rounds of answers exceed `moves`.
    """
    luck, rounds = random.Random(table), 0

    async def progress() -> set[str]:
        nonlocal rounds
        rounds += 1
        return {await step(person, table, luck, gives_up=rounds > moves) for person in people.values()} - {""}

    while "over" not in await eventually(progress):
        pass


async def step(person: Person, table: str, luck: random.Random, *, gives_up: bool) -> str:
    """Answer if the person has a question to answer.

    Returns:
        "over" if the game is over, "answered" after an answer, otherwise "".
    """
    if gives_up:
        await person.patiently("POST", f"/tables/{table}/resign", headers=key())
    view = await person.patiently("GET", f"/tables/{table}/view")
    told = view.json()
    asked = view.status_code == 200 and told.get("choice")
    if asked:
        await person.command(table, told, random_action(told["choice"], luck), key=uuid4().hex)
    if view.status_code == 200 and told["status"] == "over":
        return "over"
    return "answered" if asked else ""


async def until(look: Callable[[], Awaitable[bool]]) -> None:
    await eventually(look)


def key() -> dict[str, str]:
    return {"idempotency-key": uuid4().hex}

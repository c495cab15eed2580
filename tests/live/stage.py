"""Play two games at real servers, and record what some audiences receive."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import AsyncExitStack
from itertools import zip_longest
from typing import NamedTuple

import httpx

from ludarium.platform import ids
from ludarium.tables.model import documents
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Deal, GameStarted, Seated, TableOpened
from ludarium.tables.model.hash_chain import StreamSecret, commitment
from ludarium.tables.model.lifecycle_events import PoliciesSet
from ludarium.tables.model.opening import option_data
from ludarium.tables.model.policies import Policies, Spectators
from ludarium.tables.model.table_state import TableState
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR
from tests.live.taps import NOTICES, Split, Tap, json_lines, masked, server_sent, socket_of, stream_of, tap, websocket
from tests.live.worlds import Move, World, Worlds
from tests.support.entropy import ENTROPY
from tests.support.people import Json, Person

PLAIN: Json = {}
WITH_TEXTS: Json = {"locale": "es"}
Capture = dict[str, list[bytes]]
"""The received frames by connection, masked."""


class House(NamedTuple):
    """The servers for a comparison.

    Commands go to the server `http`. Subscribers use `port` and `ws_port` of another server. `tables` belongs to a
    third process.
    """

    tables: Tables
    http: httpx.AsyncClient
    port: int
    ws_port: int


class Line(NamedTuple):
    """A connection, with its request and the function that splits its response.

    `audience` is an audience of the table, or None for the player's private stream.
    """

    name: str
    audience: int | None
    port: int
    asks: bytes
    split: Split


class Play:
    """One of the two games at its own table."""

    def __init__(self, house: House, worlds: Worlds, world: World, audiences: Collection[int], delay: int) -> None:
        """Create a game.

        Args:
            delay: The number of events by which spectators are delayed.
        """
        self.server_clock, self.case, self.seed, self.world = house, worlds.case, worlds.seed, world
        self.audiences, self.delay = audiences, delay
        self.taps: dict[Line, Tap] = {}
        self.answers: list[bytes] = []
        self.start: int | None = None

    async def perform(self) -> Capture:
        """Play from the opening to the last move, and return the recorded bytes.

        Each step waits until all subscribers have received the previous step.
        """
        self.people = [await Person.arrive(self.server_clock.http) for _ in range(self.case.seats)]
        await self.open()
        async with AsyncExitStack() as stack:
            for line in self.lines():
                self.taps[line] = await stack.enter_async_context(tap(line.port, line.asks, line.split))
            async with tap(self.server_clock.ws_port, *self.passer_by()):
                await self.settled(spectators=1)
                marks = {line: len(one.frames) for line, one in self.taps.items()}
                await self.begin()
            await self.settled(spectators=0)
            for move in self.world.moves:
                await self.make(move)
            return self.captured(marks)

    def captured(self, marks: dict[Line, int]) -> Capture:
        told = {line.name: [*map(masked, all_of(one, marks[line]))] for line, one in self.taps.items()}
        noticed = {f"{line.name}: notices": [*map(masked, notices_of(one))] for line, one in self.taps.items()}
        return told | noticed | {"answers": self.answers}

    async def truth(self) -> list[bytes]:
        """Return the events that each seat may see at the end."""
        path = f"/tables/{self.table}/events"
        return [masked((await person.ask("GET", path, params={"limit": 1000})).content) for person in self.people]

    # --- game ---------------------------------------------------------------------------------------------------------
    async def open(self) -> None:
        case = self.case
        secret = StreamSecret(self.seed, self.seed)
        options, creator = option_data(case.options), self.people[0].id
        row = TableOpened(
            case.title.id, options, case.seats, "public", "free", creator, commitment(secret.seed),
            Deal(commitment(secret.deal)),
        )
        delayed = [PoliciesSet(Policies(Spectators("delayed", self.delay)))] if self.delay else []
        seated = [Seated(seat, person.id, None) for seat, person in enumerate(self.people)]
        table = TableState(ids.new_id(ENTROPY), row, secret)
        await self.commit(table, [row, *delayed, *seated])
        self.table = table.id

    async def commit(self, table: TableState, rows: list[AnyEvent]) -> None:
        assert await self.server_clock.tables.append(table, rows, None, None)
        self.seq = table.version

    async def begin(self) -> None:
        title = self.case.title
        table = await self.server_clock.tables.cache.fresh(ids.decode(self.table))
        named = documents.of_game(title, title.blank(self.case.options, self.case.seats))
        await self.commit(table, [GameStarted(title.version, *named, table.mixed_in, self.world.begun)])
        self.start = self.seq
        await self.all_told()

    async def make(self, move: Move) -> None:
        answer = await self.people[move.seat].command(self.table, {"seq": self.seq}, move.answer)
        assert answer.status_code == 200, answer.text
        self.seq = answer.json()["seq"]
        if move.seat in self.audiences:
            self.answered(answer)
        await self.all_told()

    # --- connections --------------------------------------------------------------------------------------------------
    def lines(self) -> Iterator[Line]:
        """Yield the connections of each audience over each transport.

        A seat also has connections to its player's private stream.
        """
        for audience in self.audiences:
            who, token = ("spectator", None) if audience == SPECTATOR else (f"seat {audience}", self.people[audience].token)
            subscribe = socket_of(token, type="subscribe", table=self.table, after=-1)
            yield Line(f"{who}: socket", audience, self.server_clock.ws_port, subscribe, websocket)
            yield from self.streams(who, audience, f"/tables/{self.table}/stream", token)
            spoken = socket_of(token, {"locale": "es", "text": True}, type="subscribe", table=self.table, after=-1)
            yield Line(f"{who}: socket with texts", audience, self.server_clock.ws_port, spoken, websocket)
            yield from self.streams(f"{who} with texts", audience, f"/tables/{self.table}/stream?locale=hu", token)
            if audience != SPECTATOR:
                yield Line(f"{who}: socket of its own", None, self.server_clock.ws_port, socket_of(token, type="me"), websocket)
                yield from self.streams(f"{who} of its own", None, "/me/stream", token)

    def streams(self, who: str, audience: int | None, path: str, token: str | None) -> Iterator[Line]:
        ndjson = stream_of(path, token, "application/x-ndjson")
        yield Line(f"{who}: JSON lines", audience, self.server_clock.port, ndjson, json_lines)
        events = stream_of(path, token, "text/event-stream")
        yield Line(f"{who}: server-sent events", audience, self.server_clock.port, events, server_sent)

    def passer_by(self) -> tuple[bytes, Split]:
        """Return the request of a spectator who leaves when the game begins."""
        return socket_of(None, type="subscribe", table=self.table, after=-1), websocket

    async def settled(self, spectators: int) -> None:
        """Wait until all subscribers know who is present.

        Args:
            spectators: The number of spectators in addition to the subscribers.
        """
        seats = sorted(audience for audience in self.audiences if audience != SPECTATOR)
        watching = sum(line.audience == SPECTATOR for line in self.taps)
        present = {"seats": seats, "spectators": watching + spectators}
        for line, one in self.taps.items():
            if line.audience is not None:
                await one.until_seq(self.shown(line.audience))
                await one.until(lambda told: last_presence(told) == present)

    def shown(self, audience: int) -> int:
        """Return the number of the newest event that the audience may see."""
        if audience == SPECTATOR and self.start is not None:
            return max(self.start, self.seq - self.delay)
        return self.seq

    async def all_told(self) -> None:
        for line, one in self.taps.items():
            if line.audience is not None:
                await one.until_seq(self.shown(line.audience))
        for audience in self.audiences:
            await self.look(audience)

    async def look(self, audience: int) -> None:
        """Request everything that the audience may see.

        A seat also waits until it has been notified of its turn, and sends an invalid command.
        """
        if audience == SPECTATOR:
            for params in PLAIN, WITH_TEXTS:
                self.answered(await self.server_clock.http.get(f"/tables/{self.table}/view", params=params))
            return
        person = self.people[audience]
        view = await person.ask("GET", f"/tables/{self.table}/view")
        self.answered(view)
        self.answered(await person.ask("GET", f"/tables/{self.table}/view", params=WITH_TEXTS))
        await self.turn_told(audience, view.json())
        await self.notices_told(audience)
        self.answered(await person.command(self.table, view.json(), {"id": "nonsense"}))

    def answered(self, answer: httpx.Response) -> None:
        """Record a response without the table's id, which occurs in the paths of problems."""
        self.answers.append(masked(answer.content).replace(self.table.encode(), b"?" * len(self.table)))

    async def turn_told(self, seat: int, view: Json) -> None:
        """Wait for the notice of the current turn.

        After another move, the notice may be skipped.
        """
        asked = view["choice"]["since"] if seat in view["view"]["asked"] else None
        for line, one in self.taps.items():
            if line.audience is None and line.name.startswith(f"seat {seat}"):
                await one.until(lambda told: last_turn(told) == asked)


    async def notices_told(self, seat: int) -> None:
        """Wait until the private streams have sent the notices that the player can list."""
        page = (await self.people[seat].get("/me/notices"))["notices"]
        listed = {notice["id"]: notice for notice in page}
        for line, one in self.taps.items():
            if line.audience is None and line.name.startswith(f"seat {seat}"):
                await one.until(lambda told: waiting(told) == listed)


def waiting(told: list[Json]) -> dict[str, Json]:
    """Return the notices that are sent and not settled, by id."""
    found: dict[str, Json] = {}
    for one in told:
        match one.get("type"):
            case "notice":
                found[one["data"]["id"]] = one["data"]
            case "settled":
                found.pop(one["data"]["id"], None)
    return found


def last_turn(told: list[Json]) -> int | None:
    """Return the first event of the player's turn, as the last notice gives it.

    The player has only this game.
    """
    turns: list[Json] = next((one["data"]["turns"] for one in reversed(told) if one.get("type") == "turns"), [])
    return turns[0]["since"] if turns else None


def last_presence(told: list[Json]) -> Json | None:
    return next((one["data"] for one in reversed(told) if one.get("type") == "presence"), None)


def all_of(tap: Tap, calm: int) -> list[bytes]:
    """Return the head and all frames, without early presence, which depends on time, and without notices."""
    early = [frame.wire for frame in tap.frames[:calm] if frame.told.get("type") not in ("presence", *NOTICES)]
    return [tap.head, *early, *(frame.wire for frame in tap.frames[calm:] if frame.told.get("type") not in NOTICES)]


def notices_of(tap: Tap) -> list[bytes]:
    """Return the frames about notices. Whether they come before other news of the player depends on time."""
    return [frame.wire for frame in tap.frames if frame.told.get("type") in NOTICES]


async def both(house: House, worlds: Worlds, audiences: Collection[int], delay: int = 0) -> list[str]:
    """Play both games, and return the differences between what the audiences received.

    The games must differ for the seats as a whole.
    """
    plays = [Play(house, worlds, world, audiences, delay) for world in worlds.pair]
    one, other = await asyncio.gather(*[play.perform() for play in plays])
    truths = [await play.truth() for play in plays]
    assert truths[0] != truths[1], "there is but one world"
    return differences(one, other)


def differences(one: Capture, other: Capture) -> list[str]:
    """Describe the differences between the bytes of the two games' connections."""
    assert one.keys() == other.keys()
    found = []
    for name in one:
        pairs = enumerate(zip_longest(one[name], other[name]))
        found += [f"{name}, frame {nth}: {apart(a, b)}" for nth, (a, b) in pairs if a != b]
    return found


def apart(a: bytes | None, b: bytes | None) -> str:
    """Describe the surroundings of the first byte that differs."""
    if a is None or b is None:
        return "only in one world"
    at = next((nth for nth, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return f"{len(a)} and {len(b)} bytes, {a[max(0, at - 60) : at + 40]!r} and {b[max(0, at - 60) : at + 40]!r}"

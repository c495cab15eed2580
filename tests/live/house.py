"""A minimal table service on Valkey for tests of the gateway.

Several processes can share it. In its only game, a player says a word; the speaker's seat receives the word, and all others
receive an event without it. Tables, seats and tokens are stored in Valkey: `seat:<table>:<player>` and `token:<token>` are
keys, `log:<table>` is a table's list of events, and the list `log` has the table of every event.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Self

import msgspec
import redis.asyncio

from ludarium.accounts.access import Access, Player, now, scopes_allowed
from ludarium.live.ports import (
    SPECTATOR,
    EventPlace,
    EventRef,
    EventsAfter,
    FoundEvents,
    LogCheckpoint,
    LogProgress,
    Ports,
    Texts,
    Viewpoint,
    WholeTable,
)
from ludarium.live.publisher import Publisher
from ludarium.platform.problems import Problem
from tests.support.entropy import ENTROPY

PAGE = 500
SEATS = 2
LEFT = b'{"type":"left","data":{"seat":%d}}'


class House:
    """The minimal table service.

    Args:
        log_url: The server that stores the tables.
        redis_url: The server that carries the messages, which a test may kill.
    """

    def __init__(self, log_url: str, redis_url: str) -> None:
        pool = redis.asyncio.BlockingConnectionPool.from_url(log_url, max_connections=32)
        self._store = redis.asyncio.Redis.from_pool(pool)
        self.publisher = Publisher(redis_url, ENTROPY)
        self.ports = Ports(self, self, self, ENTROPY, self)
        self.reads = self.wholes = self.places = 0
        self.outage = False
        """Whether reads of the log fail."""
        self.carried: list[tuple[str, bytes]] = []
        """Replicated events of other processes."""
        self.meanwhile: Callable[[], Awaitable[object]] = nothing
        """Awaited before a read of the log returns."""
        self.looking: Callable[[], Awaitable[object]] = nothing
        """Awaited before a check of the log returns."""
        self.lookups = 0
        """How often events were looked up."""
        self.looks = 0
        """How often the log was asked how far it has come."""

    async def __aenter__(self) -> Self:
        await self.publisher.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.publisher.__aexit__()
        await self._store.aclose()

    async def open(self, table: str, players: Mapping[str, int] = {}) -> None:
        """Open a table with its first event, and create each player's token.

        The token is `<player>-token`.
        """
        for player, seat in players.items():
            await self._store.set(f"seat:{table}:{player}", seat)
            await self._store.set(f"token:{player}-token", player)
        await self.commit(table, {audience: b'{"word":"open"}' for audience in range(SPECTATOR, SEATS)})

    async def commit(self, table: str, told: Mapping[int, bytes], publish: bool = True) -> int:
        """Append an event with a message for each audience, and return its number."""
        async with self._store.pipeline() as pipe:
            pipe.rpush(f"log:{table}", msgspec.msgpack.encode(told))
            pipe.rpush("log", table)
            length: int = (await pipe.execute())[0]
        if publish:
            await self.publisher.publish(table, length - 1, await self.link(table, length - 2), rendered(length - 1, told))
        return length - 1

    async def say(self, table: str, word: str, seat: int = 0, publish: bool = True) -> int:
        hidden = dict.fromkeys(range(SPECTATOR, SEATS), b"")
        return await self.commit(table, hidden | {seat: msgspec.json.encode({"word": word})}, publish)

    async def access(self, token: str) -> Access:
        found = await self._store.get(f"token:{token}")
        if found is None:
            raise Problem("invalid-token")
        player = str(found, "ascii") if isinstance(found, bytes) else str(found)
        scopes = scopes_allowed("guest", "player")
        return Access(token.encode(), Player(player, player, "guest"), "session", scopes, now(), None)

    @contextmanager
    def watched(self, access: Access, over: Callable[[], None]) -> Iterator[None]:
        """Accept every token, since the tokens of this service never end."""
        yield

    async def take(self, table: str, player: str, seat: int) -> None:
        await self._store.set(f"seat:{table}:{player}", seat)

    async def vacate(self, table: str, player: str) -> None:
        """Remove a player's seat, as if the event of sitting down had been lost."""
        await self._store.delete(f"seat:{table}:{player}")

    async def leave(self, table: str, player: str) -> int:
        """Let a player leave the table, and return the number of the event."""
        seat = int(await self._store.getdel(f"seat:{table}:{player}") or 0)
        return await self.commit(table, dict.fromkeys(range(SPECTATOR, SEATS), LEFT % seat))

    async def viewpoint(self, player: str | None, table: str, as_: int | None) -> Viewpoint:
        head = await self._store.llen(f"log:{table}") - 1
        if head < 0:
            raise Problem("not-found")
        seat = await self._store.get(f"seat:{table}:{player}")
        own = SPECTATOR if seat is None else int(seat)
        if as_ not in (None, SPECTATOR, own):
            raise Problem("forbidden")
        audience = own if as_ is None else as_
        self.places += 1
        return Viewpoint(audience, head, own if own == audience != SPECTATOR else None, player, row=await self.row(table))

    async def lose(self, table: str, rows: int) -> None:
        """Lose the newest events of a table and of the log, and begin another timeline."""
        await self._store.incr("timeline")
        await self._store.ltrim(f"log:{table}", 0, -rows - 1)
        await self._store.ltrim("log", 0, -rows - 1)

    async def current_view(self, table: str, audience: int) -> WholeTable:
        self.wholes += 1
        if self.outage:
            raise Problem("unavailable")
        seq = await self._store.llen(f"log:{table}") - 1
        head = (await self.link(table, seq)).hex().encode()
        reset = b'{"type":"reset","seq":%d,"head":"%b","data":{"view":%d}}' % (seq, head, audience)
        return WholeTable(seq, reset)

    async def progress(self, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        await self.looking()
        self.looks += 1
        if self.outage:
            raise Problem("unavailable")
        position = since.position if since is not None else 0
        rows = await self._store.lrange("log", position, -1) if since is not None else []
        moved = {row.decode() for row in rows if isinstance(row, bytes)} & {*tables}
        length = await self._store.llen("log")
        versions = {table: await self._store.llen(f"log:{table}") - 1 for table in moved}
        mark = LogCheckpoint(length, b"", str(await self._store.get("timeline")))
        return LogProgress(mark, versions, since is None or since.timeline == mark.timeline)

    async def find_events(self, places: Collection[EventPlace]) -> FoundEvents:
        self.lookups += 1
        if self.outage:
            raise Problem("unavailable")
        async with self._store.pipeline() as pipe:
            for table, seq in places:
                pipe.lindex(f"log:{table}", seq)
                pipe.llen(f"log:{table}")
            answers = iter(await pipe.execute())
        rows = [(place, next(answers), next(answers)) for place in places]
        heads = {place: link_of(stored(row)).hex() for place, row, _ in rows if row}
        return FoundEvents(heads, {table: length - 1 for (table, _), _, length in rows})

    def apply_replicated(self, table: str, row: bytes) -> None:
        self.carried.append((table, row))

    async def row(self, table: str) -> EventRef:
        """Return the number and the head of the newest event."""
        seq = await self._store.llen(f"log:{table}") - 1
        return EventRef(seq, (await self.link(table, seq)).hex())

    async def link(self, table: str, seq: int) -> bytes:
        """Return the hash of the event at `seq`, or b"" before the first event."""
        row = await self._store.lindex(f"log:{table}", seq) if seq >= 0 else None
        return link_of(stored(row)) if row else b""

    async def events_after(self, table: str, audience: int, after: int) -> EventsAfter:
        self.reads += 1
        if self.outage:
            raise Problem("unavailable")
        if after >= await self._store.llen(f"log:{table}"):
            raise Problem("future-sequence")
        async with self._store.pipeline() as pipe:
            pipe.lrange(f"log:{table}", max(after, 0), after)
            pipe.lrange(f"log:{table}", after + 1, after + PAGE)
            known, rows = await pipe.execute()
        await self.meanwhile()
        head = next((link_of(stored(row)).hex() for row in known), None) if after >= 0 else ""
        return EventsAfter(head, [rendered(seq, stored(row))[audience] for seq, row in enumerate(rows, after + 1)])

    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        seat = await self._store.get(f"seat:{table}:{player}")
        if seat is None:
            raise Problem("forbidden")
        command = msgspec.json.decode(body)
        head = await self._store.llen(f"log:{table}") - 1
        if command["expected_seq"] != head:
            raise Problem("stale-sequence", seq=head)
        return msgspec.json.encode({"seq": await self.say(table, command["action"]["id"], int(seat))})

    # --- texts, of which this service has none ------------------------------------------------------------------------
    async def of(self, table: str, audience: int, locale: str) -> Texts:
        raise Problem("not-found")

    async def answered(self, table: str, player: str | None, locale: str | None, work: Awaitable[bytes]) -> bytes:
        return await work


async def nothing() -> None:
    """Return at once, as the default that does not delay reads."""


class Held:
    """A delay of all reads of the log.

    `asked` is set when the first read waits, and setting `released` lets all reads go on.
    """

    def __init__(self) -> None:
        self.asked, self.released = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.asked.set()
        await self.released.wait()


def stored(row: object) -> dict[int, bytes]:
    assert isinstance(row, bytes)
    return msgspec.msgpack.decode(row, type=dict[int, bytes])


def link_of(told: Mapping[int, bytes]) -> bytes:
    return blake2b(msgspec.msgpack.encode([*told.items()]), digest_size=8).digest()


def rendered(seq: int, told: Mapping[int, bytes]) -> dict[int, bytes]:
    """Render the messages of an event for each audience that has one."""
    head = link_of(told).hex()
    return {audience: _event(b'"seq":%d,"head":"%b"' % (seq, head.encode()), data) for audience, data in told.items()}


def _event(place: bytes, data: bytes) -> bytes:
    if data.startswith(b'{"type":'):
        type, _, rest = data.partition(b",")
        return b"%b,%b,%b" % (type, place, rest)
    return b'{"type":"said",%b,"data":%b}' % (place, data) if data else b'{"type":"hidden",%b}' % place

"""Presence at tables, which is the connected seats and the number of spectators.

For each table, Redis has a hash in which every process stores the presence of its own clients, with the time. A process
announces changes on the table's channel. Processes that follow the table read the hash at most once a second, and send
the presence to their readers. Without Redis, no presence is sent. Every second, a process confirms and reads a part of
its tables, so that each table is confirmed within REFRESH seconds. The confirmations keep the process's entries valid;
entries of dead processes expire.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from itertools import count, islice
from typing import Any, NamedTuple, Protocol, Self, cast

import msgspec
from redis.asyncio.client import Pipeline
from redis.asyncio.cluster import ClusterPipeline

from ludarium.live import channel
from ludarium.platform import valkey
from ludarium_engine.kernel.decoding import msgpack_decoder

log = logging.getLogger(__name__)

PREFIX = "ludarium:presence:"
CALM = 1.0
"""Seconds between two reads. If a client reconnects within this time, others do not notice."""
REFRESH = 15.0
"""Seconds within which a process confirms each of its entries."""
STALE = 40
"""Seconds after which an unconfirmed entry is ignored."""
SLICE = 64
"""Maximum number of tables in one pipeline; other tasks run between two pipelines."""


class Present(msgspec.Struct, frozen=True):
    """The seats with connected players, and the number of connections that watch."""

    seats: list[int]
    spectators: int


NOBODY = Present([], 0)


class _Said(NamedTuple):
    """The presence in one process. `at` is the last update, in seconds since 1970."""

    at: int
    seats: list[int]
    spectators: int


class Followers(Protocol):
    """Interface to the tables that this process follows."""

    def followed(self) -> Iterable[str]: ...

    def present(self, table: str) -> Present: ...

    def send_presence(self, table: str, present: Present) -> None: ...


Pipe = Pipeline | ClusterPipeline
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgpack_decoder(_Said)


class Presence:
    def __init__(self, url: str) -> None:
        self._redis = valkey.client(url)
        self._name = secrets.token_hex(8)
        self._said: dict[str, Present | None] = {}
        """What this process has stored for tables with anyone present; None if Redis has not answered."""
        self._changed: set[str] = set()
        self._unconfirmed: set[str] = set()
        self._outdated: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._redis.aclose()

    def changed(self, table: str) -> None:
        """Note that a client of this process has connected to the table or disconnected."""
        self._changed.add(table)

    def outdated(self, table: str) -> None:
        """Note that a process has announced a change of the table's presence."""
        self._outdated.add(table)

    async def of(self, table: str) -> Present | None:
        """Return the presence at a table, None if Redis cannot be reached."""
        try:
            return _together(cast(dict[bytes, bytes], await self._redis.hgetall(PREFIX + table)))
        except valkey.AWAY as error:
            log.debug("who is present cannot be told: %s", error)
            return None

    async def keep(self, floor: Followers) -> None:
        """Store and read presence until cancelled."""
        for second in count():
            await asyncio.sleep(CALM)
            turn = _turn(floor.followed(), second)
            self._unconfirmed |= turn
            self._outdated |= turn
            await self._publish_loop(floor)
            await self._confirm()
            await self._look(floor)

    async def _publish_loop(self, floor: Followers) -> None:
        """Store changed presence. Changes during a write are stored in the next round."""
        changed, self._changed = self._changed, set()
        here = {table: present for table in changed if (present := floor.present(table)) != self._said.get(table, NOBODY)}
        self._said.update(dict.fromkeys(here))
        untold = set(here)
        async for table, _ in self._answers(here, lambda pipe, table: self._tell_of(pipe, table, here[table])):
            untold.remove(table)
            self._said[table] = here[table]
            if here[table] == NOBODY:
                del self._said[table]
        self._changed |= untold

    async def _confirm(self) -> None:
        """Confirm unchanged entries, without announcing them."""
        here = {table: present for table in self._unconfirmed if (present := self._said.get(table))}
        self._unconfirmed = set(here)
        async for table, added in self._answers(here, lambda pipe, table: self._say(pipe, table, here[table])):
            self._unconfirmed.remove(table)
            if added:  # Redis had lost the entry, so other processes may have missed it
                self._said[table] = None
                self._changed.add(table)

    async def _look(self, floor: Followers) -> None:
        """Read the presence at tables where it is outdated, and send it to readers.

        Changes during the read are read in the next round.
        """
        unseen, self._outdated = self._outdated.intersection(floor.followed()), set()
        async for table, said in self._answers([*unseen], lambda pipe, table: pipe.hgetall(PREFIX + table)):
            unseen.remove(table)
            floor.send_presence(table, _together(said))
        self._outdated |= unseen

    def _tell_of(self, pipe: Pipe, table: str, present: Present) -> None:
        self._say(pipe, table, present)
        pipe.spublish(channel.of_table(table), channel.PRESENCE)

    def _say(self, pipe: Pipe, table: str, present: Present) -> None:
        if present == NOBODY:
            pipe.hdel(PREFIX + table, self._name)
        else:
            pipe.hset(PREFIX + table, self._name, _pack(_Said(int(time.time()), present.seats, present.spectators)))
        pipe.expire(PREFIX + table, STALE)

    async def _answers(
        self, tables: Iterable[str], ask: Callable[[Pipe, str], object]
    ) -> AsyncIterator[tuple[str, Any]]:
        """Run `ask` for each table in a pipeline; yield each table with its first reply.

        `ask` sends the same number of commands for each table. Tables on an unreachable node are skipped.
        """
        try:
            for some in _slices(tables):
                for answer in await self._answers_of(some, ask):
                    yield answer
        except valkey.AWAY as error:
            log.debug("presence waits for Redis: %s", error)

    async def _answers_of(self, tables: list[str], ask: Callable[[Pipe, str], object]) -> list[tuple[str, Any]]:
        async with self._redis.pipeline(transaction=False) as pipe:
            for table in tables:
                ask(pipe, table)
            replies = await pipe.execute(raise_on_error=False)
        each = len(replies) // len(tables)
        parts = zip(tables, (replies[nth : nth + each] for nth in range(0, len(replies), each)), strict=True)
        return [(table, part[0]) for table, part in parts if not any(isinstance(one, Exception) for one in part)]


def _turn(tables: Iterable[str], second: int) -> set[str]:
    """Return the tables whose entries are confirmed and read in this second.

    Each table has its turn once in REFRESH seconds, which spreads the work.
    """
    turns = round(REFRESH / CALM)
    return {table for table in tables if (hash(table) - second) % turns == 0}


def _slices(tables: Iterable[str]) -> Iterator[list[str]]:
    waiting = iter(tables)
    while some := [*islice(waiting, SLICE)]:
        yield some


def _together(said: dict[bytes, bytes]) -> Present:
    """Combine the recent entries of all processes."""
    recent = [one for one in map(_unpack, said.values()) if one.at > time.time() - STALE]
    return Present(sorted({seat for one in recent for seat in one.seats}), sum(one.spectators for one in recent))

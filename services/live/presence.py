"""Who is at a table, over all processes: which seats are connected, and how many watch.

Each process keeps what it has here in a hash of Redis, with the time, and says on the table's channel when that changed.
Once a second, at most, each process that follows the table looks and tells its readers. Without Redis nothing is told.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Iterable
from typing import NamedTuple, Protocol, Self, cast

import msgspec

from services import valkey
from services.live import channel

log = logging.getLogger(__name__)

PREFIX = "ludarium:presence:"
CALM = 1.0
"""Seconds between two looks: who connects again within them was never away."""
REFRESH = 15.0
"""Seconds after which a process says again what it has."""
STALE = 40
"""Seconds after which a process that said nothing is not believed any more."""


class Present(msgspec.Struct, frozen=True):
    """The seats whose players are connected, and the number of connections that watch."""

    seats: list[int]
    spectators: int


class _Said(NamedTuple):
    """By one process. `at`: seconds since 1970."""

    at: int
    seats: list[int]
    spectators: int


class Floor(Protocol):
    """The tables that one process follows."""

    def followed(self) -> Iterable[str]: ...

    def here(self, table: str) -> Present: ...

    def announce(self, table: str, present: Present) -> None: ...


_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(_Said).decode


class Presence:
    def __init__(self, url: str) -> None:
        self._redis = valkey.client(url)
        self._name = secrets.token_hex(8)
        self._changed: set[str] = set()
        self._outdated: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._redis.aclose()

    def changed(self, table: str) -> None:
        """Somebody came or went here."""
        self._changed.add(table)

    def outdated(self, table: str) -> None:
        """Somebody came or went at some process."""
        self._outdated.add(table)

    async def of(self, table: str) -> Present | None:
        """None while Redis is away."""
        try:
            return _together(cast(dict[bytes, bytes], await self._redis.hgetall(PREFIX + table)))
        except valkey.AWAY as error:
            log.debug("who is present cannot be told: %s", error)
            return None

    async def keep(self, floor: Floor) -> None:
        """Tells and looks for as long as the process runs."""
        refreshed = 0.0
        while True:
            await asyncio.sleep(CALM)
            if time.monotonic() > refreshed + REFRESH:
                refreshed = time.monotonic()
                self._changed.update(floor.followed())
            try:
                await self._tell(floor)
                await self._look(floor)
            except valkey.AWAY as error:
                log.debug("presence waits for Redis: %s", error)

    async def _tell(self, floor: Floor) -> None:
        """What changes while Redis takes it in is told the next time."""
        changed, self._changed = self._changed, set()
        try:
            await self._say(changed, floor)
        except valkey.AWAY:
            self._changed |= changed
            raise

    async def _say(self, tables: Iterable[str], floor: Floor) -> None:
        now = int(time.time())
        async with self._redis.pipeline(transaction=False) as pipe:
            for table in tables:
                here = floor.here(table)
                if here.seats or here.spectators:
                    pipe.hset(PREFIX + table, self._name, _pack(_Said(now, here.seats, here.spectators)))
                    pipe.expire(PREFIX + table, STALE)
                else:
                    pipe.hdel(PREFIX + table, self._name)
                pipe.spublish(channel.of_table(table), channel.PRESENCE)
            await pipe.execute()

    async def _look(self, floor: Floor) -> None:
        """What is out of date again while Redis answers is looked at the next time."""
        outdated, self._outdated = self._outdated.intersection(floor.followed()), set()
        try:
            found = await self._heard(outdated)
        except valkey.AWAY:
            self._outdated |= outdated
            raise
        for table, said in zip(outdated, found, strict=True):
            floor.announce(table, _together(said))

    async def _heard(self, tables: Iterable[str]) -> list[dict[bytes, bytes]]:
        """What each process has said of each of the tables."""
        async with self._redis.pipeline(transaction=False) as pipe:
            for table in tables:
                pipe.hgetall(PREFIX + table)
            return await pipe.execute()


def _together(said: dict[bytes, bytes]) -> Present:
    """What all processes have that were heard of lately."""
    recent = [one for one in map(_unpack, said.values()) if one.at > time.time() - STALE]
    return Present(sorted({seat for one in recent for seat in one.seats}), sum(one.spectators for one in recent))

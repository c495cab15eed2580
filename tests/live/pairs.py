"""Pairs of games of all titles that must look identical to some audiences."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import NamedTuple

import httpx

from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import Case, cases
from tests.api.test_live import port_of
from tests.api.test_streams import other_process
from tests.live.stage import House, both
from tests.live.worlds import NoSuchWorlds, Worlds, answered_otherwise, dealt_otherwise, gone_otherwise
from tests.support.entropy import ENTROPY
from tests.support.waiting import LIMIT

CONFIG = Config(port=0, ws_port=0, rate_limits=False)
AT_ONCE = 4
"""Pairs that are played at the same time."""


class Kind(NamedTuple):
    """A way to make two games that differ, and the audiences that must not notice.

    `delay` is the number of events by which spectators are delayed.
    """

    name: str
    made: Callable[[Case, Random], Worlds]
    audiences: Collection[int]
    delay: int = 0


HANDS = Kind("other hands", lambda case, luck: dealt_otherwise(case, luck, (0, SPECTATOR), 8), (0, SPECTATOR))
ALL_HANDS = Kind("other hands of all seats", lambda case, luck: dealt_otherwise(case, luck, (SPECTATOR,), 8), (SPECTATOR,))
SEALED = Kind("another sealed answer", lambda case, luck: answered_otherwise(case, luck, (0, SPECTATOR), 30), (0, SPECTATOR))
LATER = Kind("other moves behind a delay", lambda case, luck: gone_otherwise(case, luck, 3, 3), (SPECTATOR,), delay=3)
KINDS = (HANDS, ALL_HANDS, SEALED, LATER)


@asynccontextmanager
async def house_at(database_url: str, redis_url: str) -> AsyncIterator[House]:
    """Start two servers on an empty database, and a third process with its own tables."""
    await migrated(database_url)
    async with AsyncExitStack() as stack:
        played, watched = [await stack.enter_async_context(running(CONFIG, database_url, redis_url, ENTROPY)) for _ in range(2)]
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=f"{played.http}/api/v1", timeout=LIMIT))
        tables = await stack.enter_async_context(other_process(database_url, redis_url))
        yield House(tables, http, httpx.URL(watched.http).port or 0, port_of(watched))


async def many_pairs(database_url: str, redis_url: str, rounds: int, luck: Random) -> Counter[str]:
    """Compare random pairs of games in `rounds` rounds, and count them by kind.

    Raises:
        AssertionError: An audience can distinguish the two games of a pair.
    """
    played = Counter[str]()
    anything = [case for title in titles().values() for case in cases(title) if case.seats > 1]
    async with house_at(database_url, redis_url) as house:
        for _ in range(rounds):
            chosen = [(luck.choice(KINDS), luck.choice(anything)) for _ in range(AT_ONCE)]
            played.update(await asyncio.gather(*[one_pair(house, kind, case, luck) for kind, case in chosen]))
    return played


async def one_pair(house: House, kind: Kind, case: Case, luck: Random) -> str:
    """Compare one pair of games and return its kind."""
    try:
        worlds = kind.made(case, luck)
    except NoSuchWorlds:
        return "not to be had"
    found = await both(house, worlds, kind.audiences, kind.delay)
    assert not found, f"{case.title.id} {dict(case.raw)}, {case.seats} seats, {kind.name}: {found[0]}"
    return kind.name

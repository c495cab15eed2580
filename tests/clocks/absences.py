"""Games at two servers in which players vanish, and the remaining players finish.

Players vanish at every kind of question.
"""
from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import cycle, islice
from random import Random
from typing import NamedTuple

from ludarium_client.bodies import LiveClock, NewTable
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import Case, cases
from tests.clocks.absent import LIFE, REMEDIES, Leaver, guests, opened, played, told
from tests.support.servers import two_servers

CLOCK = LiveClock(bank=5, increment=3, cap=8)
OFTEN = 0.02
"""The chance that a player vanishes at a kind of question that has been covered."""
PEOPLE = 4
"""The most people at a table; bots have the other seats."""
AT_ONCE = 8


class Game(NamedTuple):
    case: Case
    remedy: str
    seed: int


async def vanishing(
    database_url: str, redis_url: str, rulesets: Sequence[str], games: int, seed: int
) -> AsyncIterator[str]:
    """Play `games` games of each title, and yield a line of text about each title."""
    async with two_servers(database_url, redis_url, rate_limits="false") as servers:
        addresses, places = [server.http for server in servers], asyncio.Semaphore(AT_ONCE)
        for ruleset in rulesets:
            leaver, lived = Leaver(OFTEN), Counter[str]()

            async def one(game: Game, leaver: Leaver = leaver, lived: Counter[str] = lived) -> None:
                async with places:
                    lived.update(await finished(addresses, game, leaver))

            await asyncio.gather(*[one(game) for game in some(ruleset, games, seed)])
            assert {*leaver.left} == {*leaver.asked}, "somebody has gone from every kind of question"
            yield f"{ruleset}: {games} games finished at two servers; {leaver.left.total()} seats vanished, in each of" \
                f" {len(leaver.asked)} kinds of question; {dict(lived)}"


def some(ruleset: str, games: int, seed: int) -> list[Game]:
    """Return games with the absence policies in turn.

    Variants and numbers of seats above one are random.
    """
    luck = Random(f"{seed} {ruleset}")
    wide = [case for case in cases(titles()[ruleset]) if case.seats > 1]
    return [Game(luck.choice(wide), remedy, seed + nth) for nth, remedy in enumerate(islice(cycle(REMEDIES), games))]


async def finished(addresses: Sequence[str], game: Game, leaver: Leaver) -> Counter[str]:
    """Play a game to its end, and count the events about absence."""
    case = game.case
    lucks = [Random(f"{game.seed} {nth}") for nth in range(min(case.seats, PEOPLE))]
    async with guests(addresses, lucks, leaver) as there:
        wanted = NewTable(ruleset=case.title.id, seats=case.seats, options={**case.raw})
        table = await opened(there, wanted, game.remedy, CLOCK)
        await played(there, table)
        events = await told(there[0].client, table, case.seats)
    return Counter(str(event.__struct_config__.tag) for event in events if isinstance(event, LIFE))

"""Games that bots have played to the end before anybody comes, in the log as if a release had written them."""

from functools import cache
from uuid import UUID

import asyncpg

from eventstore import EventStore
from services import ids
from tests.records.kept import Kept, kept, load
from tests.records.pure import Game

SEATS = 3


async def planted_game(database_url: str, ruleset: str, *, seats: int = SEATS) -> str:
    """A game with a plan on each side; the table's id."""
    game = played(ruleset, seats)
    async with await EventStore.open(database_url) as store:
        try:
            return ids.encode(await load(store, game))
        except asyncpg.UniqueViolationError:
            return ids.encode(UUID(bytes=game.stream))


@cache
def played(ruleset: str, seats: int) -> Kept:
    """The same in each run, so once in a run."""
    return kept(Game(f"replay {ruleset}", ruleset, seats, bot="simple").start().play())

"""Games written to the log before a test, as if played by an earlier release."""

from functools import cache
from uuid import UUID

from ludarium.platform import ids
from ludarium.tables.model.table_state import TableState
from ludarium_eventstore import EventStore
from tests.support.kept_logs import Kept, kept, load
from tests.support.pure_games import Game

SEATS = 3


async def planted_game(database_url: str, ruleset: str, *, seats: int = SEATS) -> str:
    """Plant a game in which all seats follow a strategy; return the table's id."""
    return await planted(database_url, played(ruleset, seats))


async def planted_battle(database_url: str) -> tuple[str, int]:
    """Plant a game that stops in a battle where both sides have shown a card.

    Returns:
        The table's id and its last `seq`.
    """
    game = Game("battle", "kemet", SEATS).start().play(until=fought)
    assert game.history.ended is None
    return await planted(database_url, kept(game)), game.history.version


def fought(table: TableState) -> bool:
    focus = table.title.focus(table.playing) if table.ended is None else None
    return focus is not None and len(focus.sides) > 1 and all(side.cards for side in focus.sides)


async def planted(database_url: str, game: Kept) -> str:
    """Write the game to the log, unless it is there; return the table's id."""
    async with await EventStore.open(database_url) as store:
        stream = UUID(bytes=game.stream)
        if await store.head(stream) is None:
            await load(store, game)
        return ids.encode(stream)


@cache
def played(ruleset: str, seats: int) -> Kept:
    """Play a game, the same one in each run.

    It is cached. Its name determines the stream, so another number of seats is another game.
    """
    name = f"replay {ruleset}" if seats == SEATS else f"replay {ruleset} of {seats}"
    return kept(Game(name, ruleset, seats, bot="simple").start().play())

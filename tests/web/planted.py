"""Games written directly into the log, as if an earlier release had played them.

Such games are called planted.
"""

from functools import cache
from uuid import UUID

from ludarium.platform import ids
from ludarium.tables.model.table_state import TableState
from ludarium_eventstore import EventStore
from tests.support.kept_logs import Kept, kept, load
from tests.support.pure_games import Game

SEATS = 3


async def planted_game(database_url: str, ruleset: str, *, seats: int = SEATS) -> str:
    """Plant a game in which all seats follow a strategy, and return the table's id."""
    return await planted(database_url, played(ruleset, seats))


async def planted_battle(database_url: str) -> tuple[str, int]:
    """Plant a game that stops in a battle in which both sides have shown a card.

    Returns:
        The table's id and the number of its last event.
    """
    game = Game("battle", "kemet", SEATS).start().play(until=fought)
    assert game.history.ended is None
    return await planted(database_url, kept(game)), game.history.version


def fought(table: TableState) -> bool:
    focus = table.title.focus(table.playing) if table.ended is None else None
    return focus is not None and len(focus.sides) > 1 and all(side.cards for side in focus.sides)


async def planted(database_url: str, game: Kept) -> str:
    """Write the game to the log, unless the log has it, and return the table's id."""
    async with await EventStore.open(database_url) as store:
        stream = UUID(bytes=game.stream)
        if await store.head(stream) is None:
            await load(store, game)
        return ids.encode(stream)


@cache
def played(ruleset: str, seats: int) -> Kept:
    """Play the same game in each run, and cache it.

    The game's name determines its stream, so the number of seats is part of the name.
    """
    name = f"replay {ruleset}" if seats == SEATS else f"replay {ruleset} of {seats}"
    return kept(Game(name, ruleset, seats, bot="simple").start().play())

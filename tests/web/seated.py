"""A player's seat at any moment of a game.

The game is played up to that moment without a page, and written to the log.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from playwright.async_api import Browser, Page

from ludarium.platform import ids
from ludarium.platform.database import database
from ludarium.tables.model.events import Seated
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel.bodies import ChoiceBody
from ludarium_engine.kernel.describe import describe_choice
from tests.support.kept_logs import kept
from tests.support.pure_games import Game, player
from tests.support.sessions import session_of
from tests.web.browser import DESK, Screen, visitor
from tests.web.planted import SEATS, planted
from tests.web.player import READY

OWN = 0
"""The player's seat; bots have the others."""
PERSON = player("the person", OWN)
MOST_GAMES = 120
KEEP_TOKEN = """if (location.origin === %s && !sessionStorage.getItem('signed in')) {
    sessionStorage.setItem('signed in', 'once')
    localStorage.setItem('ludarium.token', %s)
}"""
"""Signs in when the first page opens.

Playwright's storage state would need another page for that.
"""

Moment = Callable[[ChoiceBody, TableState], bool]


def at_once(choice: ChoiceBody, table: TableState) -> bool:
    """Match the first question."""
    return True


def event(least: int) -> Moment:
    """Match the first question after this many events."""
    return lambda choice, table: table.version >= least


def near_end(name: str, ruleset: str, seats: int, events: int) -> Moment:
    """Match the first question within the last `events` events of the named game.

    The length is that of the game as bots play it.
    """
    return event(begun(f"{name} 0", ruleset, seats).play().history.version - events)


def question(prompt: str) -> Moment:
    return lambda choice, table: choice.prompt.id == prompt


def offers(least: int) -> Moment:
    return lambda choice, table: len(choice.offers) >= least


def about_pieces(choice: ChoiceBody, table: TableState) -> bool:
    """Match a question for which several cards or spaces may be chosen."""
    pieces = {(piece.kind, str(piece.value), str(piece.zone)) for offer in choice.offers for piece in offer.touches}
    return len([kind for kind, _, _ in pieces if kind in ("card", "slot")]) > 1


def sends(choice: ChoiceBody, table: TableState) -> bool:
    """Match a question that a single press answers."""
    return any(offer.subset is None for offer in choice.offers)


class Seats:
    """Tables where one player has a seat, and browsers signed in as that player."""

    def __init__(self, site: str, browser: Browser, database_url: str) -> None:
        self.site, self.browser, self.database_url = site, browser, database_url

    async def table(self, name: str, ruleset: str, moment: Moment = at_once, *, seats: int = SEATS) -> str:
        """Plant a game that stops at that moment, and return its address.

        The same name gives the same game in each run, so each test needs another name.

        Raises:
            AssertionError: The moment occurs in none of the games.
        """
        game = asked(name, ruleset, moment, seats)
        return f"{self.site}/t/{await planted(self.database_url, kept(game))}"

    @asynccontextmanager
    async def visitor(self, screen: Screen = DESK, **more: Any) -> AsyncIterator[Page]:
        token = await signed_in(self.database_url)
        async with visitor(self.browser, screen, **more) as page:
            await page.add_init_script(KEEP_TOKEN % (json.dumps(self.site), json.dumps(token)))
            yield page

    @asynccontextmanager
    async def asked(
        self, name: str, ruleset: str, moment: Moment = at_once, screen: Screen = DESK, *, seats: int = SEATS, **more: Any
    ) -> AsyncIterator[Page]:
        """Open a page on which the player has a question at that moment."""
        async with self.visitor(screen, **more) as page:
            await page.goto(await self.table(name, ruleset, moment, seats=seats))
            await page.locator(READY).wait_for()
            yield page


def asked(name: str, ruleset: str, moment: Moment, seats: int) -> Game:
    for nth in range(MOST_GAMES):
        game = begun(f"{name} {nth}", ruleset, seats)
        game.play(until=lambda table: table.ended is not None or asks(table, moment))
        if game.history.ended is None:
            return game
    raise AssertionError(f"{name}: in none of {MOST_GAMES} games")


def begun(name: str, ruleset: str, seats: int) -> Game:
    game = Game(name, ruleset, seats, bot="simple", seated=False)
    game.append([Seated(seat, PERSON, None) if seat == OWN else Seated(seat, None, "simple") for seat in range(seats)])
    return game.start()


def asks(table: TableState, moment: Moment) -> bool:
    choice = describe_choice(table.title, table.playing, OWN)
    return choice is not None and moment(choice, table)


@cache
def questions(ruleset: str, seats: int = SEATS) -> tuple[str, ...]:
    """Return the ids of all prompts that the player gets in one game, in order."""
    found = dict[str, None]()

    def note(choice: ChoiceBody, table: TableState) -> bool:
        found[choice.prompt.id] = None
        return False

    begun(f"questions {ruleset}", ruleset, seats).play(
        until=lambda table: table.ended is not None or asks(table, note)
    )
    return tuple(found)


async def signed_in(database_url: str) -> str:
    """Sign the player in as a guest, and return the token."""
    async with database(database_url) as base:
        identifier = ids.decode(PERSON)
        await base.rows(
            "insert into accounts.players (id, kind, name) values ($1, 'guest', 'Ada') on conflict do nothing", identifier
        )
        return await session_of(base, identifier)

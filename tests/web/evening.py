"""A game night in the web client, from an invitation to a tournament.

`make prove ONLY=web` runs it.
"""
from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random

from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from ludarium.platform.database import Database
from tests.support.tournaments import Event, host_of, plan, players_of
from tests.web.api import api
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import MOVE, OVER, TABLE, play_together, seq
from tests.web.test_access import LOCALES
from tests.web.test_friends import ask, sit_and_start
from tests.web.test_friends import open_table as open_for_two
from tests.web.test_house import says
from tests.web.test_tournaments import press, signed_in

WAYS = [(locale, screen) for locale in LOCALES for screen in (PHONE, DESK)]
"""Ada's language and screen.

Ben and Cyd have the next languages, and Ben has the other screen.
"""
MOVES = 4
"""The number of events between two disturbances."""
SILENCE_MS = 60_000
"""How long the silent connection lasts, in milliseconds of the page's clock."""
BANK = 10
"""The time of the clock that runs out, in seconds."""
OTHERS = 3
SWISS = {"format": "swiss", "seats": 2, "rounds": 1}
# Keeps each state of the table's connection from now on.
KEEP_CONNECTIONS = """table => new MutationObserver(() => {
    table.dataset.connections = `${table.dataset.connections ?? ''} ${table.dataset.connection}`
}).observe(table, {attributeFilter: ['data-connection']})"""
CONNECTIONS_LOST = re.compile("connecting|offline")
ENDED = "[data-scores][data-reason={reason}]"


class Line:
    """The sockets of a page, which can be closed or silenced."""

    def __init__(self) -> None:
        self.sockets = list[WebSocketRoute]()
        self.silent = False

    async def carry(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        server = socket.connect_to_server()
        socket.on_message(lambda said: None if self.silent else server.send(said))
        server.on_message(lambda told: None if self.silent else socket.send(told))


@dataclass
class Evening:
    """A game night at which Ada opens tables, Ben plays with her, and Cyd watches.

    `table` is the address of the current table.
    """

    site: str
    ada: Page
    ben: Page
    cyd: Page
    luck: Random
    line: Line = field(default_factory=Line)
    table: str = ""

    @property
    def players(self) -> tuple[Page, Page]:
        return self.ada, self.ben

    async def invite(self) -> None:
        await self.ada.clock.install()
        await self.ada.route_web_socket("**", self.line.carry)
        self.table = await open_for_two(self.ada, self.site)

    async def sit(self) -> None:
        await self.ben.goto(self.table)
        await sit_and_start(self.ada, self.ben)

    async def play(self) -> None:
        """Play until both players have seen MOVES more events."""
        until = await seq(self.ada) + MOVES

        async def far_enough() -> bool:
            assert not await self.ada.locator(OVER).count(), "the game ended before the evening did"
            return min([await seq(page) for page in self.players]) >= until

        await play_together(self.players, self.luck, far_enough)

    async def lose_the_line(self) -> None:
        await self.line.sockets[-1].close(code=1012)
        await self.play()

    async def silence(self) -> None:
        """Silence the socket, and check that the page notices that without help.

        The page must use HTTP streams until sockets work again.
        """
        table, before, self.line.silent = self.ada.locator(TABLE), len(self.line.sockets), True
        await table.evaluate(KEEP_CONNECTIONS)
        await self.ada.clock.run_for(SILENCE_MS)
        await expect(table).to_have_attribute("data-connections", CONNECTIONS_LOST)
        await expect(table).to_have_attribute("data-connection", "online")
        assert len(self.line.sockets) > before
        await self.play()
        self.line.silent = False
        await self.play()

    async def reload(self) -> None:
        before = await seq(self.ben)
        await self.ben.reload()
        await self.ben.locator(TABLE).wait_for()
        assert await seq(self.ben) >= before
        await self.play()

    async def watch(self) -> None:
        await self.cyd.goto(self.table)
        await self.cyd.locator(TABLE).wait_for()
        await self.play()
        await expect(self.cyd.locator(TABLE)).to_have_attribute("data-seq", str(await seq(self.ada)))
        assert await self.cyd.locator(MOVE).count() == 0

    async def chat(self) -> None:
        for page in self.players:
            await page.locator("[data-talk] > summary").click()
        await says(self.ben, "Good evening")
        await expect(self.ada.locator('[data-message="1"]')).to_contain_text("Good evening")

    async def resign(self) -> None:
        await ask(self.ben, "resign")
        for page in (*self.players, self.cyd):
            await page.locator(ENDED.format(reason="resigned")).wait_for()

    async def rematch(self) -> None:
        before = self.ada.url
        for page in self.players:
            await page.locator('[data-action="rematch"]').click()
            await expect(page).not_to_have_url(before)
        await expect(self.ben).to_have_url(self.ada.url)
        await expect(self.ada.locator('[data-taken="false"]')).to_have_count(0)
        await self.ada.locator('[data-action="start"]').click()
        await self.play()

    async def replay(self) -> None:
        """Step through the game that ended by resignation."""
        await self.cyd.locator('[data-action="watch"]').click()
        await self.cyd.locator("[data-replay]").wait_for()
        await self.cyd.locator(".scrubber input").focus()
        await self.cyd.keyboard.press("Home")
        await self.cyd.locator('[data-control="on"]').click()
        last = await self.cyd.locator("[data-replay]").get_attribute("data-last")
        await self.cyd.locator(".scrubber input").focus()
        await self.cyd.keyboard.press("End")
        await expect(self.cyd.locator("[data-replay]")).to_have_attribute("data-seq", str(last))

    async def time_out(self) -> None:
        """Let a clock run out.

        The form offers no clock this short, so the request is changed on the way to the server.
        """
        await self.ada.route("**/api/v1/tables", hurried)
        self.table = await open_for_two(self.ada, self.site, clock="5+3")
        await self.ben.goto(self.table)
        await sit_and_start(self.ada, self.ben)
        for page in self.players:
            await page.locator(ENDED.format(reason="timed_out")).wait_for()

    async def whole(self) -> None:
        """Check that no text is missing and no page is wider than its window."""
        for page in (*self.players, self.cyd):
            assert await page.locator("[data-missing-text]").count() == 0
            root = "document.documentElement"
            assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


async def hurried(route: Route) -> None:
    wanted = route.request.post_data_json
    if route.request.method != "POST" or not isinstance(wanted, dict):
        return await route.continue_()
    wanted["policies"] |= {"clock": {"type": "live", "bank": BANK, "increment": 0}, "absence": {"remedy": "forfeit"}}
    await route.continue_(post_data=wanted)


async def evening(browser: Browser, site: str, base: Database, locale: str, screen: Screen, luck: Random) -> AsyncIterator[str]:
    """Yield the name of each completed step, letting Playwright's errors through.

    Raises:
        AssertionError: A check of a step failed.
        TimeoutError: A step took too long.
    """
    others = [LOCALES[(LOCALES.index(locale) + nth) % len(LOCALES)] for nth in (1, 2)]
    async with AsyncExitStack() as stack:
        ada, ben, cyd = [
            await stack.enter_async_context(visitor(browser, where, locale=language))
            for where, language in ((screen, locale), (DESK if screen is PHONE else PHONE, others[0]), (PHONE, others[1]))
        ]
        one = Evening(site, ada, ben, cyd, luck)
        for step in (
            one.invite, one.sit, one.play, one.lose_the_line, one.silence, one.reload, one.watch, one.chat, one.resign,
            one.rematch, one.replay, one.time_out,
        ):  # fmt: skip
            await step()
            await one.whole()
            yield step.__name__.replace("_", " ")
        await tournament(ada, site, base, f"Host {locale} {screen.name}")
        await one.whole()
        yield "tournament"
        assert await ada.evaluate("document.documentElement.lang") == locale


async def tournament(page: Page, site: str, base: Database, host: str) -> None:
    """Enter a tournament on the page, and play it over the API.

    The page must show the table and the standings.
    """
    async with api(site) as http:
        event = await Event.set_up(await host_of(http, base, host), plan(SWISS))
        event.moves = 1
        player, *others = await players_of(http, base, 1 + OTHERS)
        await event.opened()
        await signed_in(page, site, player)
        await page.goto(f"{site}/tournaments/{event.id}")
        await press(page, "enter")
        event.people[1] = player
        await event.enter(others)
        await event.closed()
        published = await event.published()
        await page.locator("[data-next-table]").wait_for()
        await event.close(await event.play(published["stage"], published["round"]))
        await page.locator('[data-sheet="standings"]').click()
        await expect(page.locator("tr[data-entry]")).to_have_count(1 + OTHERS)

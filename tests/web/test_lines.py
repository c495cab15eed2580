"""Pages report dead connections, silent servers and offline devices, and recover."""

import re

from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from tests.support.waiting import eventually
from tests.web.browser import PHONE, visitor
from tests.web.player import READY, SENDS, TABLE, open_table, open_to_answer, seq
from tests.web.seated import Seats
from tests.web.test_first_minute import open_for_others

TITLE = "game-of-kingdoms"
DOUBT_MS, PING_MS, ANSWER_MS, PAUSE_MS = 2_000, 15_000, 5_000, 1_000
PATIENCE_MS = 15_001
"""After how many milliseconds an unanswered request is repeated."""


class Lines:
    """The sockets of a page, of which dead ones pass nothing on and report no error."""

    def __init__(self) -> None:
        self.opened = self.dead = 0

    def die(self) -> None:
        self.dead = self.opened

    async def carry(self, socket: WebSocketRoute) -> None:
        self.opened += 1
        nth, server = self.opened, socket.connect_to_server()
        socket.on_message(lambda said: server.send(said) if nth > self.dead else None)
        server.on_message(lambda told: socket.send(told) if nth > self.dead else None)


async def table_with_lines(page: Page, site: str) -> Lines:
    lines = Lines()
    await page.clock.install()
    await page.route_web_socket("**", lines.carry)
    await open_table(page, site, TITLE)
    await page.locator(READY).wait_for()
    return lines


async def comes_back(page: Page, lines: Lines) -> None:
    """Check that the page replaces a dead socket that was never closed."""
    await expect(page.locator(TABLE)).not_to_have_attribute("data-connection", "online")
    await page.clock.run_for(PAUSE_MS)
    await page.locator(READY).wait_for()
    assert lines.opened > lines.dead


async def test_a_dead_line_is_dropped_when_the_device_has_one_again(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        lines = await table_with_lines(page, site)
        lines.die()
        await page.evaluate("dispatchEvent(new Event('online'))")
        await page.clock.run_for(DOUBT_MS + 1)
        await comes_back(page, lines)


async def test_one_ping_without_an_answer_is_enough(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        lines = await table_with_lines(page, site)
        lines.die()
        await page.clock.run_for(PING_MS + ANSWER_MS + 1)
        await comes_back(page, lines)


async def test_a_server_that_does_not_answer_is_said_to_be_away(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        async def nobody(route: Route) -> None:
            await route.fulfill(status=503, headers={"retry-after": "0"})

        await page.route("**/api/**", nobody)
        await page.goto(site)
        await page.locator("[data-unreachable]").wait_for()
        await page.unroute("**/api/**")
        await page.locator("[data-title]").first.wait_for()
        await expect(page.locator("[data-unreachable]")).to_have_count(0)


async def test_what_a_page_asks_early_and_nobody_answers_is_asked_again(seats: Seats) -> None:
    """Early requests bypass the client's own calls, so they need their own timeout."""
    async with seats.visitor() as page:
        unanswered = list[Route]()

        async def hold_first(route: Route) -> None:
            if unanswered:
                return await route.continue_()
            unanswered.append(route)

        await page.clock.install()
        await page.route("**/api/v1/tables/*/view", hold_first)
        await page.goto(await seats.table("asked early", TITLE))
        await eventually(lambda: unanswered)
        await page.clock.run_for(PATIENCE_MS)
        await page.locator(READY).wait_for()


async def test_a_move_without_a_line_is_kept_once_and_may_be_cancelled(site: str, browser: Browser) -> None:
    """A stored move is sent when the connection returns, but not if it is cancelled."""
    async with visitor(browser) as page:
        await open_to_answer(page, site, TITLE)
        for cancelled in (True, False):
            await page.locator(READY).wait_for()
            before = await seq(page)
            await page.context.set_offline(True)
            await page.locator(SENDS).first.click()
            cancel = page.locator('[data-action="cancel-sending"]')
            await cancel.wait_for()
            if cancelled:
                await cancel.click()
                await page.locator(READY).wait_for()
                assert await seq(page) == before
            await page.context.set_offline(False)
        await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(before))


async def test_the_shell_opens_without_a_line_and_nothing_of_the_api_is_kept(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.goto(site)
        await page.locator("[data-title]").first.wait_for()
        kept = await page.evaluate("""async () => {
            await navigator.serviceWorker.register('/sw.js')
            await navigator.serviceWorker.ready
            const shells = await caches.keys()
            const keys = await Promise.all(shells.map(async name => (await caches.open(name)).keys()))
            return [shells, keys.flat().map(file => file.url)]
        }""")
        shells, files = kept
        assert len(shells) == 1 and files and not [file for file in files if "/api/" in file]
        await page.goto(site)
        await page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        await page.context.set_offline(True)
        await page.reload()
        await page.locator("[data-unreachable]").wait_for()
        await page.context.set_offline(False)
        await expect(page.locator("[data-title]").first).to_be_visible()
        await expect(page).to_have_title(re.compile("Ludarium"))


async def test_another_release_says_that_it_is_there_and_takes_over_when_told_to(site: str, browser: Browser) -> None:
    """A service worker at another address counts as a new one.

    The browser treats it like a service worker whose content has changed.
    """
    async with visitor(browser) as page:
        await page.goto(site)
        await page.evaluate("async () => { await navigator.serviceWorker.ready }")
        await page.reload()
        await page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        assert await page.locator("[data-newer]").count() == 0
        await page.evaluate("async () => { window.before = true; await navigator.serviceWorker.register('/sw.js?next') }")
        await page.locator("[data-newer] button").click()
        await page.wait_for_function("() => !window.before")


class SlowLine:
    """A connection that holds back the response to a subscription.

    Everything that follows the response is held back, too.
    """

    def __init__(self, as_: str) -> None:
        """Hold back the response to a subscription.

        Args:
            as_: The viewer of the subscription as JSON, which is a seat or "spectator".
        """
        self.answer = f'"as":{as_}'
        self.said = list[str]()
        self.held = list[tuple[WebSocketRoute, str | bytes]]()
        self.holds = True

    async def carry(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def forward(said: str | bytes) -> None:
            self.said.append(str(said))
            server.send(said)

        def back(told: str | bytes) -> None:
            if self.holds and (self.held or self.answer in str(told)):
                self.held.append((socket, told))
            else:
                socket.send(told)

        socket.on_message(forward)
        server.on_message(back)

    def let_through(self) -> None:
        self.holds = False
        for socket, told in self.held:
            socket.send(told)


async def test_who_sits_down_before_the_line_has_answered_is_told_nothing_more_as_a_spectator(
    site: str, browser: Browser
) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        link, line = await open_for_others(ada, site), SlowLine('"spectator"')
        await open_for_others(ben, site)        # makes ben a player, so that he keeps his connection when he sits down
        await ben.route_web_socket("**", line.carry)
        await ben.goto(link)
        await ben.locator('[data-action="join"]').click()
        await ben.locator('[data-action="stand-up"]').wait_for()
        line.let_through()
        await expect(ben.locator(TABLE)).to_have_attribute("data-connection", "online")
        await eventually(lambda: any('"unsubscribe"' in said and ":spectator" in said for said in line.said))


async def test_a_table_left_before_the_line_answered_is_followed_when_its_page_opens_again(seats: Seats) -> None:
    async with seats.visitor() as page:
        line = SlowLine("0")
        await page.route_web_socket("**", line.carry)
        await page.goto(await seats.table("left early", TITLE))
        await page.locator(TABLE).wait_for()
        await eventually(lambda: line.held)
        await page.locator(".brand").click()
        await page.locator("[data-title]").first.wait_for()
        await page.go_back()
        await page.locator(TABLE).wait_for()
        await eventually(lambda: sum('"subscribe"' in said for said in line.said) == 2)
        line.let_through()
        await page.locator(READY).wait_for()

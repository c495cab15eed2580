"""A first game takes three clicks, friends join by link, and connections fail."""

import asyncio
from random import Random

from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from tests.support.waiting import eventually, in_time
from tests.web.browser import PHONE, visitor
from tests.web.player import MOVE, OVER, READY, SENDS, TABLE, open_table, open_to_answer, play, play_together, seq
from tests.web.seated import Seats, event, sends

TITLE = "game-of-kingdoms"
LATE = 36
"""The number of events after which a game of three is nearly over."""
CUTS = 6
"""How many answers are lost while two people play together."""


async def test_the_first_own_move_is_the_third_click(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await open_to_answer(page, site, TITLE)
        before = await seq(page)
        await page.locator(SENDS).first.click()
        await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(before))


async def test_a_move_by_keyboard_alone(seats: Seats) -> None:
    async with seats.asked("a key", TITLE, sends) as page:
        before = await seq(page)
        key = await page.locator(f"{SENDS}[aria-keyshortcuts]").first.get_attribute("aria-keyshortcuts")
        assert key is not None
        await page.keyboard.press(key)
        await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(before))


async def test_two_people_by_a_link_one_of_them_cut_off_in_mid_move(site: str, browser: Browser) -> None:
    """Responses are lost after the server accepted the moves.

    No move may count twice.
    """
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        link = await open_for_others(ada, site)
        await ben.goto(link)
        await ben.locator('[data-action="join"]').click()
        await ben.locator('[data-action="stand-up"]').wait_for()
        await expect(ada.locator('[data-chair="1"]')).to_have_attribute("data-taken", "true")
        await ada.locator('[data-action="start"]').click()
        cuts = Cuts(Random(3))
        await ben.route("**/commands", cuts.lose_the_answer)
        await ada.route("**/commands", cuts.lose_the_answer)
        await alternate(ada, ben, Random(5))
        assert cuts.made == CUTS
        for page in (ada, ben):
            await expect(page.locator("[data-scores]")).to_be_visible()


async def test_an_answer_that_never_comes_is_asked_for_again(seats: Seats) -> None:
    """A dead connection reports no error, so only a timeout can help."""
    async with seats.visitor() as page:
        await page.clock.install()
        await page.goto(await seats.table("no answer", TITLE, sends))
        swallowed, keys = asyncio.Event(), list[str | None]()

        async def swallow_the_first(route: Route) -> None:
            keys.append(route.request.headers.get("idempotency-key"))
            if len(keys) > 1:
                return await route.continue_()
            await route.fetch()
            swallowed.set()

        await page.route("**/commands", swallow_the_first)
        await page.locator(READY).wait_for()
        before = await seq(page)
        await page.locator(SENDS).first.click()
        await in_time(swallowed.wait())
        for _ in range(30):
            await page.clock.run_for(1000)
        await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(before))
        assert len(keys) >= 2 and keys[0] == keys[1] is not None


async def test_a_cut_socket_comes_back_and_nothing_is_missing(seats: Seats) -> None:
    """The page must reconnect in mid-game, and must be able to play to the end."""
    async with seats.visitor() as page:
        sockets: list[WebSocketRoute] = []

        async def keep(socket: WebSocketRoute) -> None:
            sockets.append(socket)
            socket.connect_to_server()

        await page.route_web_socket("**", keep)
        await page.goto(await seats.table("cut", TITLE, event(LATE)))
        await page.locator(READY).wait_for()
        await sockets[-1].close(code=1012)
        await play(page, Random(2))
        assert len(sockets) >= 2
        await expect(page.locator("[data-scores]")).to_be_visible()


async def test_a_reload_leads_back_to_the_same_table(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await open_table(page, site, TITLE)
        await play(page, Random(4), moves=4)
        table = await page.locator(TABLE).get_attribute("data-table")
        await page.reload()
        await expect(page.locator(TABLE)).to_have_attribute("data-table", str(table))
        await play(page, Random(4), moves=4)


async def test_somebody_with_the_link_but_no_seat_watches(browser: Browser, seats: Seats) -> None:
    async with seats.asked("watched", TITLE) as page, visitor(browser) as guest:
        await guest.goto(page.url)
        await guest.locator(TABLE).wait_for()
        await play(page, Random(6), moves=2)
        await expect(guest.locator(TABLE)).to_have_attribute("data-seq", str(await seq(page)))
        assert await guest.locator(MOVE).count() == 0


async def open_for_others(page: Page, site: str) -> str:
    await page.goto(site)
    await page.locator(f'[data-title="{TITLE}"]').first.click()
    await page.locator('[data-action="create-listed"]').click()
    invitation = page.locator("[data-invite]")
    await invitation.wait_for()
    return str(await invitation.get_attribute("href"))


async def alternate(ada: Page, ben: Page, luck: Random) -> None:
    """Let the player whose turn it is touch a control, until the end of the game.

    Returns once both pages show the last event.
    """
    async def is_over() -> bool:
        return await ada.locator(OVER).count() > 0

    async def same() -> bool:
        return await seq(ada) == await seq(ben)

    await play_together((ada, ben), luck, is_over)
    await eventually(same)


class Cuts:
    """A connection that lets some commands reach the server but drops the responses."""

    def __init__(self, luck: Random) -> None:
        self.luck, self.made = luck, 0

    async def lose_the_answer(self, route: Route) -> None:
        if self.made == CUTS or self.luck.random() < 0.7:
            return await route.continue_()
        self.made += 1
        try:
            await route.fetch()
        finally:
            await route.abort("connectionreset")

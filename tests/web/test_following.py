"""Other players' moves are shown one by one, even those that happened while away."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import OVER, READY, TABLE, open_table, play, seq, touch

TITLE = "game-of-kingdoms"
SEATS = 4
PLAYED = "[data-played]"
STAY_MS, MOMENT_MS, MOMENTS = 850, 20, 4000
"""The longest time that a move is shown, a short step, and the limit of steps."""


async def stopped(page: Page) -> None:
    """Stop the page's clock, which then moves only when the test moves it."""
    await page.clock.pause_at(await page.evaluate("Date.now() + 1000"))


async def until_played(page: Page, luck: Random | None = None) -> None:
    """Play, or only wait, until moves of other players are queued.

    Time advances in small steps, so that none of these moves is shown yet.
    """
    for _ in range(MOMENTS):
        if await page.locator(PLAYED).count():
            return
        assert not await page.locator(OVER).count()
        if luck and await page.locator(READY).count():
            await touch(page, luck)
        await page.clock.run_for(MOMENT_MS)
    raise AssertionError("nothing was ever played")


@asynccontextmanager
async def skipped(page: Page) -> AsyncIterator[None]:
    """Check that moves are skipped within the context although no time passes.

    Bots play at the same time, so another move may already be queued.
    """
    shown = await seq(page)
    yield
    await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(shown))
    assert await seq(page) > shown


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_moves_of_bots_are_shown_one_by_one_until_one_has_enough(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen, motion="no-preference") as page:
        await page.clock.install()
        await open_table(page, site, TITLE, seats=SEATS)
        await stopped(page)
        luck = Random(24)
        await until_played(page, luck)
        shown = await seq(page)
        await expect(page.locator(f'{TABLE}[data-state="idle"]')).to_have_count(1)
        await expect(page.locator("[data-move]")).to_have_count(0)
        await page.clock.run_for(STAY_MS)
        await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(shown))
        assert await seq(page) > shown
        await until_played(page, luck)
        async with skipped(page):
            await page.keyboard.press("x")
        await until_played(page, luck)
        async with skipped(page):
            await page.locator(".felt [data-card]").first.dispatch_event("click")
        await expect(page.locator(".detail")).to_have_count(0)


async def test_who_comes_back_is_shown_what_was_missed(site: str, browser: Browser) -> None:
    """The desktop must begin where its own last visit ended, not where the phone is."""
    async with visitor(browser, motion="no-preference") as desk:
        await open_table(desk, site, TITLE, seats=SEATS)
        await desk.locator(READY).wait_for()
        table, seen = desk.url, await seq(desk)
        await desk.goto(f"{site}/settings")
        async with visitor(browser, PHONE, storage_state=await desk.context.storage_state()) as phone:
            await phone.goto(table)
            await play(phone, Random(7), moves=2 * SEATS)
            now = await seq(phone)
        await desk.clock.install()
        await stopped(desk)
        await desk.goto(table)
        await until_played(desk)
        assert seen <= await seq(desk) < now
        await expect(desk.locator("[data-visit]")).to_have_count(0)
        await desk.clock.run_for(STAY_MS)
        await expect(desk.locator(TABLE)).not_to_have_attribute("data-seq", str(seen))
        assert seen < await seq(desk) <= now
        await desk.keyboard.press("Escape")
        await expect(desk.locator(PLAYED)).to_have_count(0)
        await expect(desk.locator(TABLE)).to_have_attribute("data-seq", str(now))
        await expect(desk.locator("[data-visit]")).to_have_count(1)
        await desk.clock.resume()
        await desk.locator(READY).wait_for()
        await desk.locator('[data-action="play-moves"]').click()
        await desk.locator(PLAYED).wait_for()
        await desk.locator('[data-action="skip"]').click()
        await desk.locator(READY).wait_for()


async def test_without_motion_nothing_waits_and_what_happened_is_marked(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.clock.install()
        await open_table(page, site, TITLE, seats=SEATS)
        marked, luck = page.locator('.felt [data-marked="last"]'), Random(24)
        while not await marked.count():
            await play(page, luck, moves=1)
            assert not await page.locator(OVER).count()
        await expect(page.locator(PLAYED)).to_have_count(0)
        await page.locator('.entries [data-names*="seat:"]').last.hover()
        await expect(page.locator(".felt .seat-head[data-pointed]").first).to_be_visible()
        await page.locator("h2").first.hover()
        await expect(page.locator("[data-pointed]")).to_have_count(0)
        await page.locator(".entries").focus()
        await page.keyboard.press("ArrowUp")
        await expect(page.locator(".entries [data-current]")).to_have_count(1)

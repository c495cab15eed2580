"""A table for friends: behind a link, with the consent of the others, against the clock."""

import re

from playwright.async_api import Browser, Page, expect

from tests.web.browser import PHONE, visitor
from tests.web.player import MOVE, TABLE

TITLE = "game-of-kingdoms"


async def test_a_private_table_is_there_only_for_who_has_its_link(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben, visitor(browser) as cyd:
        link = await open_table(ada, site, private=True)
        await cyd.goto(link.partition("#")[0])
        await expect(cyd.locator("[role=alert]")).to_be_visible()
        await ben.goto(link)
        await expect(ben).to_have_url(link.partition("#")[0])
        await sit_and_start(ada, ben)
        for page in (ada, ben):
            await expect(page.locator(TABLE)).to_have_attribute("data-state", re.compile("asked|idle"))


async def test_a_link_that_is_not_kept_here_is_made_anew(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada:
        link = await open_table(ada, site, private=True)
        await ada.reload()
        await expect(ada.locator("[data-invite]")).to_have_attribute("href", link)
        await ada.evaluate("sessionStorage.clear()")
        await ada.reload()
        await ada.locator('[data-action="link"]').click()
        await expect(ada.locator("[data-invite]")).not_to_have_attribute("href", link)


async def test_a_clock_runs_and_a_draw_needs_the_other_one(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await begin(ada, ben, site)
        await expect(ada.locator('[data-clock="running"]').first).to_have_text(re.compile(r"\d:\d\d"))
        await ask(ada, "draw")
        await ben.locator('[data-answer="refuse"]').click()
        await expect(ada.locator("[data-answer]")).to_have_count(0)
        await ask(ben, "draw", menu=True)
        await ada.locator('[data-answer="agree"]').click()
        for page in (ada, ben):
            await expect(page.locator('[data-reason="agreed"] [data-score-seat]')).to_have_count(2)
            await expect(page.locator(MOVE)).to_have_count(0)


async def test_who_pauses_goes_on_and_who_resigns_has_lost(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await begin(ada, ben, site)
        await ask(ada, "pause")
        await ben.locator('[data-answer="agree"]').click()
        await ada.locator('[data-answer="resume"]').click()
        await ask(ben, "resign", menu=True)
        for page in (ada, ben):
            await expect(page.locator('[data-reason="resigned"] [data-score-seat="0"]')).to_be_visible()


async def open_table(page: Page, site: str, *, private: bool = False, undo: str = "free", clock: str = "none") -> str:
    """For two. The address that is shown for those who shall sit down."""
    await page.goto(f"{site}/new/{TITLE}")
    await page.locator(".stepper button").first.click()
    await page.locator("[data-policies] summary").click()
    await page.locator('[data-policy="who"]').select_option("link" if private else "anybody")
    await page.locator('[data-policy="undo"]').select_option(undo)
    await page.locator('[data-policy="clock"]').select_option(clock)
    await page.locator('[data-action="create"]').click()
    return str(await page.locator("[data-invite]").get_attribute("href"))


async def begin(ada: Page, ben: Page, site: str) -> None:
    await ben.goto(await open_table(ada, site, private=True, undo="consent", clock="5+3"))
    await sit_and_start(ada, ben)
    for page in (ada, ben):
        await page.locator('[data-clock="running"]').first.wait_for()


async def sit_and_start(ada: Page, ben: Page) -> None:
    await ben.locator('[data-action="join"]').click()
    await expect(ada.locator('[data-taken="false"]')).to_have_count(0)
    await ada.locator('[data-action="start"]').click()


async def ask(page: Page, deed: str, *, menu: bool = False) -> None:
    """Through the menu, where it is behind a button."""
    if menu:
        await page.locator(".settings .menu").click()
    await page.locator(f'[data-deed="{deed}"]').click()
    await page.locator("[data-sure]").click()

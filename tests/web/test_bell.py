"""The bell: how much waits for a player, on every page, and what it is."""
from __future__ import annotations

import asyncio
import re

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.test_access import findings
from tests.web.test_first_minute import open_for_others
from tests.web.test_house import says

BELL = "[data-bell]"
TITLES = {"en": "Notices", "es": "Avisos", "hu": "Értesítések"}


async def seated_elsewhere(ada: Page, ben: Page, site: str) -> None:
    """Let Ada open a table and go home, and Ben sit down at it."""
    link = await open_for_others(ada, site)
    await ada.locator(".brand").click()
    await ada.locator("[data-game]").wait_for()
    await ben.goto(link)
    await ben.locator('[data-action="join"]').click()
    await ben.locator('[data-action="stand-up"]').wait_for()


@pytest.mark.parametrize(("screen", "locale"), [(DESK, "en"), (PHONE, "es"), (PHONE, "hu")])
async def test_the_bell_lists_what_waits_on_any_page(site: str, browser: Browser, screen: Screen, locale: str) -> None:
    async with visitor(browser, screen, locale=locale, bypass_csp=True) as ada, visitor(browser, PHONE) as ben:
        await seated_elsewhere(ada, ben, site)
        await expect(ada.locator(BELL)).to_have_attribute("data-bell", "1")
        await expect(ada).to_have_title(re.compile(r"^\(1\) "))
        await expect(ada.get_by_role("button", name=f"{TITLES[locale]}: 1")).to_have_attribute("aria-expanded", "false")
        await ada.locator(BELL).click()
        line = ada.locator('[data-notice="seated"]')
        await line.wait_for()
        await expect(ada.get_by_role("heading", name=TITLES[locale])).to_be_visible()
        assert await findings(ada) == []
        await line.locator("a").click()
        await ada.locator('[data-action="start"]').wait_for()
        await expect(ada.locator(BELL)).to_have_attribute("data-bell", "0")


async def test_the_bell_is_used_by_keyboard_alone(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await seated_elsewhere(ada, ben, site)
        bell = ada.locator(BELL)
        await bell.focus()
        await ada.keyboard.press("Enter")
        await ada.locator('[data-action="read-all"]').wait_for()
        await ada.keyboard.press("Tab")
        await expect(ada.locator('[data-action="read-all"]')).to_be_focused()
        await ada.keyboard.press("Enter")
        await expect(bell).to_have_attribute("data-bell", "0")
        await expect(ada.locator('[data-notice="seated"]')).to_have_attribute("data-read", "true")
        await bell.focus()
        await ada.keyboard.press("Tab")
        await ada.keyboard.press("Escape")
        await expect(bell).to_be_focused()
        await expect(bell).to_have_attribute("aria-expanded", "false")


async def test_what_is_settled_leaves_the_open_list(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await seated_elsewhere(ada, ben, site)
        await ada.locator(BELL).click()
        await ada.locator('[data-notice="seated"]').wait_for()
        await ben.locator('[data-action="stand-up"]').click()
        await ada.locator(".notices .none").wait_for()
        await expect(ada.locator(BELL)).to_have_attribute("data-bell", "0")


async def test_unread_messages_are_counted_at_the_fold_in_the_list_and_in_the_title(site: str, browser: Browser) -> None:
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await seated_elsewhere(ada, ben, site)
        await ada.locator(BELL).click()
        await ada.locator('[data-action="read-all"]').click()
        await ben.locator("[data-talk] > summary").click()
        written = asyncio.Event()

        async def late(route: Route) -> None:
            answer = await route.fetch()
            await written.wait()
            await route.fulfill(response=answer)

        await ben.route(re.compile("/chat$"), late, times=1)
        await says(ben, "Good evening")
        await ben.locator(".say input").fill("Anyone there?")      # before the first message is answered
        written.set()
        await expect(ben.locator("[data-talk]")).to_contain_text("Good evening")
        await ben.locator('[data-action="say"]').click()
        await expect(ada.locator('[data-game] [data-unread="2"]')).to_be_visible()
        await expect(ada).to_have_title(re.compile(r"^\(1\) "))
        await ada.locator("[data-game]").click()
        fold = ada.locator("[data-talk] > summary")
        await expect(fold.locator('[data-unread="2"]')).to_have_attribute("aria-label", "2 unread")
        await fold.click()
        await expect(fold.locator("[data-unread]")).to_have_count(0)
        await expect(ada.locator(BELL)).to_have_attribute("data-bell", "0")


async def test_who_has_not_begun_has_no_bell(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.goto(site)
        await page.locator("[data-title]").first.wait_for()
        await expect(page.locator(BELL)).to_have_count(0)

"""Everything by keyboard alone: each control is reached, and no action loses the place."""

import pytest
from playwright.async_api import Browser, expect

from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.keyboard import never_reached
from tests.web.test_access import PATHS

SCREENS = pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)


@SCREENS
async def test_tab_reaches_every_control_of_every_page(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen) as page:
        missed = dict[str, list[str]]()
        for path in PATHS:
            await page.goto(site + path)
            await page.locator("main").wait_for()
            await expect(page.locator(".loading")).to_have_count(0)
            for fold in await page.locator("main summary:visible").all():
                await fold.click()
            missed[path] = await never_reached(page)
        assert {path: each for path, each in missed.items() if each} == {}

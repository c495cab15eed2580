"""Every control can be hit by a finger, on every page."""

import pytest
from playwright.async_api import Browser, Page, expect

from ludarium_engine.registry import titles
from tests.web.browser import DESK, PHONE, visitor
from tests.web.planted import planted_game
from tests.web.seated import Seats, event
from tests.web.targets import small_targets
from tests.web.test_access import PATHS

SCREENS = (PHONE, DESK)
MIDDLE = 30
"""The number of events before the middle of a game."""


async def assert_large(page: Page) -> None:
    """Check all controls on a phone and on a desktop."""
    found = dict[str, list[str]]()
    for screen in SCREENS:
        await page.set_viewport_size({"width": screen.width, "height": screen.height})
        found[screen.name] = await small_targets(page)
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize("path", PATHS)
async def test_every_control_of_a_page_is_large_enough(site: str, browser: Browser, path: str) -> None:
    async with visitor(browser, PHONE) as page:
        await page.goto(site + path)
        await page.locator("main").wait_for()
        await expect(page.locator(".loading")).to_have_count(0)
        await assert_large(page)


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_every_control_of_a_table_is_large_enough(seats: Seats, ruleset: str) -> None:
    async with seats.asked(f"targets {ruleset}", ruleset, event(MIDDLE), PHONE) as page:
        await assert_large(page)


@pytest.mark.parametrize("path", ["/t/{}", "/t/{}/replay?as=everything&at=60", "/embed/t/{}", "/embed/t/{}/replay"])
@pytest.mark.parametrize("ruleset", ["kemet", "valeria"])
async def test_every_control_of_a_finished_game_is_large_enough(
    site: str, browser: Browser, module_database_url: str, ruleset: str, path: str
) -> None:
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, PHONE) as page:
        await page.goto(site + path.format(table))
        await page.locator(".felt").wait_for()
        await assert_large(page)


async def test_every_control_of_a_waiting_table_is_large_enough(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        await page.goto(f"{site}/new/kemet")
        await page.locator('[data-action="create"]').click()
        await page.locator("[data-invite]").wait_for()
        await assert_large(page)

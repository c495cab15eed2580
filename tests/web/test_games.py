"""A whole game of each title by somebody who touches what lights up, on a phone at night; and its end at a desk by day."""

from random import Random

import pytest
from playwright.async_api import Browser, Page, expect

from engine import titles
from tests.web.browser import DESK, PHONE, visitor
from tests.web.planted import planted_game
from tests.web.player import open_table, play


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_whole_game_against_bots_ends_with_its_scores(site: str, browser: Browser, ruleset: str) -> None:
    async with visitor(browser, PHONE, scheme="dark") as page:
        await open_table(page, site, ruleset)
        await play(page, Random(f"{ruleset} phone"))
        await shows_its_end(page)


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_who_comes_when_a_game_is_over_sees_its_scores(
    site: str, browser: Browser, module_database_url: str, ruleset: str
) -> None:
    """At a desk, where it was not played: test_layout and test_access see to how a table that goes on looks there."""
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, DESK, scheme="light") as page:
        await page.goto(f"{site}/t/{table}")
        await shows_its_end(page)


async def shows_its_end(page: Page) -> None:
    await expect(page.locator("[data-scores]")).to_be_visible()
    assert await page.locator("[data-scores] [data-score-seat]").count() >= 2
    assert await page.locator("[data-missing-text]").count() == 0
    assert await width_beyond(page) == 0


async def width_beyond(page: Page) -> int:
    """How many pixels of the page lie to the right of the screen."""
    root = "document.documentElement"
    return int(await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))

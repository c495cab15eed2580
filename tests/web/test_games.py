"""A whole game of each title by somebody who touches what lights up: on a phone in the dark, and at a desk by day."""

from random import Random
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from engine import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import open_table, play

LOOKS: list[tuple[Screen, Literal["light", "dark"]]] = [(PHONE, "dark"), (DESK, "light")]


@pytest.mark.parametrize(("screen", "scheme"), LOOKS, ids=[screen.name for screen, _ in LOOKS])
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_whole_game_against_bots_ends_with_its_scores(
    site: str, browser: Browser, ruleset: str, screen: Screen, scheme: Literal["light", "dark"]
) -> None:
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, ruleset)
        await play(page, Random(f"{ruleset} {screen.name}"))
        await expect(page.locator("[data-scores]")).to_be_visible()
        assert await page.locator("[data-scores] [data-score-seat]").count() >= 2
        assert await page.locator("[data-missing-text]").count() == 0
        assert await width_beyond(page) == 0


async def width_beyond(page: Page) -> int:
    """How many pixels of the page lie to the right of the screen."""
    root = "document.documentElement"
    return int(await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))

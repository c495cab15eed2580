"""A whole game of each title, on a phone at night and at a desk by day; and what a latecomer sees of its end."""

from random import Random
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from engine import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import planted_game
from tests.web.player import open_table, play

FORMS = [(PHONE, "dark"), (DESK, "light")]


@pytest.mark.parametrize(("screen", "scheme"), FORMS, ids=[screen.name for screen, _ in FORMS])
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_whole_game_against_bots_ends_with_its_scores(
    site: str, browser: Browser, ruleset: str, screen: Screen, scheme: Literal["light", "dark"]
) -> None:
    """Of the fewest seats that a person plays with others."""
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, ruleset, seats=max(2, titles()[ruleset].seats[0]))
        await play(page, Random(f"{ruleset} {screen.name}"))
        await shows_its_end(page)


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_who_comes_when_a_game_is_over_sees_its_scores(
    site: str, browser: Browser, module_database_url: str, ruleset: str
) -> None:
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

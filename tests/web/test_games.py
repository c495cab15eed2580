"""Complete games of each title on a phone and a desktop, up to the result."""

from random import Random

import pytest
from playwright.async_api import Browser, Page, expect

from ludarium_engine.registry import titles
from tests.web.browser import DESK, PHONE, visitor
from tests.web.planted import planted_game
from tests.web.player import open_table, play
from tests.web.seated import Seats, near_end

LONG = ("valeria", "valley-of-the-kings")
LAST = 24
"""How many events of a long game are played on a desktop."""


def fewest(ruleset: str) -> int:
    """Return the lowest number of seats at which a person plays with others."""
    return max(2, titles()[ruleset].seats[0])


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_whole_game_on_a_phone_ends_with_its_scores(site: str, browser: Browser, ruleset: str) -> None:
    async with visitor(browser, PHONE, scheme="dark") as page:
        await open_table(page, site, ruleset, seats=fewest(ruleset))
        await play(page, Random(f"{ruleset} phone"))
        await shows_its_end(page)


@pytest.mark.parametrize("ruleset", sorted({*titles()} - {*LONG}))
async def test_a_whole_game_at_a_desk_ends_with_its_scores(seats: Seats, ruleset: str) -> None:
    many = fewest(ruleset)
    async with seats.asked(f"whole {ruleset}", ruleset, screen=DESK, seats=many, scheme="light") as page:
        await play(page, Random(f"{ruleset} desk"))
        await shows_its_end(page)


@pytest.mark.parametrize("ruleset", LONG)
async def test_the_last_turns_of_a_game_at_a_desk_end_with_its_scores(seats: Seats, ruleset: str) -> None:
    """Complete games of these titles take too long; test_layout has their questions."""
    name, many = f"last turns {ruleset}", fewest(ruleset)
    moment = near_end(name, ruleset, many, LAST)
    async with seats.asked(name, ruleset, moment, DESK, seats=many, scheme="light") as page:
        assert await play(page, Random(f"{ruleset} desk")) > 0
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
    """Return how many pixels the page extends beyond the right edge of the screen."""
    root = "document.documentElement"
    return int(await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))

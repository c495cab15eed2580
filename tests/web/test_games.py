"""A whole game of each title by somebody who touches what lights up, on a phone at night or at a desk by day; and its end."""

from random import Random
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from engine import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import planted_game
from tests.web.player import open_table, play

Scheme = Literal["light", "dark"]
LOOKS: list[tuple[Screen, Scheme]] = [(DESK, "light"), (PHONE, "dark")]
EACH_ONE_LOOK = [(ruleset, *LOOKS[nth % 2]) for nth, ruleset in enumerate(sorted(titles()))]
EACH_THE_OTHER = [(ruleset, *LOOKS[1 - nth % 2]) for nth, ruleset in enumerate(sorted(titles()))]


def named(part: object) -> str:
    return str(getattr(part, "name", part))


@pytest.mark.parametrize(("ruleset", "screen", "scheme"), EACH_ONE_LOOK, ids=named)
async def test_a_whole_game_against_bots_ends_with_its_scores(
    site: str, browser: Browser, ruleset: str, screen: Screen, scheme: Scheme
) -> None:
    async with visitor(browser, screen, scheme=scheme) as page:
        await open_table(page, site, ruleset)
        await play(page, Random(f"{ruleset} {screen.name}"))
        await shows_its_end(page)


@pytest.mark.parametrize(("ruleset", "screen", "scheme"), EACH_THE_OTHER, ids=named)
async def test_who_comes_when_a_game_is_over_sees_its_scores(
    site: str, browser: Browser, module_database_url: str, ruleset: str, screen: Screen, scheme: Scheme
) -> None:
    """In the look in which it was not played: test_layout and test_access see to how a table that goes on looks in both."""
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen, scheme=scheme) as page:
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

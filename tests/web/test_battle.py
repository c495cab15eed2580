"""Battles as spectators see them at the table, in the replay and embedded."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.layout import assert_apart
from tests.web.planted import planted_battle

PAGES = {"table": "/t/{}", "replay": "/t/{}/replay?at={}", "embed": "/embed/t/{}", "film": "/embed/t/{}/replay?at={}"}
CUT = """() => [...document.querySelectorAll('[data-battle] [data-side] > *')]
    .filter(part => part.getBoundingClientRect().right > innerWidth + 1)
    .map(part => part.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
@pytest.mark.parametrize("where", PAGES)
async def test_who_watches_a_battle_sees_where_it_is_who_meets_and_with_what(
    site: str, browser: Browser, module_database_url: str, where: str, screen: Screen
) -> None:
    table, last = await planted_battle(module_database_url)
    async with visitor(browser, screen) as page:
        await page.goto(site + PAGES[where].format(table, last))
        await shows_a_battle(page)
        await page.wait_for_function(f"() => !({CUT})().length")
        await assert_apart(page)


async def shows_a_battle(page: Page) -> None:
    """Check that one battle is shown, with its space and each side's strength.

    Each side's card must be shown, too.
    """
    battle = page.locator("[data-battle]")
    await expect(battle).to_have_count(1)
    sides = battle.locator("[data-side]")
    await expect(sides).to_have_count(2)
    place = await page.locator(".space[data-focus] > button").get_attribute("title")
    await expect(battle.locator("h3")).to_contain_text(str(place))
    for side in await sides.all():
        await expect(side.locator('[data-count="strength"] b')).to_be_visible()
        await expect(side.locator(".card").first).to_be_visible()

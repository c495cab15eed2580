"""Values that are our own and not printed are marked.

The marks are where an edition is chosen, in the lobby, and on cards.
"""

import pytest
from playwright.async_api import Browser, Page, expect

from ludarium_engine.registry import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import READY, open_table

TITLE = "valley-of-the-kings"
TEXTS = titles()[TITLE].texts["en"]
every_screen = pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)


async def choose(page: Page, edition: str) -> None:
    await page.locator("main > details.options > summary").last.click()
    await page.locator("select", has=page.locator(f'option[value="{edition}"]')).first.select_option(edition)


@every_screen
async def test_an_edition_says_how_much_of_it_is_our_own(site: str, browser: Browser, screen: Screen) -> None:
    """The note is on the page of a new table, and next to the option once chosen."""
    async with visitor(browser, screen) as page:
        await page.goto(f"{site}/new/{TITLE}")
        note = page.locator("main > .unprinted")
        await expect(note).to_have_text(TEXTS["house.edition.base"])
        await choose(page, "last_rites")
        await expect(note).to_have_text(TEXTS["house.edition.last_rites"])
        beside = page.locator(".option .unprinted").first
        await expect(beside).to_have_text(TEXTS["house.edition.last_rites"])
        await expect(beside).to_be_visible()
        chosen = page.locator('option[value="last_rites"]').first
        await expect(chosen).to_have_text("Last Rites (our own cards)")


async def test_an_edition_says_so_in_each_language(site: str, browser: Browser) -> None:
    for locale, texts in titles()[TITLE].texts.items():
        async with visitor(browser, PHONE, locale=locale) as page:
            await page.goto(f"{site}/new/{TITLE}")
            await expect(page.locator("main > .unprinted")).to_have_text(texts["house.edition.base"])


@every_screen
async def test_a_table_in_the_lobby_says_so_before_anyone_sits_down(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen) as ada, visitor(browser, screen) as ben:
        await ada.goto(f"{site}/new/{TITLE}")
        await choose(ada, "afterlife")
        await ada.locator('[data-action="create-listed"]').click()
        await ada.locator("[data-table]").wait_for()
        await expect(ada.locator(".waiting .unprinted")).to_have_text(TEXTS["house.edition.afterlife"])
        address = ada.url
        await ben.goto(site)
        line = ben.locator("li", has=ben.locator(f'a[href="{address.removeprefix(site)}"]'))
        await expect(line.locator("[data-unprinted]")).to_have_text("our own cards")
        await line.locator("a.button").click()
        await expect(ben.locator(".waiting .unprinted")).to_have_text(TEXTS["house.edition.afterlife"])


@every_screen
async def test_a_card_says_which_of_its_values_are_our_own(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen) as page:
        await open_table(page, site, TITLE)
        await page.locator(READY).wait_for()
        cards = page.locator('.card[data-card][data-unprinted="values"]')
        await cards.first.wait_for()
        assert await page.locator(".card[data-card]:not([data-unprinted])").count() == 0
        assert "Our own, not as printed: " in (await cards.first.get_attribute("aria-description") or "")
        unlit = page.locator("button.card[data-unprinted]:not(.lit):visible").first
        await unlit.click()
        await expect(page.locator(".detail .unprinted")).to_contain_text("Our own, not as printed: ")


async def test_a_card_of_which_all_is_printed_says_nothing(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        await open_table(page, site, "game-of-kingdoms")
        await page.locator(READY).wait_for()
        assert await page.locator(".card[data-card]").count() > 0 == await page.locator("[data-unprinted]").count()

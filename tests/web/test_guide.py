"""Each kind of question is explained once, by a hint that links to the rules page."""

import re
from random import Random

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from ludarium_engine.guides import guide_of, pictures_in
from ludarium_engine.registry import titles
from tests.support.waiting import eventually
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import READY, open_table, play

TITLE = "game-of-kingdoms"
HINT = ".hint[data-hint]"
IN_SIGHT = """shown => {
    const { top, bottom, left, right } = shown.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
}"""
ABOVE = "([above, below]) => above.getBoundingClientRect().bottom <= below.getBoundingClientRect().top + 1"


async def in_sight(place: Locator) -> None:
    """Wait until the whole element is in the window.

    The page scrolls only once it is laid out.
    """
    await eventually(lambda: place.evaluate(IN_SIGHT))


async def asked(page: Page, site: str) -> str:
    """Open a table, and return the kind of its first question.

    The kind depends on the deal.
    """
    await open_table(page, site, TITLE)
    await page.locator(READY).wait_for()
    await page.locator(HINT).wait_for()
    kind = await page.locator(HINT).get_attribute("data-hint")
    assert kind in {name for chapter in guide_of(titles()[TITLE]) for name in chapter.asks}
    return str(kind)


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_a_question_is_explained_beside_its_answers_and_once(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen) as page:
        kind = await asked(page, site)
        hint, answer = page.locator(HINT), page.locator("#answers button:visible").first
        await expect(hint.locator("[role=status]")).to_have_text(titles()[TITLE].texts["en"][f"hint.{kind}"])
        await in_sight(hint)
        await in_sight(answer)
        assert await page.evaluate(ABOVE, [await hint.element_handle(), await answer.element_handle()])
        await page.locator('[data-action="hint-done"]').click()
        await expect(hint).to_have_count(0)
        await expect(page.locator("#choices")).to_be_focused()
        await page.reload()
        await page.locator(READY).wait_for()
        await expect(hint).to_have_count(0)


async def test_whoever_has_answered_is_told_no_more(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        kind = await asked(page, site)
        await play(page, Random(2), moves=1)
        await page.wait_for_function(
            "([title, kind]) => localStorage.getItem(`ludarium.hints.${title}`)?.split(' ').includes(kind)", arg=[TITLE, kind]
        )
        await expect(page.locator(f'{HINT}[data-hint="{kind}"]')).to_have_count(0)


async def test_the_way_from_a_question_to_what_explains_it(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        kind = await asked(page, site)
        for way in (page.locator(f"{HINT} a"), page.locator(".question a")):
            async with page.context.expect_page() as opened:
                await way.click()
            rules = await opened.value
            place = rules.locator(f"#asked-{kind}")
            await expect(place).to_be_focused()
            await in_sight(place)
            await expect(rules).to_have_url(re.compile(f"/rules/{TITLE}#asked-{kind}$"))
            await rules.close()


async def test_whoever_wants_no_explanations_says_so_once(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{site}/settings")
        await page.locator('[data-setting="hints"]').uncheck()
        await open_table(page, site, TITLE)
        await page.locator(READY).wait_for()
        await expect(page.locator(".question a")).to_be_visible()
        await expect(page.locator(HINT)).to_have_count(0)


@pytest.mark.parametrize("ruleset", titles())
async def test_the_page_explains_each_option_and_card_where_it_is_linked(
    site: str, browser: Browser, ruleset: str
) -> None:
    title = titles()[ruleset]
    card, option = title.cards[-1].kind, title.options.__struct_fields__[-1]
    async with visitor(browser) as page:
        await page.goto(f"{site}/new/{ruleset}")
        await page.locator("details.options > summary").last.click()
        links = page.locator(".option .explained")
        await expect(links).to_have_count(len(title.options.__struct_fields__))
        assert await links.last.get_attribute("href") == f"/rules/{ruleset}#option-{option}"
        for place in (f"option-{option}", f"card-{card}"):
            await page.goto("about:blank")
            await page.goto(f"{site}/rules/{ruleset}#{place}")
            await expect(page.locator(f"#{place}")).to_be_focused()
            await expect(page.locator(f"#{place} dd").first).to_be_visible()
        for shown in await page.locator(".rules img").all():
            await shown.scroll_into_view_if_needed()
            assert await shown.evaluate("img => img.decode().then(() => img.naturalWidth)") > 0
            assert await shown.get_attribute("alt")
        await expect(page.locator(".rules img")).to_have_count(len(pictures_in(title.package)))
        await expect(page.locator("[data-missing-text]")).to_have_count(0)

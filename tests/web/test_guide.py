"""Each kind of question is explained once, by a hint; a dialog shows the rulings on it, and links to the rules page."""

import re
from random import Random

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from ludarium_engine.guides import guide_of, pictures_in, ruled_in
from ludarium_engine.registry import titles
from tests.support.waiting import eventually
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.player import READY, open_table, play
from tests.web.test_access import findings

TITLE = "game-of-kingdoms"
HINT = ".hint[data-hint]"
DIALOG = "[data-explaining]"
IN_SIGHT = """shown => {
    const { top, bottom, left, right } = shown.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
}"""
WITHIN_WINDOW = """shown => {
    const { top, bottom, left, right } = shown.getBoundingClientRect()
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && shown.scrollWidth <= shown.clientWidth
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
        await page.locator(".question .explained").click()
        async with page.context.expect_page() as opened:
            await page.locator(f"{DIALOG} a").click()
        rules = await opened.value
        place = rules.locator(f"#asked-{kind}")
        await expect(place).to_be_focused()
        await expect(place.locator("[data-ruling]").first).to_be_visible()
        await expect(rules).to_have_url(re.compile(f"/rules/{TITLE}#asked-{kind}$"))


def rulings_on(kind: str) -> list[str]:
    title = titles()[TITLE]
    return [ruling.id for ruling in title.rulings if kind in ruled_in(title)[ruling.id].asks]


async def rulings_shown(page: Page) -> list[str]:
    shown: list[str] = await page.locator(f"{DIALOG} [data-ruling]").evaluate_all("all => all.map(one => one.dataset.ruling)")
    return shown


async def shows_the_rulings_on(kind: str, page: Page) -> None:
    dialog = page.locator(DIALOG)
    await expect(dialog.locator("h2")).to_be_focused()
    found = await rulings_shown(page)
    assert found == rulings_on(kind) and found
    texts = titles()[TITLE].texts["en"]
    for ruling in found:
        await expect(dialog.locator(f'[data-ruling="{ruling}"]')).to_contain_text(texts[f"ruling.{ruling}"])
    await expect(dialog).to_contain_text(texts[f"hint.{kind}"])
    assert await dialog.evaluate(WITHIN_WINDOW)


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_a_question_opens_the_rulings_that_answer_it(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen, bypass_csp=True) as page:
        kind, opener, dialog = await asked(page, site), page.locator(".question .explained"), page.locator(DIALOG)
        before = await page.locator("#answers").inner_text()
        await opener.click()
        await shows_the_rulings_on(kind, page)
        assert await findings(page) == []
        await page.keyboard.press("1")
        await page.locator(f"{DIALOG} [data-action=close]").click()
        await expect(dialog).to_have_count(0)
        await expect(opener).to_be_focused()
        assert await page.locator("#answers").inner_text() == before


async def test_a_key_opens_the_rulings_and_another_closes_them(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        kind, dialog = await asked(page, site), page.locator(DIALOG)
        await page.keyboard.press("?")
        await shows_the_rulings_on(kind, page)
        await expect(page.get_by_role("dialog", name=await dialog.locator("h2").inner_text())).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
        await expect(page.locator(READY)).to_be_visible()


async def test_an_option_opens_the_rulings_on_it(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{site}/new/{TITLE}")
        await page.locator("details.options > summary").last.click()
        await page.locator('.option [data-explains="option-pile_on_take"]').click()
        await expect(page.locator(f"{DIALOG} h2")).to_be_focused()
        assert await rulings_shown(page) == ["pile_on_take", "last_wave"]


async def test_whoever_wants_no_explanations_says_so_once(site: str, browser: Browser) -> None:
    async with visitor(browser) as page:
        await page.goto(f"{site}/settings")
        await page.locator('[data-setting="hints"]').uncheck()
        await open_table(page, site, TITLE)
        await page.locator(READY).wait_for()
        await expect(page.locator(".question .explained")).to_be_visible()
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
        assert await links.last.get_attribute("data-explains") == f"option-{option}"
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

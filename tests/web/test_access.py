"""axe-core finds no accessibility problem in any language and colour scheme."""

from pathlib import Path
from random import Random
from typing import Literal

import pytest
from playwright.async_api import Browser, Page, expect

from ludarium_engine.guides import guide_of
from ludarium_engine.registry import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.keyboard import press
from tests.web.layout import assert_map_clear
from tests.web.planted import planted_game
from tests.web.player import CONFIRM, MOVE, OVER, READY, open_table, play
from tests.web.seated import Seats, event

AXE = Path("clients/web/node_modules/axe-core/axe.min.js")
IMPACTS = ("minor", "moderate", "serious", "critical")
LOCALES = ("en", "es", "hu")
ANSWER = f"#choices :is({CONFIRM}, {MOVE}:not([aria-pressed=true]))"
PRESSES = 12
MIDDLE = 30
"""The number of events before the middle of a game."""
LEAST_TEXT = 11
"""The smallest font size, in pixels."""
MANY_SEATS = {"game-of-kingdoms": 6, "kemet": 5, "lights-in-the-fog": 4, "valeria": 5, "valley-of-the-kings": 4}
"""The most seats with each title's default options."""


# Only violations are described and sent: less than a hundredth of the report.
RUN_AXE = """impacts => axe.run(document, {rules: {'target-size': {enabled: true}}, resultTypes: ['violations']})
    .then(found => found.violations.filter(each => impacts.includes(each.impact))
        .map(each => `${each.id}: ${each.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | ')}`))"""


async def findings(page: Page) -> list[str]:
    """Return axe-core's violations, as each rule with its first elements."""
    await page.add_script_tag(path=AXE) if not await page.evaluate("'axe' in window") else None
    found: list[str] = await page.evaluate(RUN_AXE, IMPACTS)
    return found


LOOKS = pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"])
PATHS = (
    "/", "/games", "/settings", "/tournaments", "/tournaments/new", "/account", "/recover", "/reset", "/device", "/admin",
    "/new/kemet", "/rules/kemet",
)  # fmt: skip
# Visible texts that are smaller than `least`.
SMALLER = """least => [...document.querySelectorAll('body *')].filter(each => each.checkVisibility()
    && !each.matches('.spoken, .spoken *, .visually-hidden, .visually-hidden *')
    && [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim())
    && parseFloat(getComputedStyle(each).fontSize) < least).map(each => each.outerHTML.slice(0, 120))"""
UNSPOKEN = """() => [...document.querySelectorAll('.amount .label')]
    .filter(label => label.closest('.amount').checkVisibility() && !label.checkVisibility())
    .map(label => label.textContent)"""


@pytest.mark.parametrize("locale", LOCALES)
async def test_a_card_says_what_it_does_in_the_readers_language(site: str, browser: Browser, locale: str) -> None:
    async with visitor(browser, DESK, locale=locale) as page:
        await open_table(page, site, "valeria")
        await expect(page.locator(".middle .card .effect").first).not_to_be_empty()


async def test_who_answers_by_keyboard_goes_on_at_the_next_question(seats: Seats) -> None:
    """The focus must move to the next question.

    Otherwise keyboard users would have to search for each question.
    """
    async with seats.asked("by keyboard", "game-of-kingdoms") as page:
        for _ in range(PRESSES):
            await press(page.locator(ANSWER).first)
            await page.locator(f"{READY}, {OVER}").wait_for()
            if await page.locator(OVER).count():
                return
            await expect(page.locator("#choices:focus, #choices :focus")).to_have_count(1)


@LOOKS
async def test_no_page_of_the_house_has_serious_findings(
    site: str, browser: Browser, screen: Screen, scheme: Literal["light", "dark"]
) -> None:
    async with visitor(browser, screen, scheme=scheme, bypass_csp=True, strict=True) as page:
        found = dict[str, list[str]]()
        for path in PATHS:
            await page.goto(site + path)
            await page.locator("main").wait_for()
            await expect(page.locator(".loading")).to_have_count(0)
            for fold in await page.locator("main summary:visible").all():
                await fold.click()
            found[path] = await findings(page) + await page.evaluate(SMALLER, LEAST_TEXT)
        assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_table_has_no_serious_findings(seats: Seats, ruleset: str) -> None:
    """Where an amount has only a symbol, screen readers need a label."""
    async with seats.asked(f"findings {ruleset}", ruleset, event(MIDDLE), PHONE, scheme="dark", bypass_csp=True) as page:
        assert await findings(page) == []
        assert await page.evaluate(UNSPOKEN) == []
        await page.emulate_media(color_scheme="light")
        await page.set_viewport_size({"width": DESK.width, "height": DESK.height})
        assert await findings(page) == []
        assert await page.evaluate(UNSPOKEN) == []


@LOOKS
async def test_what_others_show_in_their_pages_has_no_serious_findings(
    site: str, browser: Browser, module_database_url: str, screen: Screen, scheme: Literal["light", "dark"]
) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser, screen, scheme=scheme, bypass_csp=True) as page:
        for path in (f"/embed/t/{table}", f"/embed/t/{table}/replay"):
            await page.goto(site + path)
            await page.locator(".felt").wait_for()
            assert await findings(page) == []


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_a_replay_has_no_serious_findings(
    site: str, browser: Browser, module_database_url: str, screen: Screen
) -> None:
    """Trying moves and drawing arrows add controls that a plain replay lacks."""
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser, screen, bypass_csp=True) as page:
        await page.goto(f"{site}/t/{table}/replay?as=0")
        await page.locator("[data-replay]").wait_for()
        assert await findings(page) == []
        await page.locator('[data-action="try"]').click()
        await page.locator("[data-trial]").wait_for()
        assert await findings(page) == []
        await page.locator('[data-action="to-game"]').click()
        await page.locator(".notes > summary").click()
        await page.locator('[data-action="draw"]').click()
        assert await findings(page) == []


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_no_text_is_missing_in_any_language(seats: Seats, ruleset: str) -> None:
    """One table with a long log is enough, as test_layout has the texts of questions."""
    async with seats.asked(f"texts {ruleset}", ruleset, event(MIDDLE), locale=LOCALES[-1]) as page:
        assert await page.evaluate("document.documentElement.lang") == LOCALES[-1]
        await play(page, Random(9), moves=4)
        for locale in LOCALES:
            await choose(page, locale)
            assert await page.locator("[data-missing-text]").count() == 0


async def choose(page: Page, locale: str) -> None:
    """Choose a language, whether the menu is open or not."""
    await page.evaluate("locale => document.querySelector(`[data-locale=${locale}]`).click()", locale)
    await page.locator(f'html[lang="{locale}"]').wait_for()


async def test_how_each_title_is_played_is_told_in_each_language(site: str, browser: Browser) -> None:
    """Each rules page is reached by the link on its title's card."""
    async with visitor(browser, PHONE, bypass_csp=True) as page:
        for ruleset in sorted(titles()):
            await page.goto(site)
            await page.locator(f'a[href="/rules/{ruleset}"]').click()
            await page.locator(f'[data-rules="{ruleset}"]').wait_for()
            assert await page.locator("[data-rules] > section").count() == len(guide_of(titles()[ruleset]))
            assert await findings(page) == []
            for fold in await page.locator("[data-rules] summary").all():
                await fold.click()
            for locale in LOCALES:
                await choose(page, locale)
                assert await page.locator("[data-rules] > section [data-missing-text]").count() == 0


@LOOKS
@pytest.mark.parametrize(("ruleset", "seats"), MANY_SEATS.items())
async def test_what_stands_on_a_table_is_large_enough_to_be_read(
    site: str, browser: Browser, module_database_url: str, ruleset: str, seats: int, screen: Screen,
    scheme: Literal["light", "dark"],
) -> None:  # fmt: skip
    """Tables with many seats have the least room for text."""
    table = await planted_game(module_database_url, ruleset, seats=seats)
    async with visitor(browser, screen, scheme=scheme) as page:
        await page.goto(f"{site}/t/{table}/replay?as=everything&at=60")
        await page.locator('[data-replay][data-seq="60"]').wait_for()
        await page.locator(".card, .map .force").first.wait_for()
        assert await page.evaluate(SMALLER, LEAST_TEXT) == []
        if await page.locator(".map").count():
            await assert_map_clear(page)

"""Nothing at a table is shown by colour alone, for people with colour blindness."""
from __future__ import annotations

from random import Random

import httpx
import pytest
from PIL import Image
from playwright.async_api import Browser, Page, expect

from ludarium_engine.registry import titles
from tests.support.people import Person
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import planted_game
from tests.web.player import OVER, READY, touch
from tests.web.seated import Seats, about_pieces
from tests.web.vision import KINDS, picture_as

LEAST_CONTRAST = 3.0
"""The least contrast of a ring with what lies inside of it (WCAG 2.2, 1.4.11)."""

# For each visible selectable piece: a point on its ring, and points inside of it.
LINES = """() => [...document.querySelectorAll('.felt :is(.card, .space).lit:not(.gap, .back)')].flatMap(each => {
    const box = each.getBoundingClientRect(), y = Math.round(box.top + box.height / 2), x = Math.round(box.left)
    const ring = each.matches('.card') ? x - 4 : x - 1
    const shown = [ring, x + 3].every(at => at > 0 && document.elementFromPoint(at, y)?.closest('.middle, .own'))
        && each.contains(document.elementFromPoint(x + 3, y)) && !each.matches(':hover')
    return shown ? [{ ring: [ring, y], beside: [[ring + 3, y], [x + 3, y]] }] : []
})"""
# No animation is running.
STILL = """() => document.getAnimations()
    .every(it => it.playState !== 'running' || it.effect.getComputedTiming().endTime === Infinity)"""
# Texts and drawings that cards of different colours share.
COLOUR_ALONE = """() => {
    const colours = new Map()
    for (const card of document.querySelectorAll('.card:not(.back, .gap)')) {
        const drawn = [...card.querySelectorAll('.pictures path')].map(path => path.getAttribute('d'))
        const heading = card.closest('.sort')?.querySelector('.label').textContent
        const read = [card.querySelector('.name').textContent, heading, ...drawn].join()
        colours.set(read, (colours.get(read) ?? new Set()).add(card.style.getPropertyValue('--hue')))
    }
    return [...colours].filter(([, hues]) => hues.size > 1).map(([read]) => read.slice(0, 80))
}"""


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_what_may_be_chosen_stands_out_whatever_colours_one_sees(seats: Seats, ruleset: str) -> None:
    async with seats.asked(f"colours {ruleset}", ruleset, about_pieces, DESK) as page:
        await play_until_pieces_are_lit(page)
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            await page.wait_for_function(STILL)
            found = await page.evaluate(LINES)
            assert found
            for kind in KINDS:
                seen = await picture_as(page, kind)
                for each in found:
                    best = max(contrast(seen, each["ring"], beside) for beside in each["beside"])
                    assert best >= LEAST_CONTRAST, (scheme, kind, each)


async def play_until_pieces_are_lit(page: Page) -> None:
    luck = Random(4)
    while not await page.evaluate(LINES):
        await page.locator(f"{READY}, {OVER}").wait_for()
        await touch(page, luck)
        await page.mouse.move(0, 0)
    await page.locator(READY).wait_for()


def contrast(seen: Image.Image, one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the contrast of two pixels by WCAG, from 1 to 21."""
    dark, light = sorted(luminance(seen, at) for at in (one, other))
    return (light + 0.05) / (dark + 0.05)


def luminance(seen: Image.Image, at: tuple[int, int]) -> float:
    """Return the relative luminance of a pixel of an RGB picture."""
    shades = [shade / 255 for shade in seen.crop((at[0], at[1], at[0] + 1, at[1] + 1)).tobytes()]
    red, green, blue = (s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shades)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_a_card_says_by_a_word_or_a_picture_what_its_colour_says(
    site: str, browser: Browser, module_database_url: str, ruleset: str, screen: Screen
) -> None:
    """All hands and folded sections are open, so that every card is compared."""
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen) as page:
        await page.goto(f"{site}/t/{table}/replay?as=everything&at=24")
        await page.locator('[data-replay][data-seq="24"]').wait_for()
        await page.evaluate("document.querySelectorAll('details').forEach(each => (each.open = true))")
        await page.locator(".card:not(.back, .gap)").first.wait_for()
        assert await page.evaluate(COLOUR_ALONE) == []


async def test_a_clock_with_little_time_left_shows_a_sign(site: str, browser: Browser, http: httpx.AsyncClient) -> None:
    ada = await Person.arrive(http, "Ada")
    policies = {"clock": {"type": "live", "bank": 50, "increment": 0}}
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "policies": policies}))["id"]
    for seated in ({}, {"bot": "random"}):
        await ada.post(f"/tables/{table}/seats", seated)
    await ada.post(f"/tables/{table}/start")
    async with visitor(browser, DESK) as page:
        await page.goto(f"{site}/t/{table}")
        low = page.locator(".clock[data-low]").first
        await expect(low).to_be_visible()
        assert "!" in await low.evaluate("each => getComputedStyle(each, '::before').content")

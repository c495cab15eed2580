"""What stands on a card is shown whole, and small cards show an emblem instead."""

import pytest

from ludarium_engine.registry import titles
from tests.web.browser import DESK, LAPTOP, PHONE
from tests.web.seated import Seats, event

SCREENS = (DESK, LAPTOP, PHONE)
LOCALES = ("en", "es", "hu")
MIDDLE = 30
"""The number of events before the middle of a game."""

CUT = """() => [...document.querySelectorAll('.felt .card :is(.effect, .badge)')].filter(each => each.checkVisibility())
    .filter(each => {
        const [card, box] = [each.closest('.card').getBoundingClientRect(), each.getBoundingClientRect()]
        const clamped = [each, ...each.querySelectorAll('*')].some(one => getComputedStyle(one).webkitLineClamp !== 'none')
        const hidden = each.matches('.effect') && each.scrollHeight > each.clientHeight + 1
        return clamped || hidden || box.bottom > card.bottom + 1 || box.right > card.right + 1 || box.left < card.left - 1
    }).map(each => `${each.closest('.card').offsetWidth} px: ${each.closest('.card').textContent}`)"""
"""Texts and numbers that a card cuts off."""


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_no_text_on_a_face_is_cut(seats: Seats, ruleset: str, locale: str) -> None:
    async with seats.asked(f"faces {ruleset}", ruleset, event(MIDDLE), DESK, locale=locale) as page:
        cut = dict[str, list[str]]()
        for screen in SCREENS:
            await page.set_viewport_size({"width": screen.width, "height": screen.height})
            await page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            cut[screen.name] = await page.evaluate(CUT)
        assert {screen: each for screen, each in cut.items() if each} == {}


async def test_a_desktop_has_room_for_what_cards_do(seats: Seats) -> None:
    async with seats.asked("faces with texts", "valley-of-the-kings", event(MIDDLE), DESK) as page:
        await page.locator(".own .card .effect:visible").first.wait_for()

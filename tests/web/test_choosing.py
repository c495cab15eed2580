"""Choosing a move on the table, with enlarged cards, confirmation and undo."""

from random import Random

import pytest
from playwright.async_api import Locator, Page, expect

from tests.support.waiting import eventually
from tests.web.browser import DESK, PHONE
from tests.web.player import OVER, READY, seq, touch
from tests.web.seated import Seats, about_pieces, question
from tests.web.seated import sends as sends_alone

GAME, CARDS, PLACES = "game-of-kingdoms", "valeria", "kemet"
LIT_CARD = ".felt .card.lit[data-peek]"
RESTED_MS = 500
"""Longer than a passing mouse stays on a card or a tap lasts, in milliseconds."""
MOST = 200
"""The most touches until a situation comes up that every game has."""


async def reached(page: Page, wanted: Locator, luck: Random) -> None:
    """Play until the element exists."""
    for _ in range(MOST):
        await page.locator(f"{READY}, {OVER}").wait_for()
        if await wanted.count():
            return
        await touch(page, luck)
    raise AssertionError(f"not there after {MOST} touches")


async def test_a_card_is_shown_large_under_the_mouse_and_by_the_keyboard(seats: Seats) -> None:
    async with seats.visitor(DESK) as page:
        await page.clock.install()
        await page.goto(await seats.table("peeked by mouse", CARDS))
        await page.locator(READY).wait_for()
        card = page.locator(".middle .card[data-peek]").first
        peeked = page.locator(f'[data-peeked="{await card.get_attribute("data-peek")}"]')

        async def rested() -> bool:
            """Rest the mouse on the card, and return whether the enlarged card is shown.

            An event that is pushed at this time removes the enlarged card.
            """
            await page.mouse.move(0, 0)
            await card.hover()
            await page.clock.run_for(RESTED_MS)
            return await peeked.count() > 0

        await eventually(rested)
        await page.mouse.move(0, 0)
        await expect(page.locator("[data-peeked]")).to_have_count(0)
        await page.keyboard.press("Tab")        # makes the focus visible
        await card.focus()
        await expect(peeked).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("[data-peeked]")).to_have_count(0)


async def test_a_long_touch_shows_a_card_and_does_not_choose_it(seats: Seats) -> None:
    async with seats.visitor(PHONE) as page:
        await page.clock.install()
        await page.goto(await seats.table("peeked by touch", CARDS, about_pieces))
        card = page.locator(LIT_CARD)
        await reached(page, card, Random(5))
        await card.first.evaluate("card => card.scrollIntoView({block: 'center', behavior: 'instant'})")
        asked, box = await page.locator("#choices .prompt").inner_text(), await card.first.bounding_box()
        assert box is not None
        line = await page.context.new_cdp_session(page)
        at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        await line.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
        await page.clock.run_for(RESTED_MS)
        await expect(page.locator("[data-peeked]")).to_be_visible()
        await line.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        await page.clock.run_for(RESTED_MS)
        await page.locator(".menu").tap()           # runs after all effects of the long touch
        await expect(page.locator(".menu")).to_have_attribute("aria-expanded", "true")
        assert await page.locator('.felt .card[aria-pressed="true"]').count() == 0
        assert await page.locator("#choices .prompt").inner_text() == asked


@pytest.mark.parametrize(("care", "touches"), [("always", 2), ("never", 1)])
async def test_a_move_is_asked_for_twice_where_one_wants_that(seats: Seats, care: str, touches: int) -> None:
    async with seats.visitor(DESK) as page:
        await page.goto(f"{seats.site}/settings")
        await page.locator('[data-setting="care"]').select_option(care)
        await page.goto(await seats.table(f"asked {care}", GAME, sends_alone))
        sends = page.locator('#choices [data-sends="true"]').first
        await reached(page, sends, Random(6))
        before = await seq(page)
        for _ in range(touches - 1):
            await sends.click()
            await expect(page.locator("#choices [data-asked]")).to_have_count(1)
            assert await seq(page) == before
        await sends.click()
        await page.wait_for_function("seq => document.querySelector('[data-table]').dataset.seq > seq", arg=before)


async def test_taking_back_says_what_and_takes_back_that(seats: Seats) -> None:
    async with seats.asked("taken back", PLACES, question("prompt.take_turn")) as page:
        undo = page.locator('[data-action="undo"]:enabled')
        await reached(page, undo, Random(7))
        said = (await undo.inner_text()).partition(": ")[2]
        assert said
        await expect(page.locator('.log [role="log"]')).to_contain_text(said)
        before = await seq(page)
        await undo.click()
        await page.wait_for_function("seq => Number(document.querySelector('[data-table]').dataset.seq) > seq", arg=before)
        await expect(page.locator(READY)).to_be_visible()
        await expect(page.get_by_role("log")).to_contain_text("undoes a move")
        await expect(page.locator("#choices")).not_to_contain_text(said)


async def test_a_place_of_the_board_of_actions_is_chosen_there(seats: Seats) -> None:
    async with seats.asked("a place of the board", PLACES, question("prompt.take_turn")) as page:
        place = page.locator(".board-of-places button.lit")
        await reached(page, place, Random(9))
        offers = page.locator("#choices [data-offer]")
        before, all_of_them = await seq(page), await offers.count()
        await place.first.click()
        await expect(place.first).to_have_attribute("aria-pressed", "true")
        assert await offers.count() < all_of_them and await seq(page) == before


async def test_a_map_that_is_larger_than_its_frame_is_gone_over_by_buttons(seats: Seats) -> None:
    async with seats.asked("a larger map", PLACES, screen=PHONE) as page:
        for _ in range(3):
            await page.locator('[data-action="zoom-in"]').click()
        board = page.locator(".board")
        await board.evaluate("board => board.scrollTo(0, 0)")
        for way, side in (("right", "scrollLeft"), ("down", "scrollTop")):
            await page.locator(f'[data-action="pan-{way}"]').click()
            await page.wait_for_function(f"() => document.querySelector('.board').{side} > 50")
        for way, side in (("left", "scrollLeft"), ("up", "scrollTop")):
            await page.locator(f'[data-action="pan-{way}"]').click()
            await page.wait_for_function(f"() => document.querySelector('.board').{side} < 50")


async def test_a_city_is_taken_by_touching_one_of_its_districts(seats: Seats) -> None:
    """The three districts of a city are one choice, so they must light up together."""
    async with seats.asked("a city", PLACES, question("prompt.choose_city")) as page:
        district = page.locator(".space.lit > button")
        before, lit = await seq(page), await district.count()
        assert lit == 3 * await page.locator("#choices [data-offer]").count()
        await district.first.click()
        await expect(page.locator(".space.lit > button[aria-pressed=true]")).to_have_count(3)
        assert await seq(page) == before
        await district.first.click()
        await expect(page.get_by_text("Choose your city")).to_have_count(0)
        await expect(page.get_by_role("log")).to_contain_text("City")

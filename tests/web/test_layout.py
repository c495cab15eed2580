"""At every question, nothing overlaps and the choices are visible."""

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
from playwright.async_api import Locator, Page, Route, expect

from ludarium_engine.registry import titles
from tests.support.waiting import eventually
from tests.web.browser import DESK, LAPTOP, PHONE, SIDEWAYS, SMALL, Screen
from tests.web.keyboard import press
from tests.web.layout import assert_apart, assert_clear, assert_map_clear
from tests.web.player import OVER, READY, play, touch
from tests.web.seated import Seats, event, offers, question, questions

TOUCHES = 2
"""How many states are checked at each moment.

They are the question, and then the next one or this one with a piece chosen.
"""
FEW = 5
"""Up to this many kinds of questions, all are checked on each screen."""
MIDDLE = 30
"""The number of events before the middle of a game."""
MANY = 8


EACH_IN_TWO = [
    (ruleset, screen) for nth, ruleset in enumerate(sorted(titles())) for screen in (PHONE, (LAPTOP, DESK)[nth % 2])
]
"""Each title on a phone and on one of two desktops; SMALL is for many seats."""


@pytest.mark.parametrize(("ruleset", "screen"), EACH_IN_TWO, ids=lambda each: str(getattr(each, "name", each)))
async def test_what_is_asked_and_what_it_is_about_are_in_sight_together(
    seats: Seats, ruleset: str, screen: Screen
) -> None:
    """Every kind of question has a different layout.

    Long lists of questions are divided between the screens.
    """
    asked = questions(ruleset)
    half = asked if len(asked) <= FEW else asked[screen is PHONE :: 2]
    async with seats.visitor(screen) as page:
        for prompt in half:
            await page.goto(await seats.table(f"in sight {prompt}, {screen.name}", ruleset, question(prompt)))
            await play_in_sight(page, Random(f"{prompt} {screen.name}"), TOUCHES)


MANY_SEATS = [
    ("game-of-kingdoms", 6, SMALL), ("kemet", 5, SMALL), ("valeria", 5, SMALL), ("valley-of-the-kings", 4, SMALL),
    ("valeria", 5, PHONE), ("kemet", 5, SIDEWAYS),
]  # fmt: skip


@pytest.mark.parametrize(("ruleset", "many", "screen"), MANY_SEATS, ids=lambda each: str(getattr(each, "name", each)))
async def test_a_table_of_many_seats_has_room_on_small_screens(
    seats: Seats, ruleset: str, many: int, screen: Screen
) -> None:
    """A table is fullest with many seats, at the beginning or in mid-game."""
    async with seats.visitor(screen) as page:
        for least in (0, MIDDLE):
            await page.goto(await seats.table(f"of {many} after {least}", ruleset, event(least), seats=many))
            await expect(page.locator(".others .seat")).to_have_count(many - 1)
            await play_in_sight(page, Random(f"{ruleset} {screen.name}"), TOUCHES)


SETTLED = """async () => {
    const controls = () => document.querySelectorAll('button:enabled').length
    const before = controls()
    for (let nth = 0; nth < 3; nth++) await new Promise(requestAnimationFrame)
    return controls() === before
}"""
"""Whether all controls of a question are drawn.

Only then does the same random number choose the same control in each run.
"""


async def play_in_sight(page: Page, luck: Random, touches: int) -> None:
    """Answer questions, and check that everything is visible and has its texts."""
    for _ in range(touches):
        await page.locator(f"{READY}, {OVER}").wait_for()
        if await page.locator(OVER).count():
            break
        await assert_clear(page)
        assert await page.locator("[data-missing-text]").count() == 0
        if await page.locator(".map").count():
            await assert_map_clear(page)
        await page.wait_for_function(SETTLED)
        await touch(page, luck)


HELD = """() => {
    const held = []
    const Observer = ResizeObserver
    window.ResizeObserver = class extends Observer {
        constructor(callback) {
            super((entries, observer) => {
                const now = () => callback(entries, observer)
                if (entries.some(entry => entry.target.matches('.board'))) held.push(now)
                else now()
            })
        }
    }
    window.measured = () => { for (const each of held.splice(0)) each() }
}"""
"""Delays the reported size of a map until `measured()` is called.

A busy browser reports it only after the question is drawn.
"""


@pytest.mark.parametrize("screen", [PHONE, SIDEWAYS], ids=lambda each: each.name)
async def test_a_map_laid_out_late_brings_what_is_asked_into_sight(seats: Seats, screen: Screen) -> None:
    async with seats.visitor(screen) as page:
        await page.add_init_script(f"({HELD})()")
        await page.goto(await seats.table(f"late {screen.name}", "kemet", question("prompt.lead_out"), seats=5))
        await page.locator(READY).wait_for()
        await page.wait_for_function(SETTLED)
        await page.evaluate("measured()")
        await assert_clear(page)


GROW = '[data-action="grow"]'


async def height(page: Page, of: str) -> float:
    box = await page.locator(of).bounding_box()
    return box["height"] if box else 0.0


async def heights(page: Page, fit: Callable[[float, float], bool]) -> bool:
    """Check the heights of the sheet and of the table by the given function."""
    return fit(await height(page, ".choosing"), await height(page, ".felt"))


@pytest.mark.parametrize("by", ["finger", "keyboard"])
async def test_the_sheet_grows_and_shrinks_and_the_table_makes_room(seats: Seats, by: str) -> None:
    async with seats.visitor(PHONE) as page:
        await page.add_init_script("localStorage.setItem('ludarium.hints', 'off')")
        await page.goto(await seats.table(f"many offers, {by}", "valeria", offers(MANY + 1)))
        await play_until_many_offers(page)
        grow = page.locator(GROW)
        small, felt = await height(page, ".choosing"), await height(page, ".felt")
        assert small < PHONE.height * 0.3
        await pressed(grow, by)
        await expect(grow).to_have_attribute("aria-expanded", "true")
        await eventually(lambda: heights(page, lambda sheet, table: sheet > small and table < felt))
        await assert_clear(page)
        await pressed(grow, by)
        await expect(grow).to_have_attribute("aria-expanded", "false")
        await eventually(lambda: heights(page, lambda sheet, table: (sheet, table) == (small, felt)))


async def test_several_pieces_are_chosen_by_touching_them_with_the_total_in_the_sheet(
    seats: Seats
) -> None:
    async with seats.asked("a total", "valley-of-the-kings", question("prompt.play"), PHONE) as page:
        luck, hand, total = Random(3), page.locator(".own .card.lit"), page.locator(".choosing .total")
        taken = page.locator('.own .card.lit[aria-pressed="true"]')
        while not (await total.count() and await hand.count() > 1 and not await taken.count()):
            await page.locator(READY).wait_for()
            await touch(page, luck)
        before = await total.inner_text()
        await hand.last.tap()
        await expect(taken).to_have_count(1)
        await expect(total).not_to_have_text(before)
        await expect(total).to_be_in_viewport()


async def pressed(button: Locator, by: str) -> None:
    await (button.click() if by == "finger" else press(button))


async def play_until_many_offers(page: Page) -> None:
    """Play until there are more offers than the small sheet shows.

    Offers made by touching pieces of the table are not in the sheet.
    """
    luck = Random(1)
    while True:
        await page.locator(READY).wait_for()
        if await page.locator("[data-offer]").count() > MANY:
            return
        await touch(page, luck)


async def test_language_and_look_are_behind_one_button_on_a_phone(seats: Seats) -> None:
    async with seats.asked("a menu", "valley-of-the-kings", screen=PHONE) as page:
        title, menu, spanish = page.locator(".bar h1"), page.locator(".menu"), page.locator('[data-locale="es"]')
        assert await title.evaluate("element => element.scrollWidth <= element.clientWidth")
        await expect(spanish).to_be_hidden()
        await press(menu)
        await expect(menu).to_have_attribute("aria-expanded", "true")
        await press(spanish)
        await expect(page.locator("html")).to_have_attribute("lang", "es")
        await page.keyboard.press("Escape")
        await expect(menu).to_have_attribute("aria-expanded", "false")
        await expect(spanish).to_be_hidden()


WHOLE = "board => board.scrollWidth <= board.clientWidth && board.scrollHeight <= board.clientHeight"


async def test_a_map_is_zoomed_with_two_fingers(seats: Seats) -> None:
    async with seats.asked("two fingers", "kemet", screen=PHONE) as page:
        board = page.locator(".board")
        await expect(page.locator(".space").first).to_be_visible()
        await board.scroll_into_view_if_needed()
        box = await board.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
        fingers = await page.context.new_cdp_session(page)
        for kind, apart in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80), ("touchEnd", None)):
            points = [] if apart is None else [{"x": x - apart, "y": y}, {"x": x + apart, "y": y}]
            await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        await expect(page.locator('[data-action="zoom-out"]')).to_be_enabled()
        assert not await board.evaluate(WHOLE)


async def test_a_map_fits_a_phone_and_is_zoomed_to_be_read(seats: Seats) -> None:
    async with seats.asked("a map", "kemet", screen=PHONE) as page:
        board, larger = page.locator(".board"), page.locator('[data-action="zoom-in"]')
        await expect(page.locator(".space").first).to_be_visible()
        await eventually(lambda: board.evaluate(WHOLE))
        while await larger.is_enabled():
            await larger.click()
        assert not await board.evaluate(WHOLE)
        await expect(page.locator('.map[data-short="false"]')).to_have_count(1)
        first = page.locator(".space > button").first
        await first.click()
        await expect(page.locator(".named")).to_have_text(str(await first.get_attribute("title")))


async def test_a_seat_that_has_finished_is_told_in_words_and_announced(seats: Seats) -> None:
    async with seats.asked("a seat finishes", "game-of-kingdoms", event(MIDDLE)) as page:
        finished, luck = page.locator('.seat[data-finished="true"]'), Random(2)
        while not await finished.count():
            await page.locator(f"{READY}, {OVER}, .seat[data-finished='true']").first.wait_for()
            await touch(page, luck)
        name = await finished.first.locator(".who").inner_text()
        place = await finished.first.locator(".tag.finished").inner_text()
        await expect(page.get_by_role("log")).to_contain_text(f"{name} is out of cards: {place.split(', ')[-1]}")


COUNT_MOVING = """() => {
    window.moving = 0
    const start = document.startViewTransition.bind(document)
    const card = animation => animation.effect.pseudoElement?.startsWith('::view-transition-group(card-')
    document.startViewTransition = change => {
        const transition = start(change)
        transition.ready.then(() => window.moving += document.getAnimations().filter(card).length, () => {})
        return transition
    }
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_cards_are_seen_on_their_way_unless_motion_is_unwanted(
    seats: Seats, motion: Literal["no-preference", "reduce"]
) -> None:
    async with seats.asked(f"cards on their way, {motion}", "game-of-kingdoms", motion=motion) as page:
        await page.evaluate(COUNT_MOVING)
        luck, seen = Random(7), False
        # Many seats may pass at first, but in every complete game some card moves.
        while not (seen or await page.locator(OVER).count()):
            await play(page, luck, moves=8 if motion == "reduce" else 2)
            seen = await page.evaluate("moving") > 0
            if motion == "reduce":
                break
        assert seen == (motion == "no-preference")
        await expect(page.locator(".spot-of-card")).to_have_count(0)


@pytest.mark.parametrize("ruleset", sorted(titles())[::2])
async def test_a_ruleset_without_hints_can_be_played(seats: Seats, ruleset: str) -> None:
    async def without_spots(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "spots": []})

    async with seats.visitor() as page:
        await page.route("**/rulesets/*", without_spots)
        await page.goto(await seats.table(f"no hints {ruleset}", ruleset))
        await play(page, Random(ruleset), moves=6)
        assert await page.locator(".middle .zone").count() >= 1
        await assert_apart(page)

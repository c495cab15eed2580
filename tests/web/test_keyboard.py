"""By keyboard alone, every control can be reached, and no action loses the focus."""

from functools import partial
from random import Random

import pytest
from playwright.async_api import Browser, Locator, Route, expect

from ludarium_engine.registry import titles
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.keyboard import assert_focus, never_reached, play_by_keyboard, press
from tests.web.planted import SEATS
from tests.web.player import OVER, READY, play
from tests.web.seated import Seats, event, near_end
from tests.web.test_access import PATHS
from tests.web.test_friends import open_table

SCREENS = pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
LAST = 8
"""The number of events before the end of a game."""


@SCREENS
async def test_tab_reaches_every_control_of_every_page(site: str, browser: Browser, screen: Screen) -> None:
    async with visitor(browser, screen) as page:
        missed = dict[str, list[str]]()
        for path in PATHS:
            await page.goto(site + path)
            await page.locator("main").wait_for()
            await expect(page.locator(".loading")).to_have_count(0)
            for fold in await page.locator("main summary:visible").all():
                await fold.click()
            missed[path] = await never_reached(page)
        assert {path: each for path, each in missed.items() if each} == {}


@SCREENS
@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_the_result_of_a_game_is_in_sight_and_has_the_focus(seats: Seats, ruleset: str, screen: Screen) -> None:
    name = f"result {ruleset} {screen.name}"
    async with seats.asked(name, ruleset, near_end(name, ruleset, SEATS, LAST), screen) as page:
        await play(page, Random(name))
        result = page.locator("[data-scores] h2")
        await expect(result).not_to_be_empty()
        await expect(result).to_be_focused()
        await expect(result).to_be_in_viewport(ratio=1)


@SCREENS
async def test_a_short_game_is_played_to_its_end_by_keyboard_alone(seats: Seats, screen: Screen) -> None:
    """Only the last moves are played; `make prove ONLY=web` plays complete games."""
    name, ruleset = f"by keyboard {screen.name}", "lights-in-the-fog"
    async with seats.asked(name, ruleset, near_end(name, ruleset, SEATS, 12), screen) as page:
        assert await play_by_keyboard(page, Random(name)) > 0
        await expect(page.locator("[data-scores] h2")).to_be_focused()


@SCREENS
@pytest.mark.parametrize("ruleset", ["kemet", "valley-of-the-kings"])
async def test_tab_reaches_every_control_of_a_table_and_its_replay(seats: Seats, ruleset: str, screen: Screen) -> None:
    async with seats.asked(f"each control {ruleset} {screen.name}", ruleset, event(20), screen) as page:
        assert await never_reached(page) == []
        await page.goto(f"{page.url}/replay")
        await page.locator("[data-replay]").wait_for()
        assert await never_reached(page) == []


@SCREENS
async def test_the_first_question_has_the_focus_when_a_table_opens(seats: Seats, screen: Screen) -> None:
    async with seats.asked(f"arrival {screen.name}", "valley-of-the-kings", screen=screen) as page:
        await expect(page.locator("#choices")).to_be_focused()


@pytest.mark.parametrize("private", [True, False], ids=["private", "listed"])
async def test_an_invited_player_on_a_phone_first_sees_name_and_seat(site: str, browser: Browser, private: bool) -> None:
    """The link to a private table shows both on a separate page, before it is used.

    For other tables, both are at the top of the waiting room.
    """
    async with visitor(browser) as ada, visitor(browser, PHONE) as ben:
        await ben.goto(await open_table(ada, site, private=private))
        await ben.locator("[data-invited]" if private else ".waiting").wait_for()
        name, join = ben.locator('input[name="name"]'), ben.locator('[data-action="join"]')
        for each in (name, join):
            await expect(each).to_be_in_viewport(ratio=1)
        assert await join.evaluate("join => join.getBoundingClientRect().bottom") < PHONE.height / 2
        await name.fill("Ben")
        await press(join)
        await expect(ada.locator('[data-chair="1"]')).to_contain_text("Ben")


@SCREENS
async def test_no_action_in_the_waiting_room_loses_the_place(site: str, browser: Browser, screen: Screen) -> None:
    """Pressed controls often disappear there, but the focus must not go to the body."""
    async with visitor(browser, screen) as page, visitor(browser, PHONE) as ben:
        await page.goto(site)
        for control in ('[data-title="game-of-kingdoms"]', '[data-action="create"]'):
            await press(page.locator(control))
            await assert_focus(page)
        link = await page.locator("[data-invite]").get_attribute("href")
        await assert_focus(page)
        await ben.goto(str(link))
        await press(ben.locator('[data-action="join"]'))
        await ben.locator('[data-action="stand-up"]').wait_for()
        await assert_focus(ben)
        remove = page.locator('[data-action="remove"]')
        await page.route("**/seats/*", partial(answer_after, remove))
        await press(remove)
        await expect(remove).to_have_count(0)
        await assert_focus(page, ".waiting")
        await press(page.locator('[data-chair="1"] [data-action="seat-bot"]'))
        await page.locator('[data-action="remove"]').wait_for()
        await assert_focus(page, ".waiting")
        await press(page.locator('[data-action="start"]'))
        await page.locator(f"{READY}, {OVER}").wait_for()
        await assert_focus(page, "#choices")


async def answer_after(control: Locator, route: Route) -> None:
    """Respond to a request after the socket's event has removed the control.

    The page waits for both the response and the event.
    """
    answer = await route.fetch()
    await expect(control).to_have_count(0)
    await route.fulfill(response=answer)


async def test_what_is_opened_and_closed_by_keyboard_gives_the_focus_back(seats: Seats) -> None:
    async with seats.asked("opened and closed", "valeria", event(30)) as page:
        card = page.locator(".felt .card[data-card]:not(.lit)").first
        number = await card.get_attribute("data-card")
        await press(card)
        await press(page.locator(".detail button.quiet"))
        await expect(page.locator(f'.felt [data-card="{number}"]').first).to_be_focused()
        await press(page.locator('[data-deed="resign"]'))
        await assert_focus(page, ".deeds")
        await press(page.locator(".deeds button").last)
        await assert_focus(page, ".deeds")


ESCAPE_AT_ONCE = """() => new Promise(done => {
    const menu = document.querySelector(".menu")
    const escape = () => {
        document.querySelector("[data-locale=es]").focus()
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}))
        done(document.activeElement === menu)
    }
    new MutationObserver(escape).observe(menu, {attributeFilter: ["aria-expanded"]})
    menu.click()
})"""
"""Open the menu and press Escape before the next frame.

Returns whether the menu's button has the focus.
"""


async def test_the_menu_of_a_phone_gives_the_focus_back(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE) as page:
        await page.goto(site)
        menu = page.locator(".menu")
        await menu.wait_for()
        assert await page.evaluate(ESCAPE_AT_ONCE)
        await press(menu)
        await page.locator('[data-locale="es"]').focus()
        await page.keyboard.press("Escape")
        await expect(menu).to_be_focused()

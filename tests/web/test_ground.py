"""Tables are usable at 400 % zoom, with forced colours, and without colour vision."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import pytest
from playwright.async_api import Browser, Page, expect

from ludarium_engine.kernel import checked_options
from ludarium_engine.kernel.choices import Illegal
from ludarium_engine.registry import titles
from tests.support.kept_logs import kept
from tests.support.pure_games import Game
from tests.web.browser import DESK, Screen, visitor
from tests.web.planted import SEATS, planted, planted_battle, planted_game
from tests.web.player import READY, TABLE
from tests.web.seated import asked, question, signed_in

LARGE = Screen("1280 x 1024 at 400 %", 320, 256, False)
GAME = "game-of-kingdoms"
ANSWERS = 60
"""How many answers the seats give, so that each has something on the table."""


class Ground(NamedTuple):
    site: str
    database_url: str


@pytest.fixture
def ground(site: str, module_database_url: str) -> Ground:
    return Ground(site, module_database_url)


async def at_home(page: Page, ground: Ground) -> None:
    await page.goto(ground.site)
    await page.locator("[data-title]").first.wait_for()


async def at_games(page: Page, ground: Ground) -> None:
    await page.goto(f"{ground.site}/games")
    await page.locator("main").wait_for()
    await expect(page.locator(".loading")).to_have_count(0)


async def at_a_table(page: Page, ground: Ground) -> None:
    await page.goto(f"{ground.site}/settings")
    await page.evaluate("token => localStorage.setItem('ludarium.token', token)", await signed_in(ground.database_url))
    game = asked("ground", "kemet", question("prompt.take_turn"), SEATS)
    await page.goto(f"{ground.site}/t/{await planted(ground.database_url, kept(game))}")
    await page.locator(READY).wait_for()


async def at_a_battle(page: Page, ground: Ground) -> None:
    table, _ = await planted_battle(ground.database_url)
    await page.goto(f"{ground.site}/t/{table}")
    await page.locator("[data-battle]").wait_for()


async def at_a_replay(page: Page, ground: Ground) -> None:
    await page.goto(f"{ground.site}/t/{await planted_game(ground.database_url, GAME)}/replay?as=0&at=20")
    await page.locator("[data-replay]").wait_for()


async def at_tournaments(page: Page, ground: Ground) -> None:
    await page.goto(f"{ground.site}/tournaments/new")
    await page.locator("main form").wait_for()


PLACES: dict[str, Callable[[Page, Ground], Awaitable[None]]] = {
    "home": at_home, "games": at_games, "table": at_a_table, "battle": at_a_battle, "replay": at_a_replay,
    "tournament": at_tournaments,
}  # fmt: skip

# Text and controls beyond the window's right edge, outside of scrolling containers and maps.
BEYOND = """() => {
    const root = document.documentElement
    const scrolls = element => element && element !== document.body && (
        ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const cut = [...document.querySelectorAll('main :is(button, a, input, select, textarea, h1, h2, h3, p, li, label)')]
        .filter(each => each.checkVisibility() && !each.closest('.visually-hidden, .skip') && !scrolls(each))
        .filter(each => { const box = each.getBoundingClientRect(); return box.width > 1 && box.right > innerWidth + 1 })
    return [...(root.scrollWidth > root.clientWidth + 1 ? [`the page: ${root.scrollWidth}`] : []),
            ...cut.map(each => each.outerHTML.slice(0, 160))]
}"""
# Controls that no scrolling brings into the window.
OUT_OF_REACH = """() => [...document.querySelectorAll('main :is(button, a, input, select, textarea)')]
    .filter(each => each.checkVisibility() && !each.disabled && !each.closest('.visually-hidden, .skip'))
    .filter(each => {
        each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
        const box = each.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2
        const top = document.elementFromPoint(x, y)
        return !top || !(each.contains(top) || top.contains(each) || top.closest('label')?.contains(each))
    })
    .map(each => each.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize("place", PLACES)
async def test_four_times_as_large_all_of_it_is_reached_by_scrolling_one_way(
    browser: Browser, ground: Ground, place: str
) -> None:
    async with visitor(browser, LARGE) as page:
        await PLACES[place](page, ground)
        assert await page.evaluate(BEYOND) == []
        assert await page.evaluate(OUT_OF_REACH) == []


# Colours and shadows are lost there, so selectable pieces need another border or outline.
ALIKE = """() => {
    const look = each => { const style = getComputedStyle(each)
        const { borderTopStyle, borderTopWidth, borderTopColor, outlineStyle, outlineWidth } = style
        return [borderTopStyle, borderTopWidth, borderTopColor, outlineStyle, outlineWidth].join() }
    const plain = kind => [...document.querySelectorAll(`.felt .${kind}:not(.lit, .back, .gap)`)].map(look)
    return ['card', 'space'].flatMap(kind => {
        const others = plain(kind)
        return [...document.querySelectorAll(`.felt .${kind}.lit:not(.gap)`)].filter(each => others.includes(look(each)))
            .map(each => each.outerHTML.slice(0, 160)) })
}"""
# Buttons without a name, seat signs without a letter, and signs and pips in the background colour.
BARE = """() => [
    ...[...document.querySelectorAll('.token, .pip')]
        .filter(each => getComputedStyle(each).backgroundColor === getComputedStyle(document.body).backgroundColor),
    ...[...document.querySelectorAll('main button')].filter(each => each.checkVisibility() && !each.textContent.trim()
        && !each.ariaLabel && !each.title),
    ...[...document.querySelectorAll('.token')].filter(each => !each.textContent.trim())]
    .map(each => each.outerHTML.slice(0, 160))"""


@pytest.mark.parametrize("place", PLACES)
async def test_in_forced_colours_what_may_be_chosen_differs_from_what_may_not(
    browser: Browser, ground: Ground, place: str
) -> None:
    async with visitor(browser, DESK, forced_colors="active") as page:
        await PLACES[place](page, ground)
        assert await page.evaluate("matchMedia('(forced-colors: active)').matches")
        assert await page.evaluate(ALIKE) == []
        assert await page.evaluate(BARE) == []


def most_seats(ruleset: str) -> int:
    """Return the largest number of seats that the default options allow."""
    title = titles()[ruleset]
    for seats in reversed(title.seats):
        with suppress(Illegal):
            checked_options(title, {}, seats)
            return seats
    raise AssertionError(ruleset)


# The seat, letter and outline of each seat sign.
SIGNS = """() => [...document.querySelectorAll('.token')].map(each => {
    const { clipPath, borderRadius } = getComputedStyle(each)
    return [each.dataset.seatColour, each.textContent.trim(), `${clipPath} ${borderRadius}`] })"""
# Seat colours without a seat sign or a word next to them.
UNSIGNED = """() => [...document.querySelectorAll('[data-seat-colour]')]
    .filter(each => !each.matches('.token') && !each.querySelector('.token') && !each.parentElement.textContent.trim())
    .map(each => each.outerHTML.slice(0, 160))"""
# Colour spots without a word or a letter.
UNNAMED = """() => [...document.querySelectorAll('.swatch')].filter(each => each.checkVisibility())
    .filter(each => {
        const said = each.parentElement.querySelector('.said')
        const read = said && said.getBoundingClientRect().width > 1 && said.textContent.trim()
        const initial = getComputedStyle(each, '::before').content
        return !read && !/[a-z]/i.test(initial.replace('none', '').replace('normal', ''))
    }).map(each => each.parentElement.outerHTML.slice(0, 200))"""


@pytest.mark.parametrize("ruleset", sorted(titles()))
async def test_whose_something_is_shows_by_a_letter_and_a_shape(
    site: str, browser: Browser, module_database_url: str, ruleset: str
) -> None:
    """The table with the most seats is used, because the most signs must differ there."""
    seats = most_seats(ruleset)
    table = await planted(module_database_url, kept(Game(f"signs {ruleset}", ruleset, seats).start().play(ANSWERS)))
    async with visitor(browser, DESK) as page:
        await page.goto(f"{site}/t/{table}")
        await page.locator(TABLE).wait_for()
        signs = {tuple(sign) for sign in await page.evaluate(SIGNS)}
        for part in range(3):
            assert len({sign[part] for sign in signs}) == len(signs) == seats, (part, signs)
        assert await page.evaluate(UNSIGNED) == []
        assert await page.evaluate(UNNAMED) == []

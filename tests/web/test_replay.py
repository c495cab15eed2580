"""Replays from any moment and for any viewer, on a phone and a desktop."""

import re
from collections.abc import Callable
from itertools import cycle
from random import Random

import pytest
from playwright.async_api import Browser, Page, Route, expect

from ludarium_engine.registry import titles
from tests.support.waiting import eventually
from tests.web.browser import DESK, LAPTOP, PHONE, Screen, answer_to, visitor
from tests.web.planted import SEATS, planted_game
from tests.web.player import play
from tests.web.seated import Seats, event

REPLAY = "[data-replay]"
LATE = 36
"""The number of events after which a game of three is nearly over."""
SLIDER = ".scrubber input"
MOST_VIEWS = 2 * (SEATS + SEATS + 1 + 1)
"""The most views that a replay may load: the first moment and the last one.

All hands count twice, for the first visit and the reload; the two other viewers count once.
"""
EACH_ON_ONE = [*zip(sorted(titles()), cycle([DESK, PHONE])), ("kemet", DESK)]
"""Each title on one screen, and the title with a map on both."""


def control(name: str) -> str:
    return f'[data-control="{name}"]'


async def seq(page: Page) -> int:
    return int(await page.locator(REPLAY).get_attribute("data-seq") or -1)


async def at(page: Page, wanted: int) -> None:
    """Wait until the replay shows the wanted event."""
    await expect(page.locator(REPLAY)).to_have_attribute("data-seq", str(wanted))


async def before(page: Page, later: int) -> None:
    """Wait until the replay shows an event before `later`."""
    async def is_before() -> bool:
        return await seq(page) < later

    await eventually(is_before)


async def opened(page: Page, address: str) -> int:
    """Open a replay, and return the number of its last event."""
    await page.goto(address)
    await page.locator(REPLAY).wait_for()
    return int(await page.locator(REPLAY).get_attribute("data-last") or -1)


@pytest.mark.parametrize(("ruleset", "screen"), EACH_ON_ONE, ids=lambda each: str(getattr(each, "name", each)))
async def test_a_game_of_each_title_is_gone_through(
    site: str, browser: Browser, module_database_url: str, ruleset: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen) as page:
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        last = await opened(page, f"{site}/t/{table}/replay?as=everything")
        await page.locator(control("on")).click()
        await scrubbed(page, last)
        await a_line_leads_to_its_moment_and_back(page)
        await key_moments(page, last)
        await with_other_eyes(page)
        assert len([url for url in asked if "/view?" in url]) <= MOST_VIEWS
        assert await page.locator("[data-wrong], [data-missing-text], .trouble").count() == 0
        root = "document.documentElement"
        assert await page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


async def scrubbed(page: Page, last: int) -> None:
    """Move the slider, which announces its position and puts it into the address."""
    first = await seq(page)
    await page.locator(SLIDER).focus()
    for key in ("End", "ArrowLeft", "ArrowLeft"):
        await page.keyboard.press(key)
    await at(page, last - 2)
    assert last - 2 > first
    await expect(page.locator(SLIDER)).to_have_attribute("aria-valuetext", re.compile(rf"^Event {last - 2} of {last}"))
    await expect(page).to_have_url(re.compile(rf"\?at={last - 2}&as=everything$"))
    zones = await shown(page)
    await page.reload()
    await at(page, last - 2)
    await shows(page, zones)


async def shown(page: Page) -> list[str]:
    cards: list[str] = await page.locator(".felt [data-card]").evaluate_all("cards => cards.map(card => card.dataset.card)")
    return cards


async def shows(page: Page, cards: list[str]) -> None:
    async def same() -> bool:
        return await shown(page) == cards

    await eventually(same)


async def a_line_leads_to_its_moment_and_back(page: Page) -> None:
    there = await seq(page)
    line = page.locator(f'[data-line="{await page.locator(".told").nth(3).get_attribute("data-line")}"]')
    await line.click()
    await expect(line).to_have_attribute("aria-current", "step")
    await before(page, there)
    await page.locator(control("return")).click()
    await at(page, there)


async def key_moments(page: Page, last: int) -> None:
    moments = page.locator('[data-choice="moments"]')
    end = await moments.locator("option").last.inner_text()
    assert end.endswith("The end")
    await page.locator(SLIDER).press("Home")
    first = await seq(page)
    await moments.select_option(label=end)
    await expect(page.locator(REPLAY)).not_to_have_attribute("data-seq", str(first))
    there = await seq(page)
    assert there <= last
    await page.locator('[data-choice="unit"]').select_option("turn")
    await page.locator(control("back")).click()
    await before(page, there)


async def with_other_eyes(page: Page) -> None:
    there = await seq(page)
    for eyes, own in (("1", 1), ("spectator", 0)):
        await page.locator('[data-choice="eyes"]').select_option(eyes)
        await expect(page.locator(REPLAY)).to_have_attribute("data-eyes", eyes)
        await expect(page.locator(".seat.own")).to_have_count(own)
        await at(page, there)
    await expect(page).to_have_url(re.compile("as=spectator$"))


async def test_it_plays_and_is_silent_while_it_does(site: str, browser: Browser, module_database_url: str) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser, motion="no-preference") as page:
        await opened(page, f"{site}/t/{table}/replay")
        await page.keyboard.press("ArrowRight")
        await page.locator('[data-choice="speed"]').select_option("4")
        await expect(page.locator("[data-voice]")).to_have_text(re.compile("^Event"))
        await page.locator(control("play")).click()
        await expect(page.locator("[data-voice]")).to_have_text("")
        begun = await seq(page)
        await expect(page.locator(REPLAY)).not_to_have_attribute("data-seq", str(begun))
        await page.locator(control("pause")).click()
        await expect(page.locator("[data-voice]")).to_have_text(re.compile(r"^Event \d+ of"))
        await at(page, int((await page.locator("[data-voice]").inner_text()).split()[1]))
        await page.keyboard.press("Home")
        await before(page, begun)


async def test_what_stood_to_choose_from_lies_beside_what_was_chosen(
    site: str, browser: Browser, module_database_url: str
) -> None:
    table = await planted_game(module_database_url, "kemet")
    async with visitor(browser) as page:
        await opened(page, f"{site}/t/{table}/replay?as=0")
        await page.locator('[data-choice="unit"]').select_option("decision")
        stops = [await seq(page)]
        for _ in range(3):
            await page.locator(control("on")).click()
            await expect(page.locator(REPLAY)).not_to_have_attribute("data-seq", str(stops[-1]))
            await expect(page.locator('[data-decision="0"] [data-chosen="true"]')).to_have_count(1)
            await expect(page.locator('[data-decision="0"] [data-chosen="false"]').first).to_be_visible()
            stops.append(await seq(page))
        assert stops == sorted({*stops})


async def test_what_comes_out_otherwise_than_the_server_has_it_is_said_and_the_servers_is_shown(
    site: str, browser: Browser, module_database_url: str
) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")

    async def changed(route: Route) -> None:
        answer = await route.fetch()
        replay = await answer.json()
        replay["steps"] = [step | {"facts": []} if nth else step for nth, step in enumerate(replay["steps"])]
        await route.fulfill(response=answer, json=replay)

    async with visitor(browser) as page:
        await page.route("**/api/**/replay?*", changed)
        last = await opened(page, f"{site}/t/{table}/replay?as=spectator&at=20")
        await expect(page.locator("[data-wrong]")).to_be_visible()
        wrong = await shown(page)
        await page.unroute("**/api/**/replay?*")
        await opened(page, f"{site}/t/{table}/replay?as=spectator&at=20")
        await shows(page, wrong)
        assert last > 20


async def test_a_player_whom_nobody_knows_here_is_called_by_the_seat(
    site: str, browser: Browser, module_database_url: str
) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")

    async def strange(route: Route) -> None:
        answer = await route.fetch()
        body = await answer.json()
        body["seats"][0] |= {"player": table, "bot": None}
        await route.fulfill(response=answer, json=body)

    async with visitor(browser) as page:
        await page.route(f"**/api/v1/tables/{table}", strange)
        async with page.expect_response(answer_to("GET", "/api/v1/players")) as answered:
            await opened(page, f"{site}/t/{table}/replay?as=spectator")
        assert table not in [player["id"] for player in (await (await answered.value).json())["players"]]
        await expect(page.locator('[data-seat="0"] .who')).to_have_text("Seat 1")


async def test_a_replay_is_asked_for_once_wherever_it_begins(
    site: str, browser: Browser, module_database_url: str
) -> None:
    table = await planted_game(module_database_url, "game-of-kingdoms")
    async with visitor(browser) as page:
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        await opened(page, f"{site}/t/{table}/replay?as=spectator&at=20")
        assert [url for url in asked if "/api/v1/" in url and "/replay" in url] == [
            f"{site}/api/v1/tables/{table}/replay?as=spectator"
        ]


async def test_the_log_of_a_running_game_and_its_end_lead_to_its_replay(seats: Seats) -> None:
    async with seats.asked("to its replay", "game-of-kingdoms", event(LATE)) as page:
        await page.locator('[data-action="replay"]').click()
        await page.locator(REPLAY).wait_for()
        await expect(page.locator(REPLAY)).to_have_attribute("data-eyes", "0")
        await expect(page.locator('[data-choice="eyes"] option')).to_have_count(2)
        await page.locator('[data-action="table"]').click()
        await play(page, Random(3))
        await page.locator('[data-action="watch"]').click()
        await page.locator(REPLAY).wait_for()
        await page.locator('[data-action="check"]').click()
        await expect(page.locator('[data-verdict="holds"]')).to_have_text(re.compile(r"^Fair: \d+ events"))


PICTURE = """async () => {
    const parts = '.seat, .middle, .zone, .card, .space, .amount, .mark, .told, .offered, .points li, [data-slot]'
    const box = part => Object.values(part.getBoundingClientRect().toJSON()).map(Math.round).slice(0, 4)
    const seen = () => [...document.querySelectorAll(`.game :is(${parts})`)].filter(part => part.checkVisibility())
    const picture = text => seen().map(part => [part.className, ...box(part), part[text]].join(' '))
    let [now, same] = ['', 0]
    while (same < 5) {
        await new Promise(requestAnimationFrame)
        const before = now
        now = picture('textContent').join()
        same = now === before ? same + 1 : 0
    }
    return picture('innerText')
}"""
"""Return the position, size and text of each part of a game once at rest."""
PICTURED = [*((title, DESK) for title in sorted(titles())), ("kemet", PHONE), ("kemet", LAPTOP)]


@pytest.mark.parametrize(("ruleset", "screen"), PICTURED, ids=lambda each: str(getattr(each, "name", each)))
async def test_a_moment_looks_the_same_wherever_one_came_from(
    site: str, browser: Browser, module_database_url: str, ruleset: str, screen: Screen
) -> None:
    table = await planted_game(module_database_url, ruleset)
    async with visitor(browser, screen) as page:
        last = await opened(page, f"{site}/t/{table}/replay?as=0")
        first = last - int(await page.locator(SLIDER).get_attribute("max") or 0)
        moments = [first + (last - first) * part // 4 for part in (1, 2, 3, 4)]
        alone = {moment: await opened_alone(page, f"{site}/t/{table}/replay?as=0&at={moment}") for moment in moments}
        for moment in [*moments, *reversed(moments), first, *moments]:
            await page.locator(SLIDER).fill(str(moment - first))
            await at(page, moment)
            picture = await page.evaluate(PICTURE)
            assert picture == alone.get(moment, picture)


async def opened_alone(page: Page, address: str) -> list[str]:
    """Open a replay at an address, and return a description of what it shows."""
    await opened(page, address)
    await page.wait_for_load_state("networkidle")
    picture: list[str] = await page.evaluate(PICTURE)
    return picture


async def test_the_story_stands_round_the_moment_and_goes_on_both_ways(
    site: str, browser: Browser, module_database_url: str
) -> None:
    table = await planted_game(module_database_url, "kemet")
    async with visitor(browser) as page:
        last = await opened(page, f"{site}/t/{table}/replay?as=spectator")
        middle = last // 2
        await opened(page, f"{site}/t/{table}/replay?as=spectator&at={middle}")
        lines, current = page.locator(".told"), page.locator('.told[aria-current="step"]').last
        there = await lines.count()

        async def lines_are(wanted: Callable[[int], bool]) -> bool:
            return wanted(await lines.count())

        await expect(current).to_be_in_viewport()
        for way, nth in (("earlier", 0), ("later", -1)):
            edge = int(await lines.nth(nth).get_attribute("data-line") or -1)
            await page.locator(f'[data-lines="{way}"]').click()
            next_line = page.locator(f'[data-line="{edge + (1 if nth else -1)}"]')
            await expect(next_line).to_be_focused()
            await expect(next_line).to_be_in_viewport()
        more = await lines.count()
        assert more > there
        await page.keyboard.press("Enter")
        await expect(page.locator(REPLAY)).not_to_have_attribute("data-seq", str(middle))
        await expect(page.locator(".told:focus")).to_have_attribute("aria-current", "step")
        await eventually(lambda: lines_are(lambda count: count < more))
        await page.keyboard.press("Control+f")
        await expect(page.locator("[data-lines]")).to_have_count(0)
        await expect(current).to_be_in_viewport()
        await eventually(lambda: lines_are(lambda count: count > more))

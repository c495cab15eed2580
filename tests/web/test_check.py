"""The verification of a finished game in the player's own browser."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.records.vectors import published, read
from tests.web.browser import DESK, PHONE, Screen, visitor
from tests.web.planted import planted_game

TITLE = "game-of-kingdoms"
CHECK, VERDICT = '[data-action="check"]', "[data-verdict]"
FAIR = {
    "en": r"Fair: \d+ events, 1 shuffle, 1 die", "es": r"Limpia: \d+ sucesos, 1 mezcla",
    "hu": r"Tisztességes: \d+ esemény, 1 kev",
}  # fmt: skip
PLACES = """async () => {
    const places = () => [...document.querySelectorAll('.game *')].filter(each => each.checkVisibility()).map(each => {
        const {x, y, width, height} = each.getBoundingClientRect()
        return [each.className, x, y, width, height].join(' ')
    })
    let [now, same] = [[], 0]
    while (same < 5) {
        await new Promise(requestAnimationFrame)
        const before = now
        now = places()
        same = String(now) === String(before) ? same + 1 : 0
    }
    return now
}"""
"""Return the position of each visible element once the page has come to rest."""


@pytest.mark.parametrize("screen", [PHONE, DESK], ids=lambda screen: screen.name)
async def test_a_game_is_checked_after_its_end_and_nothing_moves(
    site: str, browser: Browser, module_database_url: str, screen: Screen
) -> None:
    async with visitor(browser, screen) as page:
        scripts = list[str]()
        page.on("request", lambda request: scripts.append(request.url))
        await page.goto(f"{site}/t/{await planted_game(module_database_url, TITLE)}")
        await page.locator(CHECK).wait_for()
        assert not any("/checker-" in url for url in scripts)
        await page.locator(CHECK).scroll_into_view_if_needed()
        before = await page.evaluate(PLACES)
        await verdict(page, "holds")
        assert any("/checker-" in url for url in scripts)
        assert await page.evaluate(PLACES) == before
        english = await page.locator(".game").text_content() or ""
        for locale, says in FAIR.items():
            await page.evaluate("locale => document.querySelector(`[data-locale=${locale}]`).click()", locale)
            await expect(page.locator(VERDICT)).to_have_text(re.compile(says))
        await page.evaluate("document.querySelector('[data-locale=en]').click()")
        await expect(page.locator(".game")).to_have_text(english)               # English texts are back
        await what_does_not_hold_is_named(page)


async def what_does_not_hold_is_named(page: Page) -> None:
    before = await page.evaluate(PLACES)

    async def changed(route: Route) -> None:
        answer = await route.fetch()
        record: dict[str, Any] = await answer.json()
        record["rows"][7]["at_us"] += 1
        await route.fulfill(response=answer, json=record)

    await page.route("**/record", changed)
    await verdict(page, "broken")
    await expect(page.locator(VERDICT)).to_have_text("Verification failed at event 7: it does not match the event before it")
    assert await page.evaluate(PLACES) == before
    await page.unroute("**/record")
    await page.route("**/record", anothers)
    await verdict(page, "broken")
    await expect(page.locator(VERDICT)).to_have_text("Verification failed: it belongs to another table")
    await page.unroute("**/record")
    await page.route("**/record", refused)
    await verdict(page, "trouble")
    await expect(page.locator(VERDICT)).to_have_text("There is no such table")
    assert await page.evaluate(PLACES) == before


async def anothers(route: Route) -> None:
    await route.fulfill(body=next(read(vector) for vector in published() if vector.holds), content_type="application/json")


async def refused(route: Route) -> None:
    problem = {"type": "about:blank", "title": "There is no such table", "status": 404, "code": "no-such-table"}
    await route.fulfill(status=404, json=problem, content_type="application/problem+json")


async def verdict(page: Page, kind: str) -> None:
    await page.locator(CHECK).click()
    await expect(page.locator(VERDICT)).to_have_attribute("data-verdict", kind)

"""Somebody at the client who knows no rules and touches whatever lights up."""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Literal

from playwright.async_api import Page

from tests.support.waiting import eventually

TABLE = "[data-table]"
READY = f'{TABLE}[data-state="asked"][data-connection="online"]'
OVER = f'{TABLE}[data-state="over"]'
MOVE = "[data-move]:visible:enabled"
CONFIRM = "[data-confirm]:visible:enabled"
SENDS = '[data-offer][data-sends="true"]:visible:enabled'         # no further choice to be made
TOUCH = """([agrees, luck]) => {
    const found = name => [...document.querySelectorAll(`[data-${name}]:enabled`)].filter(each => each.checkVisibility())
    const [confirm] = found('confirm'), moves = found('move')
    const control = agrees && confirm ? confirm : moves[Math.floor(luck * moves.length)]
    control?.click()
}"""
MOST_TOUCHES, MOST_TABLES = 6000, 10
AGREES = 0.6                                    # how likely a choice of several pieces that may be confirmed is


async def open_table(page: Page, site: str, ruleset: str, *, seats: int | None = None) -> None:
    """From the first page to a game against bots: two clicks, and one for each seat beyond the usual ones."""
    await page.goto(site)
    await page.locator(f'[data-title="{ruleset}"]').first.click()
    while seats is not None and int(await page.locator(".stepper output").inner_text()) < seats:
        await page.locator(".stepper button").last.click()
    await page.locator('[data-action="play-bots"]').click()
    await page.locator(TABLE).wait_for()


async def open_to_answer(page: Page, site: str, ruleset: str) -> None:
    """At a table that begins with a question which one press answers: most deals are so."""
    for _ in range(MOST_TABLES):
        await open_table(page, site, ruleset)
        await page.locator(READY).wait_for()
        if await page.locator(SENDS).count():
            return
    raise AssertionError("no such deal")


async def seq(page: Page) -> int:
    return int(await page.locator(TABLE).get_attribute("data-seq") or 0)


async def touch(page: Page, luck: Random) -> None:
    """One control by chance; a choice that may be confirmed mostly is. It may be gone by then."""
    await page.evaluate(TOUCH, [luck.random() < AGREES, luck.random()])


async def play_together(pages: Sequence[Page], luck: Random, until: Callable[[], Awaitable[bool]]) -> None:
    """Let each page that is asked touch a control, until `until` holds."""
    async def acted() -> Literal["done", "touched", ""]:
        if await until():
            return "done"
        for page in pages:
            if await page.locator(READY).count():
                await touch(page, luck)
                return "touched"
        return ""

    while await eventually(acted) == "touched":
        pass


async def play(page: Page, luck: Random, *, moves: int | None = None) -> int:
    """To the end of the game, or until it has gone on by so many events. How often a control was touched."""
    start = await seq(page)
    for touches in range(MOST_TOUCHES):
        await page.locator(f"{READY}, {OVER}").wait_for()
        if await page.locator(OVER).count() or (moves is not None and await seq(page) >= start + moves):
            return touches
        await touch(page, luck)
    raise AssertionError(f"no end after {MOST_TOUCHES} touches")

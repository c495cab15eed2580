"""Somebody at the client who knows no rules and touches whatever lights up."""

from collections.abc import Awaitable, Callable, Sequence
from random import Random
from typing import Literal

from playwright.async_api import Page

from tests.support.waiting import eventually, in_time

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
# One touch a frame, until the game is far enough or so many touches were made: [whether it is far enough, touches].
PLAY = f"""async ([ready, over, until, agrees, seed, most]) => {{
    const touch = {TOUCH}
    let state = Math.floor(seed * 2 ** 31) | 1
    const luck = () => {{ state ^= state << 13; state ^= state >>> 17; state ^= state << 5; return (state >>> 0) / 2 ** 32 }}
    for (let made = 0; ; await new Promise(requestAnimationFrame)) {{
        if (document.querySelector(over)) return [true, made]
        const asked = document.querySelector(ready)
        if (!asked) continue
        if (until !== null && Number(asked.dataset.seq) >= until) return [true, made]
        if (made === most) return [false, made]
        touch([luck() < agrees, luck()])
        made++
    }}
}}"""
BATCH = 40
"""Touches between two looks at the limit of waiting."""
MOST_TOUCHES, MOST_TABLES = 6000, 10
AGREES = 0.6                                    # how likely a choice of several pieces that may be confirmed is


async def open_table(page: Page, site: str, ruleset: str, *, seats: int | None = None) -> None:
    """From the first page to a game against bots: two clicks, and one for each seat more or fewer than the usual ones."""
    await page.goto(site)
    await page.locator(f'[data-title="{ruleset}"]').first.click()
    while seats is not None and (now := int(await page.locator(".stepper output").inner_text())) != seats:
        stepper = page.locator(".stepper button")
        await (stepper.last if now < seats else stepper.first).click()
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


async def asked_of(pages: Sequence[Page]) -> Page:
    """Wait until one of the pages is asked something and connected; return it."""
    async def found() -> Page | None:
        for page in pages:
            if await page.locator(READY).count():
                return page
        return None

    return await eventually(found)


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
    """Play on the page itself to the end of the game, or until it has gone on by so many events; return the touches."""
    until = None if moves is None else await seq(page) + moves
    touches = 0
    while touches < MOST_TOUCHES:
        done, made = await in_time(page.evaluate(PLAY, [READY, OVER, until, AGREES, luck.random(), BATCH]))
        touches += int(made)
        if done:
            return touches
    raise AssertionError(f"no end after {MOST_TOUCHES} touches")

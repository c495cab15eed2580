"""A player who knows no rules and touches enabled controls at random."""

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
SENDS = '[data-offer][data-sends="true"]:visible:enabled'         # one press answers
TOUCH = """([agrees, luck]) => {
    const found = name => [...document.querySelectorAll(`[data-${name}]:enabled`)].filter(each => each.checkVisibility())
    const [confirm] = found('confirm'), moves = found('move')
    const control = agrees && confirm ? confirm : moves[Math.floor(luck * moves.length)]
    control?.click()
}"""
# Touch once a frame until the event `until` or `most` touches; return [whether it was reached, touches].
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
"""How many touches are made before the limit of waiting is checked."""
MOST_TOUCHES, MOST_TABLES = 6000, 10
AGREES = 0.6                                    # the probability of confirming a choice of pieces


async def open_table(page: Page, site: str, ruleset: str, *, seats: int | None = None) -> None:
    """Open a game against bots from the home page.

    This takes two clicks, and one more for each seat that differs from the default.
    """
    await page.goto(site)
    await page.locator(f'[data-title="{ruleset}"]').first.click()
    while seats is not None and (now := int(await page.locator(".stepper output").inner_text())) != seats:
        stepper = page.locator(".stepper button")
        await (stepper.last if now < seats else stepper.first).click()
    await page.locator('[data-action="play-bots"]').click()
    await page.locator(TABLE).wait_for()


async def open_to_answer(page: Page, site: str, ruleset: str) -> None:
    """Open a table whose first question can be answered by a single press.

    Most deals give such a question.
    """
    for _ in range(MOST_TABLES):
        await open_table(page, site, ruleset)
        await page.locator(READY).wait_for()
        if await page.locator(SENDS).count():
            return
    raise AssertionError("no such deal")


async def seq(page: Page) -> int:
    return int(await page.locator(TABLE).get_attribute("data-seq") or 0)


async def touch(page: Page, luck: Random) -> None:
    """Touch a random control, or confirm with probability AGREES if possible.

    Nothing happens if the controls have disappeared.
    """
    await page.evaluate(TOUCH, [luck.random() < AGREES, luck.random()])


async def asked_of(pages: Sequence[Page]) -> Page:
    """Wait until one of the pages is connected and has a question, and return it."""
    async def found() -> Page | None:
        for page in pages:
            if await page.locator(READY).count():
                return page
        return None

    return await eventually(found)


async def play_together(pages: Sequence[Page], luck: Random, until: Callable[[], Awaitable[bool]]) -> None:
    """Touch controls on every page that has a question, until `until` returns true."""
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
    """Play in the page to the end of the game, or for `moves` events.

    Returns:
        The number of touches.
    """
    until = None if moves is None else await seq(page) + moves
    touches = 0
    while touches < MOST_TOUCHES:
        done, made = await in_time(page.evaluate(PLAY, [READY, OVER, until, AGREES, luck.random(), BATCH]))
        touches += int(made)
        if done:
            return touches
    raise AssertionError(f"no end after {MOST_TOUCHES} touches")

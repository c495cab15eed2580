"""From a click to what it brings: a move in the browser, over the loopback, with a durable server."""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

from playwright.async_api import Page

from benchmarks.rows import Row
from tests.api.test_crash import house
from tests.web.browser import chromium, visitor
from tests.web.player import CONFIRM, OVER, READY, open_table, play

MOVES = 60
GOAL_MS = 100.0
SETTLED = """async ([control]) => {
    const table = document.querySelector('[data-table]'), start = performance.now()
    const changed = new Promise(done => new MutationObserver(done).observe(
        table, {attributes: true, attributeFilter: ['data-seq']}))
    control.click()
    await changed
    await new Promise(requestAnimationFrame)
    return performance.now() - start
}"""


async def rows() -> AsyncIterator[Row]:
    times: list[float] = []
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with house(Path(folder) / "home") as server, chromium() as browser, visitor(browser) as page:
            while len(times) < MOVES:
                await open_table(page, f"http://127.0.0.1:{server.port}", "game-of-kingdoms")
                times += await timed_game(page, Random(len(times)))
    p50 = median(times)
    yield Row(
        name="web: a click and its visible result, p50", value=round(p50, 1), unit="ms", goal=f"< {GOAL_MS:.0f} ms",
        holds=p50 < GOAL_MS,
    )  # fmt: skip
    yield Row(
        name="web: a click and its visible result, p99", value=round(quantiles(times, n=100)[-1], 1), unit="ms"
    )


async def timed_game(page: Page, luck: Random) -> list[float]:
    """Milliseconds of each move that a single click makes."""
    times: list[float] = []
    while True:
        await page.locator(f"{READY}, {OVER}").wait_for()
        if await page.locator(OVER).count():
            return times
        offers = page.locator('[data-offer][data-sends="true"]:visible:enabled')
        if await offers.count() and not await page.locator(CONFIRM).count():
            control = await offers.nth(luck.randrange(await offers.count())).element_handle()
            times.append(float(await page.evaluate(SETTLED, [control])))
        else:
            await play(page, luck, moves=1)

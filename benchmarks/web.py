"""Measure moves and first visits in the browser.

Moves run from the click to the visible result, over the loopback with a durable server. First visits use the slow network and
device that Chromium emulates. The module also adds the scores of Lighthouse.
"""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from statistics import median, quantiles

from playwright.async_api import Browser, Page, StorageState

from benchmarks import lighthouse
from benchmarks.rows import Row
from tests.support.servers import durable_server
from tests.web.browser import PHONE, chromium, visitor
from tests.web.cold import SLOW_CPU, SLOW_KBIT, SLOW_MS, cold
from tests.web.player import CONFIRM, MOVE, OVER, READY, open_table, play
from tests.web.test_weight import largest

MOVES = 60
GOAL_MS = 100.0
VISITS = 5
SKELETON_MS, HOME_MS, TABLE_MS = 1_500, 2_500, 5_000
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
        async with durable_server(Path(folder) / "home") as server, chromium() as browser, visitor(browser) as page:
            site = server.http.rstrip("/")
            while len(times) < MOVES:
                await open_table(page, site, "game-of-kingdoms")
                times += await timed_game(page, Random(len(times)))
            p50 = median(times)
            yield Row(
                name="web: a click and its visible result, p50", value=round(p50, 1), unit="ms",
                goal=f"< {GOAL_MS:.0f} ms", holds=p50 < GOAL_MS,
            )  # fmt: skip
            yield Row(
                name="web: a click and its visible result, p99", value=round(quantiles(times, n=100)[-1], 1), unit="ms"
            )
            async for row in first_visits(browser, site):
                yield row
            async for row in lighthouse.scores(browser, site):
                yield row


async def first_visits(browser: Browser, site: str) -> AsyncIterator[Row]:
    """Yield the times of first visits to the home page and to a large table."""
    for name, most, times in await timed_visits(browser, site):
        value = median(times)
        yield Row(
            name=f"web: {name}, at {SLOW_KBIT} kbit/s, {SLOW_MS} ms, CPU/{SLOW_CPU}", value=round(value), unit="ms",
            goal=f"<= {most:,} ms", holds=value <= most,
        )  # fmt: skip


async def timed_visits(browser: Browser, site: str) -> list[tuple[str, int, list[float]]]:
    async with visitor(browser, PHONE) as page:
        await open_table(page, site, await largest(site))
        await page.locator(READY).wait_for()
        url, state = page.url, await page.context.storage_state()
    at_home = [await timed_visit(browser, site, "[data-title]", None) for _ in range(VISITS)]
    at_table = [await timed_visit(browser, url, f"{READY} {MOVE}", state) for _ in range(VISITS)]
    skeletons, homes = zip(*at_home, strict=True)
    return [
        ("a first visit's first paint", SKELETON_MS, [*skeletons]),
        ("home, to the titles", HOME_MS, [*homes]),
        ("a table, to the first possible click", TABLE_MS, [ready for _, ready in at_table]),
    ]


async def timed_visit(browser: Browser, url: str, wanted: str, state: StorageState | None) -> tuple[float, float]:
    """Return the milliseconds to the first paint, and to the wanted element."""
    async with cold(browser, slow=True, storage_state=state) as (page, _):
        await page.goto(url, wait_until="commit")
        await page.locator(wanted).first.wait_for()
        ready = float(await page.evaluate("performance.now()"))
        painted = float(await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        return painted, ready


async def timed_game(page: Page, luck: Random) -> list[float]:
    """Play a game; return the milliseconds of each move made by a single click."""
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

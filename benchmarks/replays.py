"""Measure the size of a long replay, and how fast jumps are in a slow browser."""
from __future__ import annotations

import gzip
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import httpx
from playwright.async_api import Page

from benchmarks.rows import Row
from ludarium.embedded import embedded
from ludarium.platform import ids
from ludarium.platform.config import Config
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_eventstore import EventStore
from tests.support.kept_logs import load, read
from tests.web.browser import DESK, chromium

GAME = "kemet-long-5"
"""1,055 events at five seats."""
JUMPS, SLOWER, GOAL_MS = 60, 4, 100.0
AS_VIEWS = "926 kB as views, gzipped"
JUMP = """async ([nth]) => {
    const room = document.querySelector('[data-replay]'), slider = document.querySelector('.scrubber input')
    if (Number(slider.value) === nth) return 0
    const start = performance.now()
    const changed = new Promise(done => new MutationObserver(done).observe(
        room, {attributes: true, attributeFilter: ['data-seq']}))
    slider.value = nth
    slider.dispatchEvent(new Event('input', {bubbles: true}))
    await changed
    await new Promise(requestAnimationFrame)
    const {port1, port2} = new MessageChannel(), drawn = new Promise(done => port1.onmessage = done)
    port2.postMessage(null)
    await drawn
    return performance.now() - start
}"""
"""Waits until the frame is laid out and painted. The callbacks of a frame run before its layout, but a message that a callback
posts arrives after it."""
RESTS_MS = 1_000
"""The pause between jumps, in which the page catches up on work that it has postponed."""


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder) / "home", durable=False) as services:
            await migrated(services.database_url)
            async with await EventStore.open(services.database_url) as store:
                table = ids.encode(await load(store, read(GAME)))
            config = Config(port=0, ws_port=0, rate_limits=False)
            async with running(config, services.database_url, services.redis_url, SystemEntropy()) as where:
                for row in [*await bytes_of(where.http, table), *await jumps(where.http, table)]:
                    yield row


async def bytes_of(site: str, table: str) -> list[Row]:
    found = []
    async with httpx.AsyncClient(base_url=f"{site}/api/v1", timeout=120) as http:
        for eyes in ("spectator", "0", "everything"):
            content = (await http.get(f"/tables/{table}/replay", params={"as": eyes})).raise_for_status().content
            packed = len(gzip.compress(content, 6))
            found.append(Row(
                name=f"replays: {GAME} as {eyes}, gzipped", value=round(packed / 1000, 1), unit="kB",
                beside=f"{AS_VIEWS}; {len(content) / 1000:.0f} kB unpacked", ratio=packed / 926_000,
            ))  # fmt: skip
    return found


async def jumps(site: str, table: str) -> list[Row]:
    async with chromium() as browser:
        page = await browser.new_page(viewport={"width": DESK.width, "height": DESK.height})
        await page.goto(f"{site}/t/{table}/replay?as=spectator&at=0")
        await page.locator("[data-replay]").wait_for()
        await page.wait_for_load_state("networkidle")
        slowed = await page.context.new_cdp_session(page)
        await slowed.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        return await timed(page, Random(1))


async def timed(page: Page, luck: Random) -> list[Row]:
    last = int(await page.locator(".scrubber input").get_attribute("max") or 0)
    first = float(await page.evaluate(JUMP, [last]))
    times = sorted([await jumped(page, luck.randrange(last)) for _ in range(JUMPS)])
    middle = times[JUMPS // 2]
    return [
        Row(name=f"replays: a jump to any moment, CPU/{SLOWER}, p50", value=round(middle, 1), unit="ms",
            beside=f"slowest {times[-1]:.0f} ms", goal=f"< {GOAL_MS:.0f} ms", holds=middle < GOAL_MS),
        Row(name=f"replays: the first jump, over all {last} steps", value=round(first, 1), unit="ms"),
    ]  # fmt: skip


async def jumped(page: Page, nth: int) -> float:
    await page.wait_for_timeout(RESTS_MS)
    return float(await page.evaluate(JUMP, [nth]))

"""The API reference in Chromium: until it shows its tags, and until an operation is open."""
from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

from playwright.async_api import Browser

from benchmarks.rows import Row
from tests.support.servers import durable_server
from tests.web.browser import chromium, visitor
from tests.web.reference import opened_operation, opened_reference

VISITS = 5
FIRST_S, OPEN_S = 2.0, 1.0
OPERATION = "tables", "postCommand"


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with durable_server(Path(folder) / "home") as server, chromium() as browser:
            visits = [await timed_visit(browser, server.http.rstrip("/")) for _ in range(VISITS)]
    firsts, opens = zip(*visits, strict=True)
    for name, times, most in (("first view", firsts, FIRST_S), ("an operation", opens, OPEN_S)):
        value = median(times)
        yield Row(
            name=f"reference: to {name}, p50", value=round(value, 2), unit="s", goal=f"<= {most:.0f} s", holds=value <= most
        )  # fmt: skip


async def timed_visit(browser: Browser, site: str) -> tuple[float, float]:
    """Seconds to the tags, and from a click to the open operation, in a fresh profile."""
    async with visitor(browser) as page:
        began = time.perf_counter()
        await opened_reference(page, site)
        first = time.perf_counter() - began
        tag, operation = OPERATION
        await page.locator(f"#operations-tag-{tag}").click()
        await page.locator(f"#operations-{tag}-{operation}").wait_for()
        began = time.perf_counter()
        await opened_operation(page, tag, operation)
        return first, time.perf_counter() - began

"""Somebody's first visit: nothing is kept, on a line and a device as given; and what came over the line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import brotli
from playwright.async_api import Browser, CDPSession, Page

from tests.web.browser import PHONE, Screen

SLOW_KBIT, SLOW_MS, SLOW_CPU = 400, 400, 4
"""A telephone in the country: its line, and how many times slower than this machine it is."""


class Came(NamedTuple):
    """An answer. encoding: "" as it is."""

    url: str
    size: int
    encoding: str

    @property
    def path(self) -> str:
        return urlsplit(self.url).path


class Visit:
    """What came over the line to a page: bodies as they were sent, and what a socket told."""

    def __init__(self, session: CDPSession) -> None:
        self.came = dict[str, Came]()
        self.pushed = list[str]()
        session.on("Network.responseReceived", self.answered)
        session.on("Network.loadingFinished", self.finished)
        session.on("Network.webSocketFrameReceived", self.told)

    def answered(self, event: dict[str, Any]) -> None:
        said, url = event["response"], event["response"]["url"]
        headers = {name.lower(): value for name, value in said["headers"].items()}
        if not said.get("fromDiskCache") and not said.get("fromServiceWorker"):
            self.came[event["requestId"]] = Came(url, int(said["encodedDataLength"]), headers.get("content-encoding", ""))

    def finished(self, event: dict[str, Any]) -> None:
        """Both count the answer's head; so what is left is the body."""
        if came := self.came.get(event["requestId"]):
            self.came[event["requestId"]] = came._replace(size=int(event["encodedDataLength"]) - came.size)

    def told(self, event: dict[str, Any]) -> None:
        self.pushed.append(event["response"]["payloadData"])

    @property
    def size(self) -> int:
        """Bytes in brotli, which is what the limits are in. Sockets are not compressed, and how much comes there of others'
        moves is chance: it stands apart in `pushed`."""
        return sum(each.size for each in self.came.values()) + len(brotli.compress("".join(self.pushed).encode(), quality=5))


@asynccontextmanager
async def cold(
    browser: Browser, screen: Screen = PHONE, *, slow: bool = False, **more: Any
) -> AsyncIterator[tuple[Page, Visit]]:
    context = await browser.new_context(
        viewport={"width": screen.width, "height": screen.height}, has_touch=screen.touch, is_mobile=screen.touch, **more
    )
    try:
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await session.send("Network.enable")
        if slow:
            await slowed(session)
        yield page, Visit(session)
    finally:
        await context.close()


async def slowed(session: CDPSession) -> None:
    rate = SLOW_KBIT * 1000 / 8
    await session.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": SLOW_MS, "downloadThroughput": rate, "uploadThroughput": rate,
    })  # fmt: skip
    await session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_CPU})

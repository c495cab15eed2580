"""First visits with an empty cache, and the traffic that they cause."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import brotli
from playwright.async_api import Browser, CDPSession, Page

from tests.web.browser import PHONE, Screen

SLOW_KBIT, SLOW_MS, SLOW_CPU = 400, 400, 4
"""A phone on a slow line: kbit/s, latency in ms, and the slowdown of its CPU."""


class Came(NamedTuple):
    """A response as received; `encoding` is "" if it was not compressed."""

    url: str
    size: int
    encoding: str

    @property
    def path(self) -> str:
        return urlsplit(self.url).path

    @property
    def adorns(self) -> bool:
        """Whether this is a typeface or a title's scene, without which the page can be used."""
        return self.path.endswith((".woff2", "/art"))


class Visit:
    """The traffic of a page, which consists of response bodies and socket messages."""

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
        """Store the size of a body, since both events also count the headers."""
        if came := self.came.get(event["requestId"]):
            self.came[event["requestId"]] = came._replace(size=int(event["encodedDataLength"]) - came.size)

    def told(self, event: dict[str, Any]) -> None:
        self.pushed.append(event["response"]["payloadData"])

    @property
    def size(self) -> int:
        """The compressed size in bytes of what is needed, which the limits refer to.

        Sockets are not compressed, so their messages are compressed here.
        """
        return sum(each.size for each in self.needed) + len(brotli.compress("".join(self.pushed).encode(), quality=5))

    @property
    def needed(self) -> list[Came]:
        """The responses without which the page cannot be used."""
        return [each for each in self.came.values() if not each.adorns]

    @property
    def adornments(self) -> list[Came]:
        return [each for each in self.came.values() if each.adorns]


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

"""Browsers, screens and visitors for tests of the web client."""

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from playwright.async_api import Browser, CDPSession, ConsoleMessage, Error, Page, Response, async_playwright, expect

from tests.support.waiting import LIMIT
from tests.web.evidence import evidence

CHROMIUM = "/usr/bin/chromium"
SHELL = shutil.which("chromium-headless-shell") or CHROMIUM
"""Chromium without windows, if installed.

A page takes less than half the CPU time in it, but it shows no notifications.
"""
LIMIT_MS = LIMIT * 1000
"""The limit of every wait for a page, `expect` included, in milliseconds.

Tests set no other limit.
"""
expect.set_options(timeout=LIMIT_MS)


class Screen(NamedTuple):
    name: str
    width: int
    height: int
    touch: bool


PHONE, SIDEWAYS = Screen("phone", 360, 740, True), Screen("phone on its side", 740, 360, True)
SMALL, LAPTOP, DESK = (
    Screen("small desk", 1024, 768, False), Screen("laptop", 1280, 720, False), Screen("desk", 1440, 900, False)
)  # fmt: skip


@asynccontextmanager
async def chromium(path: str = SHELL) -> AsyncIterator[Browser]:
    """Run Chromium.

    The sandbox is off, because it does not start as root, and only our own pages are opened.
    """
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def visitor(
    browser: Browser, screen: Screen = DESK, *, scheme: Literal["light", "dark"] = "light", locale: str = "en",
    motion: Literal["reduce", "no-preference"] = "reduce", strict: bool = False, **more: Any,
) -> AsyncIterator[Page]:  # fmt: skip
    """Open a page in a fresh profile, and fail the test if the page has errors.

    Args:
        browser: The browser.
        screen: The size of the window, and whether it has touch.
        scheme: Light or dark colours.
        locale: The browser's language.
        motion: Whether the system asks for reduced motion.
        strict: Whether to fail also if a request fails, for pages whose requests must all succeed.
        more: Other options of the browser context.
    """
    context = await browser.new_context(
        viewport={"width": screen.width, "height": screen.height}, has_touch=screen.touch, is_mobile=screen.touch,
        color_scheme=scheme, reduced_motion=motion, locale=locale, **more,
    )  # fmt: skip
    page = await context.new_page()
    page.set_default_timeout(LIMIT_MS)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(described(error)))
    page.on("console", lambda message: wrong.extend(complaints(message, strict)))
    try:
        yield page
    except Exception as failure:
        failure.add_note(await evidence(page))
        raise
    finally:
        await context.close()
    assert not wrong, wrong


def answer_to(method: str, path: str) -> Callable[[Response], bool]:
    """Return a predicate for `Page.expect_response` that matches method and path."""
    return lambda answer: answer.request.method == method and urlsplit(answer.url).path == path


class Device(NamedTuple):
    """A virtual authenticator whose passkeys work on one page."""

    session: CDPSession
    id: str

    @classmethod
    async def on(cls, page: Page) -> "Device":
        session = await page.context.new_cdp_session(page)
        await session.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
        added = await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        return cls(session, added["authenticatorId"])

    async def verifies(self, is_owner: bool) -> None:
        """Set whether the authenticator recognises its owner from now on."""
        await self.session.send("WebAuthn.setUserVerified", {"authenticatorId": self.id, "isUserVerified": is_owner})


def described(error: Error) -> str:
    return f"{error.name}: {error.message}\n{error.stack}"


NETWORK = ("Failed to load resource", "WebSocket connection", "when fetching the script")


def complaints(message: ConsoleMessage, strict: bool) -> list[str]:
    """Return the message if it is an error.

    Failed requests count only if `strict`, because the client usually handles them, and only the browser reports
    them.
    """
    network = any(said in message.text for said in NETWORK)
    where = message.location.get("url", "")
    return [f"{message.text} {where}"] if message.type == "error" and (strict or not network) else []

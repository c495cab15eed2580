"""The weight of a first visit, in compressed bytes and number of requests."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx
import pytest
from playwright.async_api import Browser, Page

from ludarium.http.answers import WORTH_IT
from ludarium_engine.registry import titles
from tests.support.waiting import eventually
from tests.web.browser import PHONE, visitor
from tests.web.cold import Visit, cold
from tests.web.player import READY, open_table
from tests.web.test_house import resign

HOME, TABLE, REPLAY = 45_000, 120_000, 130_000
"""The most bytes before the first possible click."""
HOME_IN_ALL, TABLE_IN_ALL, REPLAY_IN_ALL = 110_000, 200_000, 210_000
TYPEFACE, SCENES = 25_000, 60_000
"""The most bytes of what only adorns a page."""
LOCALES = ("en", "es", "hu")
REQUESTS = {
    "/": 16, "/new/game-of-kingdoms": 11, "/rules/game-of-kingdoms": 14, "/games": 15, "/settings": 13, "/account": 14,
    "/recover": 12, "/tournaments": 15, "/tournaments/new": 15, "/admin": 14,
}  # fmt: skip
"""The most requests of a first visit, by page."""
REQUESTS_OF_TABLE, REQUESTS_OF_REPLAY, REQUESTS_OF_EMBED = 14, 21, 14
REQUESTS_BEFORE_AND_AFTER = 15
"""The most requests for a waiting table, and for a finished one."""


async def largest(site: str) -> str:
    """Return the title that has the most data."""
    async with httpx.AsyncClient(base_url=f"{site}/api/v1/rulesets") as http:
        sizes = {title: len((await http.get(title, params={"language": "hu"})).content) for title in titles()}
    return max(sizes, key=sizes.__getitem__)


def light(visit: Visit, most: int) -> None:
    """Check the size of a visit.

    Large files must be compressed, and no URL may be requested twice.
    """
    assert 0 < visit.size <= most, sorted(visit.came.values(), key=lambda came: -came.size)
    large = [came for came in visit.came.values() if came.size >= WORTH_IT and "/tables/" not in came.path]
    loose = [came for came in large if not came.encoding and not came.path.endswith(".woff2")]
    assert loose == []
    again = {url for url, count in Counter(came.url for came in visit.came.values()).items() if count > 1}
    assert again == set()


async def adorned(page: Page, visit: Visit, scenes: int, most: int) -> None:
    """Check what comes after the first possible click: the typeface and scenes, and how much it is in all."""
    await eventually(lambda: typeface_came(visit))
    await eventually(lambda: scenes_came(visit, scenes))
    await page.wait_for_load_state("networkidle")
    order = [came.adorns for came in visit.came.values() if came.path.endswith((".js", ".css", ".woff2", "/art"))]
    assert order == sorted(order), [came.path for came in visit.came.values()]
    sizes = {kind: sum(came.size for came in visit.adornments if came.path.endswith(kind)) for kind in (".woff2", "/art")}
    assert 0 < sizes[".woff2"] <= TYPEFACE and sizes["/art"] <= SCENES
    assert visit.size + sum(sizes.values()) <= most


async def typeface_came(visit: Visit) -> bool:
    return any(came.path.endswith(".woff2") for came in visit.adornments)


async def scenes_came(visit: Visit, scenes: int) -> bool:
    return len([came for came in visit.adornments if came.path.endswith("/art")]) == scenes


@pytest.mark.parametrize("locale", LOCALES)
async def test_home(site: str, browser: Browser, locale: str) -> None:
    async with cold(browser, PHONE, locale=locale) as (page, visit):
        await page.goto(site)
        await page.locator("[data-title]").first.wait_for()
        await page.locator('[data-room="recent"] .none, [data-finished]').first.wait_for()
        light(visit, HOME)
        await adorned(page, visit, len(titles()), HOME_IN_ALL)


async def test_a_table_and_its_replay(site: str, browser: Browser) -> None:
    async with visitor(browser, PHONE, locale="hu") as player:
        await open_table(player, site, await largest(site))
        await player.locator(READY).wait_for()
        url, state = player.url, await player.context.storage_state()
        async with cold(browser, PHONE, locale="hu", storage_state=state) as (page, visit):
            await page.goto(url)
            await page.locator(READY).wait_for()
            light(visit, TABLE)
            await adorned(page, visit, 0, TABLE_IN_ALL)
        await resign(player)
        async with cold(browser, PHONE, locale="hu") as (page, visit):
            await page.goto(f"{url}/replay")
            await page.locator("[data-replay]").wait_for()
            light(visit, REPLAY)
            await adorned(page, visit, 0, REPLAY_IN_ALL)


def few(visit: Visit, most: int) -> None:
    """Check the number of requests for what a page needs.

    Over HTTP/1.1 a browser makes six requests at a time, so every six more cost a slow connection a round trip.
    """
    asked = [came.path for came in visit.needed if not came.url.startswith("data:")]
    assert 0 < len(asked) <= most, ' '.join(asked)


@pytest.mark.parametrize("path", REQUESTS)
async def test_a_first_visit_takes_few_requests(site: str, browser: Browser, path: str) -> None:
    async with cold(browser, PHONE) as (page, visit):
        await page.goto(f"{site}{path}")
        await page.locator("main *").first.wait_for()
        await page.wait_for_load_state("networkidle")
        few(visit, REQUESTS[path])


async def test_a_first_visit_to_a_table_takes_few_requests(site: str, browser: Browser) -> None:
    """Players, strangers, embedding pages and replays load different data."""
    async with visitor(browser) as player:
        await open_table(player, site, await largest(site))
        await player.locator(READY).wait_for()
        url, state = player.url, await player.context.storage_state()
        embedded = url.replace("/t/", "/embed/t/")
        visits = [
            (url, READY, REQUESTS_OF_TABLE, state), (url, "[data-table]", REQUESTS_OF_TABLE, None),
            (embedded, "[data-embedded]", REQUESTS_OF_EMBED, None),
        ]  # fmt: skip
        for visited in visits:
            await visit_cold(browser, *visited)
        await resign(player)
        for kept in (await player.context.storage_state(), None):
            await visit_cold(browser, url, "[data-scores] [data-action=check]", REQUESTS_BEFORE_AND_AFTER, kept)
        await visit_cold(browser, f"{url}/replay", "[data-replay]", REQUESTS_OF_REPLAY, state)


async def test_a_first_visit_to_a_waiting_table_takes_few_requests(site: str, browser: Browser) -> None:
    """The host, an invited player and a stranger load different data."""
    async with visitor(browser) as host:
        await host.goto(f"{site}/new/{await largest(site)}")
        await host.locator('[data-action="create"]').click()
        link, waiting = str(await host.locator("[data-invite]").get_attribute("href")), ".waiting [data-chair]"
        await visit_cold(browser, host.url, waiting, REQUESTS_BEFORE_AND_AFTER, await host.context.storage_state())
        async with cold(browser, PHONE) as (page, visit):
            await page.goto(link)
            await page.locator('[data-invited] [data-action="join"]').wait_for()
            await page.wait_for_load_state("networkidle")
            few(visit, REQUESTS_BEFORE_AND_AFTER)
        await host.locator('[data-action="access"]').click()
        await host.locator('[data-access="anybody"]').wait_for()
        await visit_cold(browser, host.url, waiting, REQUESTS_BEFORE_AND_AFTER, None)


async def visit_cold(browser: Browser, address: str, ready: str, most: int, kept: Any) -> None:
    """Count the requests of a first visit.

    Args:
        browser: The browser.
        address: The address to visit.
        ready: The selector of the element that shows that the page is ready.
        most: The maximum number of requests.
        kept: The browser's storage state.
    """
    async with cold(browser, PHONE, storage_state=kept) as (page, visit):
        await page.goto(address)
        await page.locator(ready).first.wait_for()
        await page.wait_for_load_state("networkidle")
        few(visit, most)


APP = "/assets/app-"
RAN = f"performance.getEntriesByType('resource').some((each) => each.name.includes('{APP}') && each.responseEnd > 0)"


async def test_a_page_whose_end_comes_late_asks_for_each_style_once(site: str, browser: Browser) -> None:
    """Scripts run before the links to styles arrive, and both could request a style."""
    rest = asyncio.Event()
    async with halting(site, rest) as (address, asked), visitor(browser, PHONE) as page:
        going = asyncio.create_task(page.goto(address))
        await eventually(lambda: any(path.startswith(APP) for path in asked))
        await page.wait_for_function(RAN)
        await page.evaluate("new Promise((done) => setTimeout(done))")
        rest.set()
        await going
        await page.locator("[data-title]").first.wait_for()
    styles = [path for path in asked if path.endswith(".css")]
    assert len(styles) >= 2 and len(styles) == len({*styles})


@asynccontextmanager
async def halting(site: str, rest: asyncio.Event) -> AsyncIterator[tuple[str, list[str]]]:
    """Run a proxy that holds back the end of each page until `rest` is set.

    Yields:
        The proxy's address, and a list that gets the requested paths.
    """
    asked = list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ")[1].decode()
        asked.append(path)
        with suppress(httpx.TransportError, ConnectionError):       # the browser has left
            await send(writer, await http.get(path))
        writer.close()

    async def send(writer: asyncio.StreamWriter, found: httpx.Response) -> None:
        head = f"HTTP/1.1 {found.status_code} -\r\ncontent-type: {found.headers['content-type']}\r\nconnection: close\r\n\r\n"
        begin, link, end = found.content.partition(b'<link rel="stylesheet" href')
        writer.write(head.encode() + begin)
        if link:
            await writer.drain()
            await rest.wait()
        writer.write(link + end)
        await writer.drain()

    async with httpx.AsyncClient(base_url=site) as http, await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", asked

"""Without WebSockets, pages follow HTTP streams, and return to a socket later."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest
import trustme
from playwright.async_api import Browser, Page, Request, WebSocketRoute, expect

from ludarium.platform.config import Config
from ludarium.server import running
from tests.live.test_nginx import NGINX, PROXIES, SITE, nginx
from tests.support import ports
from tests.support.entropy import ENTROPY
from tests.support.people import Person
from tests.support.waiting import eventually
from tests.web.browser import visitor
from tests.web.player import OVER, READY, SENDS, TABLE, open_to_answer, seq
from tests.web.test_signed_in import end_session, sign_up, token

TITLE = "game-of-kingdoms"
NOW = "dispatchEvent(new Event('online'))"
"""Makes the page try another socket at once."""


class Proxy:
    """A proxy that either refuses all sockets or lets them through."""

    def __init__(self) -> None:
        self.refuses = True
        self.passed = 0

    async def decide(self, socket: WebSocketRoute) -> None:
        if self.refuses:
            await socket.close()
        else:
            self.passed += 1
            socket.connect_to_server()


class Behind(NamedTuple):
    """A page behind a proxy.

    `streams` has the streams that the page requested, and `over` those of them that have ended.
    """

    page: Page
    proxy: Proxy
    streams: list[Request]
    over: list[Request]

    def note(self, request: Request) -> None:
        if re.search("/api/.*/stream", request.url):
            self.streams.append(request)

    async def has_closed_all(self) -> bool:
        return all(each in self.over for each in self.streams)

    async def follows(self, path: str) -> bool:
        return any(re.search(path, each.url) for each in self.streams)


@asynccontextmanager
async def behind(browser: Browser) -> AsyncIterator[Behind]:
    async with visitor(browser) as page:
        found = Behind(page, Proxy(), [], [])
        await page.route_web_socket(re.compile(".*"), found.proxy.decide)
        page.on("request", lambda request: found.note(request))
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: found.over.append(request))
        yield found


async def test_a_table_goes_on_by_a_stream_and_then_by_a_socket(site: str, browser: Browser) -> None:
    async with behind(browser) as found:
        page = found.page
        await open_to_answer(page, site, TITLE)
        await eventually(partial(found.follows, "/tables/[0-9a-z]{26}/stream"))
        await page.locator(READY).wait_for()
        async with visitor(browser, storage_state=await page.context.storage_state()) as elsewhere:
            await elsewhere.goto(page.url)
            await elsewhere.locator(READY).wait_for()
            before = await seq(page)
            await elsewhere.locator(SENDS).first.click()
            await expect(elsewhere.locator(TABLE)).not_to_have_attribute("data-seq", str(before))
            await expect(page.locator(TABLE)).not_to_have_attribute("data-seq", str(before))
            secret = await token(page)
            assert all(secret not in each.url for each in found.streams)
            for each in (each for each in found.streams if "/lobby/" not in each.url):
                assert each.headers["authorization"] == f"Bearer {secret}", each.url
            assert not await found.has_closed_all()
            found.proxy.refuses = False
            await page.evaluate(NOW)
            await eventually(partial(passed, found.proxy))
            await expect(page.locator(f'{TABLE}[data-connection="online"]')).to_be_visible()
            await eventually(found.has_closed_all)
            streams = len(found.streams)
            await page.locator(READY).wait_for()
            before = await seq(page)
            await page.locator(SENDS).first.click()
            await expect(elsewhere.locator(TABLE)).not_to_have_attribute("data-seq", str(before))
            await expect(page.locator(TABLE)).to_have_attribute("data-seq", re.compile(f"^(?!{before}$)"))
            assert len(found.streams) == streams


async def passed(proxy: Proxy) -> bool:
    return proxy.passed > 0


@pytest.mark.skipif(NGINX is None, reason="there is no nginx here: sudo apt-get install nginx-light")
async def test_behind_nginx_without_upgrades_a_game_goes_on_by_streams(
    browser: Browser, database_url: str, redis_url: str
) -> None:
    """A real proxy passes all but WebSockets, so bots' moves must come over HTTP."""
    port = ports.reserve()
    config = Config(port=0, ws_port=0, rate_limits=False, ws_url=f"wss://localhost:{port}/live", trusted_proxies=PROXIES)
    async with running(config, database_url, redis_url, ENTROPY) as where:
        plain = re.sub(r"proxy_set_header (Connection upgrade|Upgrade .*);", "", SITE)
        async with (
            nginx(trustme.CA(), where.ws_port, http=int(where.http.rpartition(":")[2]), text=plain, tls=port),
            visitor(browser, ignore_https_errors=True) as page,
        ):
            sockets, paths = list[str](), list[str]()
            page.on("websocket", lambda socket: sockets.append(socket.url))
            page.on("request", lambda request: paths.append(urlsplit(request.url).path))
            await open_to_answer(page, f"https://localhost:{port}", TITLE)
            await eventually(lambda: any(re.fullmatch("/api/v1/tables/[0-9a-z]{26}/stream", path) for path in paths))
            before = await seq(page)
            await page.locator(SENDS).first.click()
            await expect(page.locator(f"{READY}, {OVER}")).not_to_have_attribute("data-seq", str(before))
            assert sockets and await seq(page) > before + 1


async def test_the_lobby_and_the_players_turns_come_by_streams(
    site: str, browser: Browser, http: httpx.AsyncClient
) -> None:
    host = await Person.arrive(http, "Ada")
    async with behind(browser) as found:
        page = found.page
        await page.goto(site)
        await eventually(partial(found.follows, "/lobby/stream"))
        table = (await host.post("/tables", {"ruleset": TITLE, "seats": 2}))["id"]
        await host.post(f"/tables/{table}/seats", {})
        await page.locator(f'[data-room="open"] a[href="/t/{table}"]').click()
        await page.locator('[data-action="join"]').click()
        await eventually(partial(found.follows, "/me/stream"))
        await page.locator('[data-action="stand-up"]').wait_for()
        await host.post(f"/tables/{table}/start")
        while not await page.locator(READY).count():
            await page.locator(f'{TABLE}[data-state="idle"], {READY}').first.wait_for()
            await moved(host, table)
        await expect(page).to_have_title(re.compile(r"^\(1\)"))


async def moved(player: Person, table: str) -> None:
    """Let the player answer if there is a question."""
    view = await player.get(f"/tables/{table}/view")
    if choice := view["choice"]:
        offer = choice["offers"][0]
        subset = (offer["subset"] or {"pool": [], "least": 0})
        action = {"id": offer["id"], "subset": subset["pool"][: subset["least"]]}
        await player.post(f"/tables/{table}/commands", {"expected_seq": view["seq"], "action": action})


async def test_a_session_that_ends_is_known_by_the_stream(site: str, browser: Browser, http: httpx.AsyncClient) -> None:
    async with behind(browser) as found:
        await sign_up(found.page, site, "Ada")
        await eventually(partial(found.follows, "/me/stream"))
        await end_session(http, await token(found.page))
        await expect(found.page.locator("[data-signed-out]")).to_be_visible()
        await found.page.locator('[data-form="sign-in"]').wait_for()

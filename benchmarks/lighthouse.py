"""Lighthouse scores of the web client's pages, as on a first visit."""
from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
from playwright.async_api import Browser

from benchmarks.rows import Row
from ludarium_engine.registry import titles
from tests.support.people import Person
from tests.support.tournaments import SWISS, Event, plan
from tests.web import tools
from tests.web.browser import visitor
from tests.web.player import open_table

SCREENS = ("phone", "desk")
LEAST = {"accessibility": 0.95, "best-practices": 0.95}
TITLE = "game-of-kingdoms"
PAGES = (
    "/", "/games", "/settings", "/tournaments", "/tournaments/new", "/account", "/recover", "/device", f"/new/{TITLE}",
    f"/rules/{TITLE}",
)  # fmt: skip


async def scores(browser: Browser, site: str) -> AsyncIterator[Row]:
    """Yield the lowest score of all pages, for each screen and category."""
    urls = [site + path for path in (*PAGES, *await made(browser, site))]
    for screen in SCREENS:
        told = [json.loads(line) for line in (await tools.in_node("lighthouse.js", screen, *urls)).splitlines()]
        for category, least in LEAST.items():
            worst = min(told, key=lambda page: float(page[category]["score"]))
            score = float(worst[category]["score"])
            yield Row(
                name=f"web: {category} by Lighthouse, {screen}, least of {len(urls)} pages", value=score, unit="",
                beside=lacking(worst, category, site), goal=f">= {least}", holds=score >= least,
            )  # fmt: skip


def lacking(page: dict[str, Any], category: str, site: str) -> str:
    lacks = page[category]["lacks"]
    return f"{page['url'].removeprefix(site)}: {', '.join(lacks)}" if lacks else ""


async def made(browser: Browser, site: str) -> list[str]:
    """Create the content of pages that need some, and return their paths.

    These are a table of each title, a replay, both of these embedded in a frame, a player, and a tournament.
    """
    async with visitor(browser) as page:
        tables = list[str]()
        for title in sorted(titles()):
            await open_table(page, site, title)
            tables.append(page.url.removeprefix(site))
    async with httpx.AsyncClient(base_url=f"{site}/api/v1", timeout=60) as http:
        host = await Person.arrive(http, "Hana")
        made = await host.ask("POST", "/me/account", json={"login": "hana", "password": "seven green bottles"})
        host.token = made.json()["token"]
        event = await Event.set_up(host, plan(SWISS))
        await event.opened()
    first = tables[0]
    return [*tables, f"{first}/replay", f"/embed{first}", f"/embed{first}/replay", f"/p/{host.id}", f"/tournaments/{event.id}"]

"""The part of `make prove` about the web client, on phones and desktops.

Whole games are played by keyboard, and evenings of friends are simulated.
"""
from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

from playwright.async_api import Browser, expect

from ludarium.platform.config import Config
from ludarium.platform.database import database
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_engine.registry import titles
from tests.proving import Options, home, servers_at
from tests.support.entropy import ENTROPY
from tests.web.browser import DESK, PHONE, chromium, visitor
from tests.web.evening import WAYS, evening
from tests.web.keyboard import play_by_keyboard, press
from tests.web.player import TABLE

CONFIG = Config(port=0, ws_port=0, rate_limits=False)


def web(options: Options) -> None:
    with home() as folder:
        asyncio.run(evenings(folder, options))


async def evenings(folder: Path, options: Options) -> None:
    async with servers_at(folder) as (database_url, carrier):
        await migrated(database_url)
        async with (
            running(CONFIG, database_url, carrier.url, ENTROPY) as where,
            database(database_url) as base,
            chromium() as browser,
        ):
            await games_by_keyboard(browser, where.http, options)
            for locale, screen in WAYS[: options.rounds]:
                begun = time.monotonic()
                luck = Random(f"{options.seed} {locale} {screen.name}")
                async for step in evening(browser, where.http, base, locale, screen, luck):
                    print(f"{locale}, {screen.name}: {step} ({time.monotonic() - begun:.0f} s)", flush=True)


async def games_by_keyboard(browser: Browser, site: str, options: Options) -> None:
    """Play games against bots by keyboard, from the home page to the result."""
    for ruleset in sorted(titles()) if options.title is None else [options.title]:
        for screen in (PHONE, DESK):
            begun = time.monotonic()
            async with visitor(browser, screen) as page:
                await page.goto(site)
                await press(page.locator(f'[data-title="{ruleset}"]'))
                await press(page.locator('[data-action="play-bots"]'))
                await page.locator(TABLE).wait_for()
                presses = await play_by_keyboard(page, Random(f"{options.seed} {ruleset} {screen.name}"))
                result = page.locator("[data-scores] h2")
                await expect(result).to_be_focused()
                await expect(result).to_be_in_viewport(ratio=1)
            print(f"{ruleset}, {screen.name}: {presses} controls by keyboard ({time.monotonic() - begun:.0f} s)", flush=True)

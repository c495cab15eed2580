"""The part of `make prove` about the web client: evenings of friends, in all languages, on phones and at desks."""
from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

from ludarium.platform.config import Config
from ludarium.platform.database import database
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from tests.proving import Options, home, servers_at
from tests.support.entropy import ENTROPY
from tests.web.browser import chromium
from tests.web.evening import WAYS, evening

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
            for locale, screen in WAYS[: options.rounds]:
                begun = time.monotonic()
                luck = Random(f"{options.seed} {locale} {screen.name}")
                async for step in evening(browser, where.http, base, locale, screen, luck):
                    print(f"{locale}, {screen.name}: {step} ({time.monotonic() - begun:.0f} s)", flush=True)

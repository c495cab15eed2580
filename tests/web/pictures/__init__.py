"""Twelve reference pictures of finished games.

`python -m tests.web.pictures` takes them again after an intended change. Bots play the games from fixed seeds, and the font
comes with tests/web/tools. Only Chromium itself can make a difference, so its version is stored next to the pictures.
"""
from __future__ import annotations

import io
import tempfile
from base64 import b64encode
from pathlib import Path
from typing import Literal, NamedTuple

from PIL import Image, ImageChops
from playwright.async_api import Browser

from ludarium.embedded import embedded
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from tests.conftest import fresh_database
from tests.support.entropy import ENTROPY
from tests.web import tools
from tests.web.browser import DESK, PHONE, Screen, chromium, visitor
from tests.web.conftest import CONFIG
from tests.web.planted import planted_game

KEPT = Path(__file__).parent
VERSION = KEPT / "chromium.txt"
FONT = tools.HERE / "node_modules/@fontsource/inter/files/inter-latin-400-normal.woff2"
TITLES = ("game-of-kingdoms", "kemet", "valeria", "valley-of-the-kings")
AT = 24
"""The `seq` at which the replay is shown."""
STEP = 32
"""How many of 255 shades a pixel may differ and still count as equal."""
MOST = 0.002
"""The largest share of differing pixels."""


class Shot(NamedTuple):
    name: str
    screen: Screen
    scheme: Literal["light", "dark"]
    path: str
    ready: str


SHOTS = (
    Shot("phone", PHONE, "light", f"/replay?at={AT}&as=everything", f'[data-replay][data-seq="{AT}"]'),
    Shot("desk", DESK, "dark", f"/replay?at={AT}&as=everything", f'[data-replay][data-seq="{AT}"]'),
    Shot("end", PHONE, "dark", "", "[data-scores] .length"),
)


def kept(title: str, shot: Shot) -> Path:
    return KEPT / f"{title}-{shot.name}.png"


async def taken(browser: Browser, site: str, table: str, shot: Shot) -> Image.Image:
    async with visitor(browser, shot.screen, scheme=shot.scheme, bypass_csp=True) as page:
        await page.goto(f"{site}/embed/t/{table}{shot.path}")
        await page.locator(shot.ready).wait_for()
        await page.add_style_tag(content=lettering())
        await page.evaluate("document.fonts.ready")
        return Image.open(io.BytesIO(await page.screenshot(animations="disabled"))).convert("RGB")


def lettering() -> str:
    tools.require_packages()
    source = f"url(data:font/woff2;base64,{b64encode(FONT.read_bytes()).decode()})"
    return f"@font-face {{ font-family: kept; src: {source} }} *, ::before, ::after {{ font-family: kept !important }}"


def differing(one: Image.Image, other: Image.Image) -> float:
    """Return the fraction of pixels that differ, or 1 if the sizes differ."""
    if one.size != other.size:
        return 1.0
    shades = ImageChops.difference(one, other).convert("L").point(lambda shade: 255 * (shade > STEP))
    return shades.histogram()[255] / (one.width * one.height)


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ludarium-pictures-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder), durable=False) as servers, fresh_database(servers.database_url) as database_url:
            await migrated(database_url)
            async with running(CONFIG, database_url, servers.redis_url, ENTROPY) as where, chromium() as browser:
                VERSION.write_text(f"{browser.version}\n")
                for title in TITLES:
                    table = await planted_game(database_url, title)
                    for shot in SHOTS:
                        (await taken(browser, where.http, table, shot)).save(kept(title, shot), optimize=True)
                        print(kept(title, shot), flush=True)

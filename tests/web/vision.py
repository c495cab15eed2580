"""Pages as people with colour blindness see them, simulated by Chromium."""
from __future__ import annotations

import io
from typing import Literal

from PIL import Image
from playwright.async_api import Page

Kind = Literal["none", "protanopia", "deuteranopia", "tritanopia"]
KINDS: tuple[Kind, ...] = ("none", "protanopia", "deuteranopia", "tritanopia")


async def picture_as(page: Page, kind: Kind) -> Image.Image:
    """Take a picture of the window with this colour blindness, in CSS pixels."""
    chromium = await page.context.new_cdp_session(page)
    await chromium.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
    try:
        taken = await page.screenshot(animations="disabled", scale="css")
    finally:
        await chromium.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})
        await chromium.detach()
    return Image.open(io.BytesIO(taken)).convert("RGB")


async def contact(page: Page) -> Image.Image:
    """Return a half-size picture of normal vision and each kind of colour blindness.

    The four pictures are in two rows.
    """
    width, height = (int(side) // 2 for side in await page.evaluate("[innerWidth, innerHeight]"))
    sheet = Image.new("RGB", (2 * width, 2 * height))
    for nth, kind in enumerate(KINDS):
        sheet.paste((await picture_as(page, kind)).resize((width, height)), (nth % 2 * width, nth // 2 * height))
    return sheet

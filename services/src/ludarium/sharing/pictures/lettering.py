"""Measures, shortens and wraps text in the bundled font."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent / "font"
FILES = (FOLDER / "NotoSans-Regular.ttf", FOLDER / "NotoSans-Bold.ttf")
FAMILY = "Noto Sans"
FAMILIES = f"'{FAMILY}', system-ui, sans-serif"
"""Font families with fallbacks for browsers, which ignore the fonts of embedded SVGs."""
MEASURING_SIZE = 100.0
"""The font size for measurements."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


REPLACEMENTS = {"\N{MINUS SIGN}": "\N{EN DASH}", "\N{RIGHTWARDS ARROW}": ">"}
"""Characters that the font lacks."""


def writable(text: str) -> str:
    """Replace characters that are invisible or not allowed in XML."""
    return "".join(REPLACEMENTS.get(letter, letter) if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


@cache
def font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FILES[bold], MEASURING_SIZE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=20_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    return font(bold).getlength(text) * size / MEASURING_SIZE


def shortened(text: str, room: float, size: float, bold: bool = False) -> str:
    """Shorten the text to fit the width."""
    if text_width(text, size, bold) <= room:
        return text
    kept = next((n for n in range(len(text), 0, -1) if text_width(text[:n].rstrip() + ELLIPSIS, size, bold) <= room), 0)
    return text[:kept].rstrip() + ELLIPSIS


def wrapped(text: str, room: float, size: float, most: int, bold: bool = False) -> Sequence[str]:
    """Wrap the text into at most `most` lines, and shorten the last line to fit."""
    lines, words = list[str](), text.split()
    while words and len(lines) < most - 1:
        taken = next((n for n in range(len(words), 1, -1) if text_width(" ".join(words[:n]), size, bold) <= room), 1)
        lines.append(shortened(" ".join(words[:taken]), room, size, bold))
        words = words[taken:]
    return [*lines, shortened(" ".join(words), room, size, bold)] if words else lines


def size_for(text: str, room: float, most: float, least: float, bold: bool = False) -> float:
    """Return the font size, from `least` to `most`, at which the longest word fits."""
    longest = max((text_width(word, 1, bold) for word in text.split()), default=0.0)
    return max(least, min(most, room / max(longest, 0.01)))

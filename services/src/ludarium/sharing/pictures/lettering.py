"""Words in the font that comes with us: how wide they are, cut and broken to the room that they have."""
from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont

FOLDER = Path(__file__).parent / "font"
FILES = (FOLDER / "NotoSans-Regular.ttf", FOLDER / "NotoSans-Bold.ttf")
FAMILY = "Noto Sans"
FAMILIES = f"'{FAMILY}', system-ui, sans-serif"
"""For browsers, which take no font from an SVG that stands in a page."""
MEASURED = 100.0
"""The size at which words are measured."""
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


INSTEAD = {"\N{MINUS SIGN}": "\N{EN DASH}", "\N{RIGHTWARDS ARROW}": ">"}
"""For what the font lacks and texts have."""


def writable(text: str) -> str:
    """Without what XML has no way to say, and what nobody would see."""
    return "".join(INSTEAD.get(letter, letter) if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


@cache
def font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FILES[bold], MEASURED, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=20_000)
def width(text: str, size: float, bold: bool = False) -> float:
    return font(bold).getlength(text) * size / MEASURED


def cut(text: str, room: float, size: float, bold: bool = False) -> str:
    """As much of it as there is room for."""
    if width(text, size, bold) <= room:
        return text
    kept = next((n for n in range(len(text), 0, -1) if width(text[:n].rstrip() + ELLIPSIS, size, bold) <= room), 0)
    return text[:kept].rstrip() + ELLIPSIS


def broken(text: str, room: float, size: float, most: int, bold: bool = False) -> Sequence[str]:
    """In at most so many lines; what has no room at the end of the last one is cut."""
    lines, words = list[str](), text.split()
    while words and len(lines) < most - 1:
        taken = next((n for n in range(len(words), 1, -1) if width(" ".join(words[:n]), size, bold) <= room), 1)
        lines.append(cut(" ".join(words[:taken]), room, size, bold))
        words = words[taken:]
    return [*lines, cut(" ".join(words), room, size, bold)] if words else lines


def size_for(text: str, room: float, most: float, least: float, bold: bool = False) -> float:
    """At which its longest word fits."""
    longest = max((width(word, 1, bold) for word in text.split()), default=0.0)
    return max(least, min(most, room / max(longest, 0.01)))

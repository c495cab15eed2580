"""The colours of pictures, as in the light theme of the web client."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import cos, radians, sin
from typing import Any, NamedTuple

from ludarium_engine.kernel import Title

AnyTitle = Title[Any, Any]
FELT, PAPER, RAISED, CENTRE = "#e8dfcd", "#fffaf0", "#fffefa", "#dfe8de"
INK, SOFT, LINE, EDGE, WATER, ACCENT, GLOW = "#26241d", "#5a564a", "#d5c9b0", "#a99f83", "#3f7fb5", "#0f5a4c", "#b56a00"
BACK, BACK_RIM = "#2c6757", "#fbf7ea"
SEATS = ("#1d5fa8", "#a83a1d", "#5d6b00", "#7a3aa0", "#00706b", "#7a5600")
GOLDEN, FIRST = 137.5, 35.0


class Tint(NamedTuple):
    """A hue in degrees, and its strength from 0 to 1."""

    hue: float
    strength: float

    def at(self, lightness: float, chroma: float) -> str:
        return oklch(lightness, chroma * self.strength, self.hue)


NAMED = {
    "red": Tint(25, 1), "orange": Tint(55, 1), "yellow": Tint(90, 1), "green": Tint(150, 1), "blue": Tint(255, 1),
    "purple": Tint(310, 1), "white": Tint(85, 0.12), "black": Tint(260, 0.1),
}  # fmt: skip
PLAIN = Tint(90, 0.15)


def nth_tint(number: int) -> Tint:
    """Return a colour from a sequence in which neighbours differ clearly."""
    return Tint((FIRST + number * GOLDEN) % 360, 0.85)


def seat_colour(seat: int) -> str:
    return SEATS[seat % len(SEATS)]


@cache
def tints(title: AnyTitle) -> Mapping[str, Tint]:
    """Return a tint for each value of the attribute by which cards are coloured."""
    fact = title.face.tint
    values = dict.fromkeys(str(card.facts[fact]) for card in title.cards if card.facts.get(fact)) if fact else {}
    return {value: NAMED.get(value) or nth_tint(number) for number, value in enumerate(values)}


@cache
def oklch(lightness: float, chroma: float, hue: float) -> str:
    """Convert OKLCH to hexadecimal sRGB, see https://bottosson.github.io/posts/oklab/."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    cone_l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    cone_m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    cone_s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * cone_l - 3.3077115913 * cone_m + 0.2309699292 * cone_s
    green = -1.2684380046 * cone_l + 2.6097574011 * cone_m - 0.3413193965 * cone_s
    blue = -0.0041960863 * cone_l - 0.7034186147 * cone_m + 1.7076147010 * cone_s
    return "#" + "".join(f"{srgb_byte(part):02x}" for part in (red, green, blue))


def srgb_byte(linear: float) -> int:
    """Convert a linear component to an sRGB byte."""
    part = min(1.0, max(0.0, linear))
    return round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))

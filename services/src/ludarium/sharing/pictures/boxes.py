"""What pictures are put together from: boxes that know their size, in rows, in columns, scaled into the room there is."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from ludarium.sharing.pictures import colours, lettering

Frame = dict[str, str | float]
"""Attributes of a shape."""
Drawn = Callable[[Element, float, float], None]
Ground = tuple[float, float, float]
"""Where the corner of what holds a shape lies in the picture, and how much larger it is drawn."""
Grounds = Mapping[Element, Ground]
SCALED = re.compile(r"translate\((\S+) (\S+)\) scale\((\S+)\)")
FACTORS = (1.7, 1.55, 1.4, 1.25, 1.12, 1.0, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25)
"""How large something may be drawn: the first with which it fits its room."""


class Box(NamedTuple):
    """draw: into an element, its upper left corner at x and y."""

    width: float
    height: float
    draw: Drawn


NOTHING = Box(0, 0, lambda parent, x, y: None)


def shape(parent: Element, kind: str, content: str | None = None, /, **attributes: str | float) -> Element:
    """An element as SVG has it; a name like `font_size` is `font-size`. Whatever stands in it is escaped when it is written."""
    told = {name.replace("_", "-"): shown(value) for name, value in attributes.items()}
    made = SubElement(parent, kind, told)
    made.text = None if content is None else lettering.writable(content)
    return made


def shown(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


# --- one thing -------------------------------------------------------------------------------------------------------
def words(text: str, size: float, bold: bool = False, fill: str = colours.INK, room: float = 1e9) -> Box:
    said = lettering.cut(lettering.writable(text), room, size, bold)

    def draw(parent: Element, x: float, y: float) -> None:
        weight = {"font_weight": "700"} if bold else {}
        shape(parent, "text", said, x=x, y=y + size * 1.02, font_size=size, fill=fill, **weight)

    return Box(lettering.width(said, size, bold), size * 1.3, draw)


def sign(path: str, size: float, fill: str = colours.INK) -> Box:
    """path: in a square of 16."""

    def draw(parent: Element, x: float, y: float) -> None:
        place = f"translate({shown(x)} {shown(y)}) scale({size / 16:.3f})"
        shape(parent, "path", d=path, fill=fill, fill_rule="evenodd", transform=place)

    return Box(size, size, draw)


# --- several ---------------------------------------------------------------------------------------------------------
def row(boxes: Iterable[Box], gap: float = 4) -> Box:
    """One beside the other, their middles at one height."""
    kept = [box for box in boxes if box.width]
    height = max((box.height for box in kept), default=0.0)

    def draw(parent: Element, x: float, y: float) -> None:
        for box in kept:
            box.draw(parent, x, y + (height - box.height) / 2)
            x += box.width + gap

    return Box(sum(box.width for box in kept) + gap * max(0, len(kept) - 1), height, draw)


def column(boxes: Iterable[Box], gap: float = 4, centred: bool = False) -> Box:
    kept = [box for box in boxes if box.width]
    width = max((box.width for box in kept), default=0.0)

    def draw(parent: Element, x: float, y: float) -> None:
        for box in kept:
            box.draw(parent, x + (width - box.width) / 2 * centred, y)
            y += box.height + gap

    return Box(width, sum(box.height for box in kept) + gap * max(0, len(kept) - 1), draw)


def flow(boxes: Sequence[Box], room: float, gap: float = 6, between: float = 6, centred: bool = False) -> Box:
    """In rows as wide as the room."""
    lines = list[list[Box]]()
    for box in boxes:
        if lines and sum(other.width + gap for other in lines[-1]) + box.width <= room:
            lines[-1].append(box)
        elif box.width:
            lines.append([box])
    return column([row(line, gap) for line in lines], between, centred)


def padded(box: Box, sides: float, ends: float, **frame: str | float) -> Box:
    """In a rectangle with these attributes."""
    width, height = box.width + 2 * sides, box.height + 2 * ends

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, width=width, height=height, **frame)
        box.draw(parent, x + sides, y + ends)

    return Box(width, height, draw)


def upon(lower: Box, upper: Box, x: float, y: float) -> Box:
    """The second over the first, so far from its corner."""

    def draw(parent: Element, left: float, top: float) -> None:
        lower.draw(parent, left, top)
        upper.draw(parent, left + x, top + y)

    return Box(max(lower.width, x + upper.width), max(lower.height, y + upper.height), draw)


def scaled(box: Box, factor: float) -> Box:
    def draw(parent: Element, x: float, y: float) -> None:
        box.draw(shape(parent, "g", transform=f"translate({shown(x)} {shown(y)}) scale({factor:.3f})"), 0, 0)

    return box if factor == 1 else Box(box.width * factor, box.height * factor, draw)


def grounds(picture: Element) -> Grounds:
    """Of all that may hold shapes: what was `scaled` stands within each other."""
    found = {picture: (0.0, 0.0, 1.0)}
    for parent in picture.iter():
        for inner in parent:
            if inner.tag == "g":
                found[inner] = within(found[parent], inner.get("transform", ""))
    return found


def within(outer: Ground, transform: str) -> Ground:
    left, top, factor = outer
    if (place := SCALED.fullmatch(transform)) is None:
        return outer
    x, y, by = map(float, place.groups())
    return left + factor * x, top + factor * y, factor * by


def fitted(made: Callable[[float], Box], width: float, height: float, most: float = 1.0) -> Box:
    """What is made for a width, as large as has room: the smaller it is drawn, the wider it may be made."""
    for factor in (each for each in FACTORS if each <= most):
        box = made(width / factor)
        if box.width * factor <= width + 1 and box.height * factor <= height:
            return scaled(box, factor)
    return scaled(box, min(width / max(1, box.width), height / max(1, box.height)))

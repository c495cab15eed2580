"""Boxes of known size, arranged in rows and columns and scaled to fit."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement

from ludarium.sharing.pictures import colours, lettering

Frame = dict[str, str | float]
"""Attributes of a shape."""
Draw = Callable[[Element, float, float], None]
Transform = tuple[float, float, float]
"""The position of an element's corner in the picture, and its scale."""
Transforms = Mapping[Element, Transform]
SCALED = re.compile(r"translate\((\S+) (\S+)\) scale\((\S+)\)")
FACTORS = (1.7, 1.55, 1.4, 1.25, 1.12, 1.0, 0.92, 0.85, 0.78, 0.72, 0.66, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25)
"""Scales to try, largest first."""


class Box(NamedTuple):
    """A box with its size, drawn by `draw` with the upper left corner at x and y."""

    width: float
    height: float
    draw: Draw


NOTHING = Box(0, 0, lambda parent, x, y: None)


def shape(parent: Element, kind: str, content: str | None = None, /, **attributes: str | float) -> Element:
    """Add an SVG element; an attribute like `font_size` becomes `font-size`.

    Content is escaped on output.
    """
    formatted = {name.replace("_", "-"): format_value(value) for name, value in attributes.items()}
    element = SubElement(parent, kind, formatted)
    element.text = None if content is None else lettering.writable(content)
    return element


def format_value(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


# --- one thing -------------------------------------------------------------------------------------------------------
def text_box(text: str, size: float, bold: bool = False, fill: str = colours.INK, room: float = 1e9) -> Box:
    shown = lettering.shortened(lettering.writable(text), room, size, bold)

    def draw(parent: Element, x: float, y: float) -> None:
        weight = {"font_weight": "700"} if bold else {}
        shape(parent, "text", shown, x=x, y=y + size * 1.02, font_size=size, fill=fill, **weight)

    return Box(lettering.text_width(shown, size, bold), size * 1.3, draw)


def icon_box(path: str, size: float, fill: str = colours.INK) -> Box:
    """Return a box with an icon; its `path` fills a square of 16 by 16 units."""

    def draw(parent: Element, x: float, y: float) -> None:
        place = f"translate({format_value(x)} {format_value(y)}) scale({size / 16:.3f})"
        shape(parent, "path", d=path, fill=fill, fill_rule="evenodd", transform=place)

    return Box(size, size, draw)


# --- several ---------------------------------------------------------------------------------------------------------
def row(boxes: Iterable[Box], gap: float = 4) -> Box:
    """Place boxes side by side, vertically centred."""
    visible = [box for box in boxes if box.width]
    height = max((box.height for box in visible), default=0.0)

    def draw(parent: Element, x: float, y: float) -> None:
        for box in visible:
            box.draw(parent, x, y + (height - box.height) / 2)
            x += box.width + gap

    return Box(sum(box.width for box in visible) + gap * max(0, len(visible) - 1), height, draw)


def column(boxes: Iterable[Box], gap: float = 4, centred: bool = False) -> Box:
    visible = [box for box in boxes if box.width]
    width = max((box.width for box in visible), default=0.0)

    def draw(parent: Element, x: float, y: float) -> None:
        for box in visible:
            box.draw(parent, x + (width - box.width) / 2 * centred, y)
            y += box.height + gap

    return Box(width, sum(box.height for box in visible) + gap * max(0, len(visible) - 1), draw)


def flow(boxes: Sequence[Box], room: float, gap: float = 6, between: float = 6, centred: bool = False) -> Box:
    """Place boxes side by side in as many rows of the given width as needed."""
    lines = list[list[Box]]()
    for box in boxes:
        if lines and sum(other.width + gap for other in lines[-1]) + box.width <= room:
            lines[-1].append(box)
        elif box.width:
            lines.append([box])
    return column([row(line, gap) for line in lines], between, centred)


def padded(box: Box, sides: float, ends: float, **frame: str | float) -> Box:
    """Return a box with padding and a rectangle of these attributes as its frame."""
    width, height = box.width + 2 * sides, box.height + 2 * ends

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, width=width, height=height, **frame)
        box.draw(parent, x + sides, y + ends)

    return Box(width, height, draw)


def overlaid(lower: Box, upper: Box, x: float, y: float) -> Box:
    """Place `upper` over `lower`, offset by x and y from the upper left corner."""

    def draw(parent: Element, left: float, top: float) -> None:
        lower.draw(parent, left, top)
        upper.draw(parent, left + x, top + y)

    return Box(max(lower.width, x + upper.width), max(lower.height, y + upper.height), draw)


def scaled(box: Box, factor: float) -> Box:
    def draw(parent: Element, x: float, y: float) -> None:
        box.draw(shape(parent, "g", transform=f"translate({format_value(x)} {format_value(y)}) scale({factor:.3f})"), 0, 0)

    return box if factor == 1 else Box(box.width * factor, box.height * factor, draw)


def transforms_of(picture: Element) -> Transforms:
    """Return the absolute transform of each group, as scaled groups can be nested."""
    found = {picture: (0.0, 0.0, 1.0)}
    for parent in picture.iter():
        for inner in parent:
            if inner.tag == "g":
                found[inner] = combined(found[parent], inner.get("transform", ""))
    return found


def combined(outer: Transform, transform: str) -> Transform:
    left, top, factor = outer
    if (place := SCALED.fullmatch(transform)) is None:
        return outer
    x, y, by = map(float, place.groups())
    return left + factor * x, top + factor * y, factor * by


def fitted(make: Callable[[float], Box], width: float, height: float, most: float = 1.0) -> Box:
    """Make a box at the largest scale at which it fits.

    At a smaller scale, the box can be laid out wider.
    """
    for factor in (each for each in FACTORS if each <= most):
        box = make(width / factor)
        if box.width * factor <= width + 1 and box.height * factor <= height:
            return scaled(box, factor)
    return scaled(box, min(width / max(1, box.width), height / max(1, box.height)))

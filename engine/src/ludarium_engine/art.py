"""Read a title's look: its colour, and a drawn scene for lists and previews.

Both are optional files in the folder `art/` of the title's package; the rules do not use them. `look.json` has the hue
(in degrees, as in CSS `oklch`) and its strength. `title.svg` is a scene of 640 by 320. Since the scene is published and
can appear anywhere, it contains only shapes: no script, style or link, and nothing that a browser would fetch
(docs/decisions/144).
"""
from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated
from xml.etree import ElementTree

import msgspec
from msgspec import Meta

from ludarium_engine.kernel.decoding import json_decoder

WIDTH, HEIGHT = 640, 320
MOST_BYTES = 12_000
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polygon", "polyline", "title"}
ATTRIBUTES = {
    "viewBox", "d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "transform",
    "fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "fill-rule",
}  # fmt: skip


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a title: its hue in degrees, and its strength from 0 to 1."""

    hue: Annotated[int, Meta(ge=0, lt=360)]
    strength: Annotated[float, Meta(ge=0, le=1)]


class Art(msgspec.Struct, frozen=True):
    """The look of a title, and its scene as SVG."""

    look: Look
    scene: bytes


_look = json_decoder(Look)


@cache
def art_of(package: str) -> Art | None:
    """Return the art in a title's package, or None if it has none.

    Raises:
        ValueError: the scene is not one, or has more than shapes.
        msgspec.ValidationError: the look is not one.
    """
    folder = files(package) / "art"
    if not folder.is_dir():
        return None
    scene = (folder / "title.svg").read_bytes()
    if flaws := flaws_of(scene):
        raise ValueError(f"{package}: {', '.join(flaws)}")
    return Art(_look((folder / "look.json").read_bytes()), scene)


def flaws_of(scene: bytes) -> list[str]:
    """Return what makes an SVG unfit to be published, in words; [] if nothing does."""
    # Without declarations there are no entities, which could make a small file large.
    if b"<!" in scene or b"<?" in scene.removeprefix(b"<?xml"):
        return ["a declaration or an instruction"]
    try:
        root = ElementTree.fromstring(scene)
    except ElementTree.ParseError as error:
        return [f"not XML: {error}"]
    found = [f"more than {MOST_BYTES} bytes"] if len(scene) > MOST_BYTES else []
    if root.get("viewBox") != f"0 0 {WIDTH} {HEIGHT}":
        found.append(f"no view box of {WIDTH} by {HEIGHT}")
    return found + [flaw for element in root.iter() for flaw in flaws_of_element(element)]


def flaws_of_element(element: ElementTree.Element) -> list[str]:
    name = element.tag.removeprefix(SVG)
    found = [] if element.tag.startswith(SVG) and name in SHAPES else [f"element {name}"]
    for attribute, value in element.attrib.items():
        if attribute not in ATTRIBUTES or ("(" in value and attribute != "transform"):
            found.append(f"attribute {attribute} of {name}")
    return found

"""Arrows of a note over the pieces that they name, from middle to middle as the web client has them."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from xml.etree.ElementTree import Element

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import Grounds, grounds, shape
from ludarium.sharing.pictures.scenes import Piece, Stage
from ludarium.sharing.studies.schemas import Pointed

STROKE, CIRCLED, THROUGH = 4.0, 4.0, "0.85"
TIP, NECK, WING = 3.2, 12.8, 8.0
"""Of an arrow's head, along it from where it points and across it."""
Middle = tuple[float, float, float]
"""x, y, and half of what is longer of width and height."""


def arrows(stage: Stage, picture: Element) -> None:
    """Over a picture that is drawn. An arrow from or to what is not in it is left out, as one from a piece to itself is."""
    found = middles(stage, grounds(picture))
    for arrow in stage.scene.arrows:
        start, end = found.get(key(arrow.start)), found.get(key(arrow.end)) if arrow.end else None
        if start and arrow.end is None:
            circle(picture, start)
        elif start and end and hypot(end[0] - start[0], end[1] - start[1]) > NECK:
            line(picture, start, end)


def key(piece: Pointed) -> Piece:
    return piece.kind, piece.value, piece.zone


def middles(stage: Stage, drawn: Grounds) -> Mapping[Piece, Middle]:
    found = dict[Piece, Middle]()
    for piece, (parent, x, y, box) in stage.pieces.items():
        left, top, factor = drawn[parent]
        middle = left + factor * (x + box.width / 2), top + factor * (y + box.height / 2)
        found[piece] = *middle, factor * max(box.width, box.height) / 2
    return found


def circle(parent: Element, around: Middle) -> None:
    x, y, half = around
    shape(
        parent, "circle", cx=x, cy=y, r=half + CIRCLED, fill="none", stroke=colours.ACCENT, stroke_width=STROKE, opacity=THROUGH
    )


def line(parent: Element, start: Middle, end: Middle) -> None:
    group = shape(parent, "g", opacity=THROUGH)
    shape(
        group, "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=colours.ACCENT, stroke_width=STROKE,
        stroke_linecap="round",
    )  # fmt: skip
    shape(group, "path", d=" ".join(["M", *(f"{x:.1f} {y:.1f}" for x, y in head(start, end)), "Z"]), fill=colours.ACCENT)


def head(start: Middle, end: Middle) -> Sequence[tuple[float, float]]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    along, across = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    corners = (TIP, 0.0), (-NECK, WING), (-NECK, -WING)
    return [(end[0] + on * along - off * across, end[1] + on * across + off * along) for on, off in corners]

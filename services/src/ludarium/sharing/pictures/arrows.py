"""A note's arrows, drawn over pieces from centre to centre as in the web client."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from xml.etree.ElementTree import Element

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import Transforms, shape, transforms_of
from ludarium.sharing.pictures.scenes import Piece, Stage
from ludarium.sharing.studies.schemas import Pointed

STROKE, CIRCLE_MARGIN, OPACITY = 4.0, 4.0, "0.85"
TIP, NECK, WING = 3.2, 12.8, 8.0
"""The arrow head: distances along and across the arrow from its target."""
Middle = tuple[float, float, float]
"""The centre of a piece (x, y), and half of its larger side."""


def draw_arrows(stage: Stage, picture: Element) -> None:
    """Draw the arrows over a finished picture.

    Arrows whose ends are not visible, or that start and end at the same place, are left out.
    """
    found = middles(stage, transforms_of(picture))
    for arrow in stage.scene.arrows:
        start, end = found.get(piece_key(arrow.start)), found.get(piece_key(arrow.end)) if arrow.end else None
        if start and arrow.end is None:
            draw_circle(picture, start)
        elif start and end and hypot(end[0] - start[0], end[1] - start[1]) > NECK:
            draw_arrow(picture, start, end)


def piece_key(piece: Pointed) -> Piece:
    return piece.kind, piece.value, piece.zone


def middles(stage: Stage, drawn: Transforms) -> Mapping[Piece, Middle]:
    found = dict[Piece, Middle]()
    for piece, (parent, x, y, box) in stage.pieces.items():
        left, top, factor = drawn[parent]
        middle = left + factor * (x + box.width / 2), top + factor * (y + box.height / 2)
        found[piece] = *middle, factor * max(box.width, box.height) / 2
    return found


def draw_circle(parent: Element, around: Middle) -> None:
    x, y, half = around
    shape(
        parent, "circle", cx=x, cy=y, r=half + CIRCLE_MARGIN, fill="none", stroke=colours.ACCENT, stroke_width=STROKE,
        opacity=OPACITY,
    )  # fmt: skip


def draw_arrow(parent: Element, start: Middle, end: Middle) -> None:
    group = shape(parent, "g", opacity=OPACITY)
    shape(
        group, "line", x1=start[0], y1=start[1], x2=end[0], y2=end[1], stroke=colours.ACCENT, stroke_width=STROKE,
        stroke_linecap="round",
    )  # fmt: skip
    shape(group, "path", d=" ".join(["M", *(f"{x:.1f} {y:.1f}" for x, y in arrow_head(start, end)), "Z"]), fill=colours.ACCENT)


def arrow_head(start: Middle, end: Middle) -> Sequence[tuple[float, float]]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    along, across = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    corners = (TIP, 0.0), (-NECK, WING), (-NECK, -WING)
    return [(end[0] + on * along - off * across, end[1] + on * across + off * along) for on, off in corners]

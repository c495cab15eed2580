"""Maps whose spaces lie near their declared positions without overlap."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from xml.etree.ElementTree import Element

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import Box, Frame, column, flow, padded, row, scaled, shape, text_box
from ludarium.sharing.pictures.lettering import wrapped
from ludarium.sharing.pictures.pieces import spot_icon
from ludarium.sharing.pictures.scenes import Stage
from ludarium.sharing.pictures.zones import companions
from ludarium_engine.kernel.drawing import BY_SPACE
from ludarium_engine.kernel.title import Board

CELL_WIDTH, MIN_CELL_WIDTH = 104.0, 60.0
MAX_ROUNDS = 200
GAP, EDGE = 6.0, 4.0
SCALES = (1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.4, 2.8)
"""How much larger than its room a map is laid out before it is scaled down."""
Point = list[float]


def board_box(stage: Stage, on: Board, width: float, height: float) -> Box:
    spaces = [space_box(stage, on, index) for index in range(len(on.spaces))]
    for factor in SCALES:
        points = place_spaces(on, spaces, width * factor, height * factor)
        if not has_overlap(points, spaces):
            break

    def draw(parent: Element, x: float, y: float) -> None:
        for edge in on.edges:
            draw_edge(parent, points[edge.a], points[edge.b], edge.kind == "land", x, y)
        for box, at in zip(spaces, points, strict=True):
            box.draw(parent, x + at[0] - box.width / 2, y + at[1] - box.height / 2)

    return scaled(Box(width * factor, height * factor, draw), 1 / factor)


def draw_edge(parent: Element, a: Point, b: Point, land: bool, x: float, y: float) -> None:
    kind: Frame = {"stroke": colours.EDGE} if land else {"stroke": colours.WATER, "stroke_dasharray": "6 5"}
    shape(parent, "line", x1=x + a[0], y1=y + a[1], x2=x + b[0], y2=y + b[1], stroke_width=2.5, **kind)


def space_box(stage: Stage, on: Board, index: int) -> Box:
    kinds = [*dict.fromkeys(each.facts.get("kind") for each in on.spaces)]
    tint = colours.nth_tint(kinds.index(on.spaces[index].facts.get("kind")))
    name = stage.text(f"space.{on.spaces[index].id}")
    title = column([text_box(part, 12.5, bold=True) for part in wrapped(name, CELL_WIDTH, 12.5, 2, bold=True)], 0, centred=True)
    inner = column([title, flow([*pieces_on_space(stage, on, index)], CELL_WIDTH + 10, 3, 2, centred=True)], 2, centred=True)
    framed = padded(with_min_width(inner, MIN_CELL_WIDTH), 5, 3, rx=10.0, fill=tint.at(0.96, 0.03), stroke=tint.at(0.7, 0.06))
    return stage.slot(on.zone, index, framed)


def with_min_width(box: Box, width: float) -> Box:
    """Return the box, centred in at least this width."""
    margin = max(0, width - box.width) / 2
    return Box(box.width + 2 * margin, box.height, lambda parent, x, y: box.draw(parent, x + margin, y))


def pieces_on_space(stage: Stage, on: Board, index: int) -> Iterator[Box]:
    for spot in stage.spots(BY_SPACE):
        if count := int(stage.zones.get(spot.zone, [0])[index]):
            yield row([spot_icon(spot, 12), text_box(str(count), 13.5, bold=True)], 2)
    yield from companions(stage, on.zone, index)


# --- positions ----------------------------------------------------------------------------------------------------------
def place_spaces(on: Board, spaces: Sequence[Box], width: float, height: float) -> list[Point]:
    """Return the centres of the spaces, pushing overlapping spaces apart."""
    widest, highest = max(box.width for box in spaces) + 2 * EDGE, max(box.height for box in spaces) + 2 * EDGE
    along, down = normalised([each.x for each in on.spaces]), normalised([each.y for each in on.spaces])
    room = width - widest, height - highest
    points = [[widest / 2 + x * room[0], highest / 2 + y * room[1]] for x, y in zip(along, down, strict=True)]
    placed = [*zip(points, spaces, strict=True)]
    for _ in range(MAX_ROUNDS):
        if not any([push_apart(a, one, b, other, (width, height)) for (a, one), (b, other) in combinations(placed, 2)]):
            break
    return points


def normalised(values: Sequence[float]) -> list[float]:
    """Scale the values linearly to the range from 0 to 1."""
    least, most = min(values), max(values)
    return [(value - least) / max(1, most - least) for value in values]


def push_apart(a: Point, one: Box, b: Point, other: Box, room: tuple[float, float]) -> bool:
    """Push two overlapping spaces apart along the shorter way.

    Returns:
        Whether the spaces overlapped.
    """
    missing = [(mine + others) / 2 + GAP - abs(a[axis] - b[axis]) for axis, (mine, others) in enumerate(sizes(one, other))]
    if min(missing) <= 0.5:
        return False
    axis = missing.index(min(missing))
    sign = 1 if a[axis] <= b[axis] else -1
    half = [sizes(one, one)[axis][0] / 2, sizes(other, other)[axis][0] / 2]
    left = missing[axis] - shift(a, axis, -sign * missing[axis] / 2, half[0], room[axis])
    shift(a, axis, -sign * (left - shift(b, axis, sign * left, half[1], room[axis])), half[0], room[axis])
    return True


def sizes(one: Box, other: Box) -> tuple[tuple[float, float], tuple[float, float]]:
    return (one.width, other.width), (one.height, other.height)


def shift(at: Point, axis: int, by: float, half: float, most: float) -> float:
    """Move a space within the map, and return the distance moved."""
    before = at[axis]
    at[axis] = min(most - EDGE - half, max(EDGE + half, before + by))
    return abs(at[axis] - before)


def has_overlap(points: Sequence[Point], spaces: Sequence[Box]) -> bool:
    """Return whether any two spaces overlap."""
    pairs = combinations(zip(points, spaces, strict=True), 2)
    return any(
        abs(a[0] - b[0]) < (one.width + other.width) / 2 and abs(a[1] - b[1]) < (one.height + other.height) / 2
        for (a, one), (b, other) in pairs
    )

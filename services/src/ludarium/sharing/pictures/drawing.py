"""Draws a whole table, with the other seats on the left.

The centre is on the right, and below it the viewer's seat.
"""
from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.arrows import draw_arrows
from ludarium.sharing.pictures.boxes import NOTHING, Box, Frame, column, fitted, flow, padded, row, shape, text_box
from ludarium.sharing.pictures.lettering import FAMILIES
from ludarium.sharing.pictures.maps import board_box
from ludarium.sharing.pictures.pieces import amount, chip, mark, spot_icon, token
from ludarium.sharing.pictures.scenes import Scene, Stage
from ludarium.sharing.pictures.zones import CARDS, cards_before_seat, zone
from ludarium_engine.kernel.drawing import BY_SEAT, CENTRE, Spot

WIDTH, HEIGHT = 1200.0, 630.0
"""The size of link previews."""
MARGIN, HEAD_HEIGHT, OTHERS_WIDTH = 14.0, 46.0, 290.0
OWN_SEAT_SHARE = 0.42
"""The largest share of the height for the viewer's seat."""
MAX_SCALE = 1.7
SMALL = ("amount", "mark", "places")
SITE_NAME = "Ludarium"


def draw_svg(scene: Scene) -> str:
    """Return a self-contained SVG without scripts or links."""
    stage = Stage(scene)
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}", width=f"{WIDTH:.0f}",
        height=f"{HEIGHT:.0f}", role="img",
    )  # fmt: skip
    picture.set("font-family", FAMILIES)
    shape(picture, "title", f"{name_of(stage)}: {', '.join(scene.names)}")
    shape(picture, "rect", width=WIDTH, height=HEIGHT, fill=colours.FELT)
    title_line(stage).draw(picture, MARGIN, MARGIN - 4)
    table_box(stage).draw(picture, MARGIN, HEAD_HEIGHT + 4)
    draw_arrows(stage, picture)
    return tostring(picture, "unicode", xml_declaration=False)


def name_of(stage: Stage) -> str:
    return stage.title.name.get(stage.words.locale, stage.title.name["en"])


def title_line(stage: Stage) -> Box:
    name, house = text_box(name_of(stage), 26, bold=True), text_box(SITE_NAME, 20, bold=True, fill=colours.ACCENT)

    def draw(parent: Element, x: float, y: float) -> None:
        name.draw(parent, x, y)
        house.draw(parent, WIDTH - MARGIN - house.width, y + 5)

    return Box(WIDTH - 2 * MARGIN, name.height, draw)


def table_box(stage: Stage) -> Box:
    """Return a box with everything below the title line."""
    room, height, viewer = WIDTH - 2 * MARGIN, HEIGHT - HEAD_HEIGHT - 4 - MARGIN, stage.scene.viewer
    if stage.scene.view is None:
        return waiting_box(stage, room, height)
    right = room - OTHERS_WIDTH - MARGIN
    own = NOTHING
    if viewer is not None:
        own = fitted(lambda width: seat_box(stage, viewer, width, own=True), right, height * OWN_SEAT_SHARE)
    left = height - own.height - (MARGIN if own.height else 0)
    others = fitted(lambda width: other_seats(stage, width), OTHERS_WIDTH, height, 1.12)
    return row([Box(OTHERS_WIDTH, height, others.draw), column([middle_box(stage, right, left), own], MARGIN)], MARGIN)


def waiting_box(stage: Stage, room: float, height: float) -> Box:
    """Return a box with the seated players, shown before the game."""
    seats = flow([seat_head(stage, nth) for nth in range(len(stage.scene.names))], room / 2, 26, 18)
    return fitted(lambda _: padded(seats, 30, 30, rx=16.0, fill=colours.CENTRE, stroke=colours.LINE), room, height, 2.2)


# --- seats ------------------------------------------------------------------------------------------------------------
def other_seats(stage: Stage, room: float) -> Box:
    """Return a box with the other seats, starting with the viewer's left neighbour."""
    count, viewer = len(stage.scene.names), stage.scene.viewer
    first = 0 if viewer is None else viewer + 1
    order = [(first + nth) % count for nth in range(count)]
    return column([seat_box(stage, nth, room, own=False) for nth in order if nth != viewer], 8)


def seat_box(stage: Stage, nth: int, room: float, own: bool) -> Box:
    inner = room - 22
    about = flow([*amounts_and_marks(stage, nth, inner * (0.5 if own else 1), own)], inner * (0.7 if own else 1), 4, 4)
    zones = [cards_before_seat(stage, spot, cards_at(stage, spot.zone, nth), nth, inner, own) for spot in piles(stage)]
    held = flow(zones, inner, 14, 5) if own else column(zones, 5)
    content = column([row([seat_head(stage, nth), about], 14) if own else column([seat_head(stage, nth), about], 4), held], 6)
    box = Box(inner, content.height, content.draw)
    turn = stage.scene.status == "playing" and stage.scene.view is not None and stage.scene.view.turn == nth
    frame: Frame = {"stroke": colours.ACCENT, "stroke_width": 2.5} if turn else {"stroke": colours.LINE}
    return padded(box, 11, 8, rx=12.0, fill=colours.PAPER, **frame)


def seat_head(stage: Stage, nth: int) -> Box:
    place = stage.scene.places[nth] if stage.scene.places else 0
    medal = chip([text_box(f"{place}.", 15, bold=True, fill=colours.ACCENT)]) if place else NOTHING
    named = row([token(stage, nth, 24), text_box(stage.scene.names[nth], 16.5, bold=True, room=200), medal], 8)
    return stage.piece("seat", nth, named)


def amounts_and_marks(stage: Stage, nth: int, room: float, own: bool) -> list[Box]:
    """Return boxes with the amounts and marks of a seat."""
    roles = [role_chip(stage, spot) for spot in stage.roles if stage.zones.get(spot.zone) == nth]
    boxes = list[Box]()
    for spot in stage.spots(BY_SEAT):
        values = stage.zones.get(spot.zone)
        if spot.shape in SMALL and isinstance(values, list | tuple) and nth < len(values):
            value = values[nth]
            boxes.append(amount(stage, spot, int(value), own) if spot.shape == "amount" else mark(stage, spot, value, room))
    return roles + boxes


def role_chip(stage: Stage, spot: Spot) -> Box:
    return chip([spot_icon(spot), text_box(stage.zone(spot.zone), 12, fill=colours.SOFT)])


def piles(stage: Stage) -> Sequence[Spot]:
    return [spot for spot in stage.spots(BY_SEAT) if spot.shape in CARDS and stage.kinds[spot.zone] == "piles"]


def cards_at(stage: Stage, zone_: str, nth: int) -> Sequence[int]:
    values = stage.zones.get(zone_) or ()
    return values[nth] if nth < len(values) else ()


# --- the middle --------------------------------------------------------------------------------------------------------
def middle_box(stage: Stage, width: float, height: float) -> Box:
    inner, deep = width - 24, height - 20
    if stage.board:
        content = map_box(stage, inner, deep)
    else:
        content = fitted(lambda room: centre_box(stage, room), inner, deep, MAX_SCALE)
    frame: Frame = {"width": width, "height": height, "rx": 16.0, "fill": colours.CENTRE, "stroke": colours.LINE}

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, **frame)
        content.draw(parent, x + (width - content.width) / 2, y + (height - content.height) / 2)

    return Box(width, height, draw)


def centre_box(stage: Stage, room: float) -> Box:
    """Return a box with the centre of a table without a map."""
    spots = stage.spots(CENTRE)
    small = flow([zone(stage, spot, room) for spot in spots if spot.shape in SMALL], room, 6, 5, centred=True)
    large = [zone(stage, spot, room) for spot in spots if spot.shape not in SMALL]
    return column([small, flow(large, room, 26, 14, centred=True)], 14, centred=True)


def map_box(stage: Stage, width: float, height: float) -> Box:
    assert stage.board is not None
    spots = stage.spots(CENTRE)
    small = flow([zone(stage, spot, width) for spot in spots if spot.shape in SMALL], width, 6, 5)
    large = fitted(
        lambda room: flow([zone(stage, s, room) for s in spots if s.shape not in SMALL and not s.fold], room, 18, 8), width, 110
    )
    used = small.height + large.height + 8 * ((small.height > 0) + (large.height > 0))
    return column([small, board_box(stage, stage.board, width, height - used), large], 8)

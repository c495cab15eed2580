"""A whole table as one picture: others on the left, then the middle, and below it the seat that looks on."""
from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, tostring

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.arrows import arrows
from ludarium.sharing.pictures.boxes import NOTHING, Box, Frame, column, fitted, flow, padded, row, shape, words
from ludarium.sharing.pictures.lettering import FAMILIES
from ludarium.sharing.pictures.maps import board
from ludarium.sharing.pictures.pieces import amount, chip, mark, signed, token
from ludarium.sharing.pictures.scenes import Scene, Stage
from ludarium.sharing.pictures.zones import CARDS, before, zone
from ludarium_engine.kernel.drawing import BY_SEAT, CENTRE, Spot

WIDTH, HEIGHT = 1200.0, 630.0
"""As those want it who show what a link leads to."""
EDGE, HEAD, ASIDE = 14.0, 46.0, 290.0
OWN = 0.42
"""Of the height at most for the seat that looks on."""
LARGEST = 1.7
SMALL = ("amount", "mark", "places")
HOUSE = "Ludarium"


def drawn(scene: Scene) -> str:
    """The picture as an SVG of its own: no script, no link, nothing from elsewhere."""
    stage = Stage(scene)
    picture = Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}", width=f"{WIDTH:.0f}",
        height=f"{HEIGHT:.0f}", role="img",
    )  # fmt: skip
    picture.set("font-family", FAMILIES)
    shape(picture, "title", f"{name_of(stage)}: {', '.join(scene.names)}")
    shape(picture, "rect", width=WIDTH, height=HEIGHT, fill=colours.FELT)
    head(stage).draw(picture, EDGE, EDGE - 4)
    whole(stage).draw(picture, EDGE, HEAD + 4)
    arrows(stage, picture)
    return tostring(picture, "unicode", xml_declaration=False)


def name_of(stage: Stage) -> str:
    return stage.title.name.get(stage.words.locale, stage.title.name["en"])


def head(stage: Stage) -> Box:
    name, house = words(name_of(stage), 26, bold=True), words(HOUSE, 20, bold=True, fill=colours.ACCENT)

    def draw(parent: Element, x: float, y: float) -> None:
        name.draw(parent, x, y)
        house.draw(parent, WIDTH - EDGE - house.width, y + 5)

    return Box(WIDTH - 2 * EDGE, name.height, draw)


def whole(stage: Stage) -> Box:
    """In the room below the head."""
    room, height, viewer = WIDTH - 2 * EDGE, HEIGHT - HEAD - 4 - EDGE, stage.scene.viewer
    if stage.scene.view is None:
        return waiting(stage, room, height)
    right = room - ASIDE - EDGE
    own = fitted(lambda width: seat(stage, viewer, width, own=True), right, height * OWN) if viewer is not None else NOTHING
    left = height - own.height - (EDGE if own.height else 0)
    others = fitted(lambda width: aside(stage, width), ASIDE, height, 1.12)
    return row([Box(ASIDE, height, others.draw), column([middle(stage, right, left), own], EDGE)], EDGE)


def waiting(stage: Stage, room: float, height: float) -> Box:
    """Before the game: who sits there."""
    seats = flow([seat_head(stage, nth) for nth in range(len(stage.scene.names))], room / 2, 26, 18)
    return fitted(lambda _: padded(seats, 30, 30, rx=16.0, fill=colours.CENTRE, stroke=colours.LINE), room, height, 2.2)


# --- seats ------------------------------------------------------------------------------------------------------------
def aside(stage: Stage, room: float) -> Box:
    """The others, from the left of who looks on."""
    count, viewer = len(stage.scene.names), stage.scene.viewer
    first = 0 if viewer is None else viewer + 1
    order = [(first + nth) % count for nth in range(count)]
    return column([seat(stage, nth, room, own=False) for nth in order if nth != viewer], 8)


def seat(stage: Stage, nth: int, room: float, own: bool) -> Box:
    inner = room - 22
    about = flow([*facts(stage, nth, inner * (0.5 if own else 1), own)], inner * (0.7 if own else 1), 4, 4)
    zones = [before(stage, spot, cards_at(stage, spot.zone, nth), nth, inner, own) for spot in piles(stage)]
    held = flow(zones, inner, 14, 5) if own else column(zones, 5)
    content = column([row([seat_head(stage, nth), about], 14) if own else column([seat_head(stage, nth), about], 4), held], 6)
    box = Box(inner, content.height, content.draw)
    turn = stage.scene.status == "playing" and stage.scene.view is not None and stage.scene.view.turn == nth
    frame: Frame = {"stroke": colours.ACCENT, "stroke_width": 2.5} if turn else {"stroke": colours.LINE}
    return padded(box, 11, 8, rx=12.0, fill=colours.PAPER, **frame)


def seat_head(stage: Stage, nth: int) -> Box:
    place = stage.scene.places[nth] if stage.scene.places else 0
    medal = chip([words(f"{place}.", 15, bold=True, fill=colours.ACCENT)]) if place else NOTHING
    named = row([token(stage, nth, 24), words(stage.scene.names[nth], 16.5, bold=True, room=200), medal], 8)
    return stage.piece("seat", nth, named)


def facts(stage: Stage, nth: int, room: float, own: bool) -> list[Box]:
    """Amounts and marks of a seat."""
    roles = [role(stage, spot) for spot in stage.roles if stage.zones.get(spot.zone) == nth]
    told = list[Box]()
    for spot in stage.spots(BY_SEAT):
        values = stage.zones.get(spot.zone)
        if spot.shape in SMALL and isinstance(values, list | tuple) and nth < len(values):
            value = values[nth]
            told.append(amount(stage, spot, int(value), own) if spot.shape == "amount" else mark(stage, spot, value, room))
    return roles + told


def role(stage: Stage, spot: Spot) -> Box:
    return chip([signed(spot), words(stage.zone(spot.zone), 12, fill=colours.SOFT)])


def piles(stage: Stage) -> Sequence[Spot]:
    return [spot for spot in stage.spots(BY_SEAT) if spot.shape in CARDS and stage.kinds[spot.zone] == "piles"]


def cards_at(stage: Stage, zone_: str, nth: int) -> Sequence[int]:
    values = stage.zones.get(zone_) or ()
    return values[nth] if nth < len(values) else ()


# --- the middle --------------------------------------------------------------------------------------------------------
def middle(stage: Stage, width: float, height: float) -> Box:
    inner, deep = width - 24, height - 20
    content = mapped(stage, inner, deep) if stage.board else fitted(lambda room: centre(stage, room), inner, deep, LARGEST)
    frame: Frame = {"width": width, "height": height, "rx": 16.0, "fill": colours.CENTRE, "stroke": colours.LINE}

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, **frame)
        content.draw(parent, x + (width - content.width) / 2, y + (height - content.height) / 2)

    return Box(width, height, draw)


def centre(stage: Stage, room: float) -> Box:
    """The zones in the middle of a table without a map."""
    spots = stage.spots(CENTRE)
    small = flow([zone(stage, spot, room) for spot in spots if spot.shape in SMALL], room, 6, 5, centred=True)
    large = [zone(stage, spot, room) for spot in spots if spot.shape not in SMALL]
    return column([small, flow(large, room, 26, 14, centred=True)], 14, centred=True)


def mapped(stage: Stage, width: float, height: float) -> Box:
    assert stage.board is not None
    spots = stage.spots(CENTRE)
    small = flow([zone(stage, spot, width) for spot in spots if spot.shape in SMALL], width, 6, 5)
    large = fitted(
        lambda room: flow([zone(stage, s, room) for s in spots if s.shape not in SMALL and not s.fold], room, 18, 8), width, 110
    )
    used = small.height + large.height + 8 * ((small.height > 0) + (large.height > 0))
    return column([small, board(stage, stage.board, width, height - used), large], 8)

"""Single pieces such as cards, dice, amounts with icons, and tokens of seats."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import NOTHING, Box, Frame, column, flow, icon_box, overlaid, padded, row, shape, text_box
from ludarium.sharing.pictures.lettering import size_for, wrapped
from ludarium.sharing.pictures.scenes import Stage
from ludarium_engine.kernel.drawing import Icon, Spot
from ludarium_engine.kernel.title import Card
from ludarium_engine.story.letters import letters

CARD_WIDTH, CARD_HEIGHT = 78.0, 104.0
STRIP_HEIGHT = 6.0
BACK_WIDTH = 20.0
"""The width of a card back."""
DIE_SIZE = 44.0
PIPS = ("", "5", "19", "159", "1379", "13579", "134679")
TIMES = "\N{MULTIPLICATION SIGN}"
CHIP_FRAME: Frame = {"fill": colours.FELT}


# --- cards -----------------------------------------------------------------------------------------------------------
def card(stage: Stage, id_: int) -> Box:
    """Return a box with the front of a card, or with a back if the card is hidden."""
    known = stage.cards.get(id_)
    return back(CARD_WIDTH, CARD_HEIGHT) if known is None else stage.piece("card", id_, front(stage, known))


def front(stage: Stage, known: Card) -> Box:
    tint, name = stage.tint(known), stage.text(f"card.{known.kind}")
    size = size_for(name, CARD_WIDTH - 12, 12.5 if len(name) < 24 else 11.0, 8, bold=True)
    name_lines = column([text_box(line, size, bold=True) for line in wrapped(name, CARD_WIDTH - 12, size, 4, bold=True)], 0)
    signs = flow([*badges(stage, known, tint)], CARD_WIDTH - 10, 5, 1)

    def draw(parent: Element, x: float, y: float) -> None:
        colour: Frame = {"fill": tint.at(0.975, 0.055), "stroke": tint.at(0.78, 0.09)}
        shape(parent, "rect", x=x, y=y, width=CARD_WIDTH, height=CARD_HEIGHT, rx=7.0, **colour)
        shape(parent, "rect", x=x + 1, y=y + 1, width=CARD_WIDTH - 2, height=STRIP_HEIGHT, rx=3.0, fill=tint.at(0.62, 0.16))
        name_lines.draw(parent, x + 6, y + STRIP_HEIGHT + 5)
        signs.draw(parent, x + 6, y + CARD_HEIGHT - signs.height - 5)

    return Box(CARD_WIDTH, CARD_HEIGHT, draw)


def badges(stage: Stage, known: Card, tint: colours.Tint) -> Iterator[Box]:
    for each in stage.title.face.badges:
        value = known.facts.get(each.fact)
        if value not in (None, 0, "", []):
            value_text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield row([icon_box(PATHS[each.icon], 11, tint.at(0.5, 0.13)), text_box(value_text, 11.5, bold=True)], 2)


def name_strip(stage: Stage, id_: int, count: int = 1, room: float = 150) -> Box:
    """Return a box with a card as a strip that shows its name and count."""
    known = stage.cards.get(id_)
    if known is None:
        return back(BACK_WIDTH, BACK_WIDTH * 1.4)
    tint = stage.tint(known)
    name = text_box(stage.text(f"card.{known.kind}"), 12, bold=True, room=room)
    mark = Box(5, name.height, lambda parent, x, y: tint_mark(parent, x, y, name.height, tint.at(0.62, 0.16)))
    inner = row([mark, name, count_label(count)], 5)
    box = padded(inner, 4, 2, fill=tint.at(0.975, 0.055), stroke=tint.at(0.78, 0.09), rx=5.0)
    return stage.piece("card", id_, box)


def tint_mark(parent: Element, x: float, y: float, height: float, fill: str) -> None:
    shape(parent, "rect", x=x, y=y, width=5.0, height=height, rx=2.0, fill=fill)


def count_label(count: int, of: int = 1) -> Box:
    return text_box(f"{TIMES}{count}", 11.5, bold=True, fill=colours.SOFT) if count > of else NOTHING


def back(width: float, height: float) -> Box:
    def draw(parent: Element, x: float, y: float) -> None:
        rim, round_ = max(1.5, width / 30), width / 10
        shape(parent, "rect", x=x, y=y, width=width, height=height, rx=round_, fill=colours.BACK_RIM, stroke=colours.LINE)
        inner: Frame = {"width": width - 2 * rim, "height": height - 2 * rim, "rx": round_ - rim / 2, "fill": colours.BACK}
        shape(parent, "rect", x=x + rim, y=y + rim, **inner)

    return Box(width, height, draw)


def backs(count: int, width: float = BACK_WIDTH) -> Box:
    """Return a box with a hidden hand, drawn as overlapping card backs."""
    step, shown = width * 0.55, min(count, 12)
    one = back(width, width * 1.4)

    def draw(parent: Element, x: float, y: float) -> None:
        for number in range(shown):
            one.draw(parent, x + number * step, y)

    return Box(width + step * (shown - 1), one.height, draw) if shown else NOTHING


def empty_place() -> Box:
    frame: Frame = {
        "width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 7.0, "fill": "none", "stroke": colours.LINE, "stroke_width": 2.0,
        "stroke_dasharray": "5 4",
    }  # fmt: skip
    return Box(CARD_WIDTH, CARD_HEIGHT, lambda parent, x, y: nothing(shape(parent, "rect", x=x, y=y, **frame)))


def nothing(_: Element) -> None:
    """Discard an element, because drawing functions return None."""


def with_count(box: Box, count: int) -> Box:
    """Return the box with a count at its upper right corner."""
    if count < 2:
        return box
    label = padded(text_box(str(count), 11.5, bold=True, fill=colours.RAISED), 5, 0, fill=colours.INK, rx=8.0)
    return overlaid(box, label, box.width - label.width + 5, -5)._replace(width=box.width, height=box.height)


# --- numbers ---------------------------------------------------------------------------------------------------------
def token(stage: Stage, seat: int, size: float = 18) -> Box:
    """Return a box with a seat's letter in the seat's colour."""
    letter = text_box(letters(stage.title)[seat], size * 0.56, bold=True, fill=colours.RAISED)

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "circle", cx=x + size / 2, cy=y + size / 2, r=size / 2, fill=colours.seat_colour(seat))
        letter.draw(parent, x + (size - letter.width) / 2, y + (size - letter.height) / 2)

    return Box(size, size, draw)


def amount(stage: Stage, spot: Spot, value: int, label: bool = True) -> Box:
    named = text_box(stage.zone(spot.zone), 12, fill=colours.SOFT) if label or not spot.icon else NOTHING
    return chip([spot_icon(spot), named, text_box(str(value), 13.5, bold=True)])


def mark(stage: Stage, spot: Spot, value: object, room: float = 400) -> Box:
    """Return a box with a mark's zone, empty unless the zone is set."""
    if not is_set(stage, spot, value):
        return NOTHING
    label, values = text_box(stage.zone(spot.zone), 12, fill=colours.SOFT), numbers_in(value)
    if stage.of(spot.zone) == "seat":
        return chip([spot_icon(spot), label, *tokens(stage, values)])
    if value is True:
        return chip([spot_icon(spot), label])
    value_text = ", ".join(text for each in values if (text := stage.value_text(spot.zone, each)))
    lines = wrapped(value_text, max(90, room - label.width - 34), 12, 3, bold=True)
    return chip([spot_icon(spot), label, column([text_box(line, 12, bold=True) for line in lines], 0)])


def badge(stage: Stage, spot: Spot, value: object) -> Box:
    """Return a small box with a mark: a token for a seat, a dot for a colour."""
    if not is_set(stage, spot, value):
        return NOTHING
    if stage.of(spot.zone) == "seat":
        return row([spot_icon(spot, 11), *tokens(stage, numbers_in(value))], 2)
    dot = swatch(stage, spot.zone, numbers_in(value)[0])
    return dot if dot.width else mark_alone(stage, spot, value)


def mark_alone(stage: Stage, spot: Spot, value: object) -> Box:
    value_text = ", ".join(text for each in numbers_in(value) if (text := stage.value_text(spot.zone, each)))
    return chip([spot_icon(spot), text_box(stage.zone(spot.zone) if value is True else value_text, 12, bold=True, room=110)])


def is_set(stage: Stage, spot: Spot, value: object) -> bool:
    """Return whether a zone's value is true, or names a seat, card or text."""
    values = numbers_in(value)
    return any(values) if stage.of(spot.zone) is None else any(each >= 0 for each in values)


def tokens(stage: Stage, seats: Sequence[int]) -> list[Box]:
    return [token(stage, each) for each in seats if each >= 0]


def numbers_in(value: object) -> list[int]:
    if isinstance(value, list | tuple):
        return [each for part in value for each in numbers_in(part)]
    return [int(value)] if isinstance(value, int) else []


def swatch(stage: Stage, zone: str, value: int) -> Box:
    """Return a dot in the colour that the value names."""
    tint = colours.NAMED.get(stage.english(zone, value))
    if tint is None:
        return NOTHING
    fill = tint.at(0.72, 0.17)
    square: Frame = {"width": 10.0, "height": 10.0, "rx": 2.5, "fill": fill, "stroke": colours.INK}
    return Box(10, 10, lambda parent, x, y: nothing(shape(parent, "rect", x=x, y=y, **square)))


def spot_icon(spot: Spot, size: float = 13) -> Box:
    return icon_box(PATHS[spot.icon], size) if spot.icon else NOTHING


def chip(parts: list[Box]) -> Box:
    return padded(row(parts, 4), 6, 1, rx=9.0, **CHIP_FRAME) if any(part.width for part in parts) else NOTHING


def die(value: int) -> Box:
    pips = PIPS[value] if 0 <= value < len(PIPS) else ""

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, width=DIE_SIZE, height=DIE_SIZE, rx=9.0, fill=colours.RAISED, stroke=colours.LINE)
        for pip in map(int, pips):
            down, along = divmod(pip - 1, 3)
            shape(parent, "circle", cx=x + 11 + 11 * along, cy=y + 11 + 11 * down, r=4.5, fill=colours.INK)

    return Box(DIE_SIZE, DIE_SIZE, draw)


# --- icons ----------------------------------------------------------------------------------------------------------
PATHS: Mapping[Icon, str] = {
    "coin": (
        "M8 1.500a6.500 6.500 0 1 0 0 13a6.500 6.500 0 0 0 0-13zm0 2.200a4.300 4.300 0 1 1 0 8.600"
        "a4.300 4.300 0 0 1 0-8.600zM7.200 5.500h1.600v5H7.200z"
    ),
    "sword": (
        "M14.500 1.500l-1 4-6 6-1.200-1.200 1.700-1.700-.6-.6-1.700 1.700L4.500 8.500l6-6zM3.700 9.300"
        "l3 3-1 1-.9-.9-2 2.100-1.300-1.300 2.100-2-.9-.9z"
    ),
    "shield": (
        "M8 1l6 2v4.500c0 3.500-2.500 6-6 7.500-3.500-1.500-6-4-6-7.500V3zm0 2.200L4 4.500v3"
        "c0 2.400 1.600 4.100 4 5.300z"
    ),
    "drop": "M8 1c2.500 3.400 4.500 5.800 4.500 8.500a4.500 4.500 0 0 1-9 0C3.500 6.800 5.500 4.400 8 1z",
    "star": "M8 1l2.100 4.600 5 .6-3.700 3.400 1 5L8 12.100l-4.400 2.500 1-5L.900 6.200l5-.6z",
    "spark": "M8 .500l1.700 5.300L15 8l-5.300 1.700L8 15.500 6.300 9.700 1 8l5.300-2.200z",
    "step": (
        "M5 1.500c1.500 0 2.300 1.500 2 3.500L6.500 8h-3L3 5c-.3-2 .5-3.500 2-3.500zM3.700 9h2.800v1.200"
        "a1.400 1.400 0 0 1-2.800 0zM11 5c1.500 0 2.300 1.500 2 3.500l-.5 3h-3L9 8.500C8.700 6.500 9.500 5 11 5z"
        "M9.700 12.500h2.800v.8a1.400 1.400 0 0 1-2.800 0z"
    ),
    "layers": "M8 1l7 13H1zm0 4L6.200 8.500h3.600z",
    "crown": "M1.500 4l3.300 3L8 2l3.200 5 3.300-3-1.200 8.500H2.700zM2.700 13.500h10.600V15H2.700z",
    "token": (
        "M8 1.500a3 3 0 0 1 1.900 5.300c2.300.700 3.600 3 3.600 6.700v1h-11v-1c0-3.700 1.300-6 3.600-6.700"
        "A3 3 0 0 1 8 1.500z"
    ),
    "number": (
        "M5.500 1.500h1.600l-.4 3h3l.4-3h1.600l-.4 3H14V6h-2.900l-.5 4H13v1.500h-2.600l-.4 3H8.400l.4-3h-3l-.4 3"
        "H3.800l.4-3H2V10h2.400l.5-4H2.500V4.500h2.600zM6.500 6L6 10h3l.5-4z"
    ),
}
"""The icons of the web client (`parts/icons.tsx`), in a square of 16."""

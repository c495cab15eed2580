"""Single things on a table: cards, dice, numbers with their signs, the tokens of seats."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import NOTHING, Box, Frame, column, flow, padded, row, shape, sign, upon, words
from ludarium.sharing.pictures.lettering import broken, size_for
from ludarium.sharing.pictures.scenes import Stage
from ludarium_engine.kernel.drawing import Icon, Spot
from ludarium_engine.kernel.title import Card
from ludarium_engine.story.letters import letters

CARD, TALL = 78.0, 104.0
STRIP = 6.0
SLIM = 20.0
"""The width of a back."""
DIE = 44.0
PIPS = ("", "5", "19", "159", "1379", "13579", "134679")
TIMES = "\N{MULTIPLICATION SIGN}"
CHIP: Frame = {"fill": colours.FELT}


# --- cards -----------------------------------------------------------------------------------------------------------
def card(stage: Stage, id_: int) -> Box:
    """Its front, or a back where nobody is to know it."""
    known = stage.cards.get(id_)
    return back(CARD, TALL) if known is None else stage.piece("card", id_, front(stage, known))


def front(stage: Stage, known: Card) -> Box:
    tint, name = stage.tint(known), stage.text(f"card.{known.kind}")
    size = size_for(name, CARD - 12, 12.5 if len(name) < 24 else 11.0, 8, bold=True)
    said = column([words(line, size, bold=True) for line in broken(name, CARD - 12, size, 4, bold=True)], 0)
    signs = flow([*badges(stage, known, tint)], CARD - 10, 5, 1)

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, width=CARD, height=TALL, rx=7.0, fill=tint.at(0.975, 0.055), stroke=tint.at(0.78, 0.09))
        shape(parent, "rect", x=x + 1, y=y + 1, width=CARD - 2, height=STRIP, rx=3.0, fill=tint.at(0.62, 0.16))
        said.draw(parent, x + 6, y + STRIP + 5)
        signs.draw(parent, x + 6, y + TALL - signs.height - 5)

    return Box(CARD, TALL, draw)


def badges(stage: Stage, known: Card, tint: colours.Tint) -> Iterator[Box]:
    for each in stage.title.face.badges:
        value = known.facts.get(each.fact)
        if value not in (None, 0, "", []):
            told = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            yield row([sign(PATHS[each.icon], 11, tint.at(0.5, 0.13)), words(told, 11.5, bold=True)], 2)


def strip(stage: Stage, id_: int, count: int = 1, room: float = 150) -> Box:
    """A card before somebody: its name alone, and how many there are of its kind."""
    known = stage.cards.get(id_)
    if known is None:
        return back(SLIM, SLIM * 1.4)
    tint = stage.tint(known)
    name = words(stage.text(f"card.{known.kind}"), 12, bold=True, room=room)
    mark = Box(5, name.height, lambda parent, x, y: drop(parent, x, y, name.height, tint.at(0.62, 0.16)))
    inner = row([mark, name, times(count)], 5)
    box = padded(inner, 4, 2, fill=tint.at(0.975, 0.055), stroke=tint.at(0.78, 0.09), rx=5.0)
    return stage.piece("card", id_, box)


def drop(parent: Element, x: float, y: float, height: float, fill: str) -> None:
    shape(parent, "rect", x=x, y=y, width=5.0, height=height, rx=2.0, fill=fill)


def times(count: int, of: int = 1) -> Box:
    return words(f"{TIMES}{count}", 11.5, bold=True, fill=colours.SOFT) if count > of else NOTHING


def back(width: float, height: float) -> Box:
    def draw(parent: Element, x: float, y: float) -> None:
        rim, round_ = max(1.5, width / 30), width / 10
        shape(parent, "rect", x=x, y=y, width=width, height=height, rx=round_, fill=colours.BACK_RIM, stroke=colours.LINE)
        inner: Frame = {"width": width - 2 * rim, "height": height - 2 * rim, "rx": round_ - rim / 2, "fill": colours.BACK}
        shape(parent, "rect", x=x + rim, y=y + rim, **inner)

    return Box(width, height, draw)


def backs(count: int, width: float = SLIM) -> Box:
    """A hand from behind."""
    step, shown = width * 0.55, min(count, 12)
    one = back(width, width * 1.4)

    def draw(parent: Element, x: float, y: float) -> None:
        for number in range(shown):
            one.draw(parent, x + number * step, y)

    return Box(width + step * (shown - 1), one.height, draw) if shown else NOTHING


def gap() -> Box:
    frame: Frame = {"fill": "none", "stroke": colours.LINE, "stroke_width": 2.0, "stroke_dasharray": "5 4"}
    return Box(CARD, TALL, lambda parent, x, y: void(shape(parent, "rect", x=x, y=y, width=CARD, height=TALL, rx=7.0, **frame)))


def void(_: Element) -> None:
    """What draws gives nothing."""


def counted(box: Box, count: int) -> Box:
    """With how many there are, over its upper right corner."""
    if count < 2:
        return box
    label = padded(words(str(count), 11.5, bold=True, fill=colours.RAISED), 5, 0, fill=colours.INK, rx=8.0)
    return upon(box, label, box.width - label.width + 5, -5)._replace(width=box.width, height=box.height)


# --- numbers ---------------------------------------------------------------------------------------------------------
def token(stage: Stage, seat: int, size: float = 18) -> Box:
    """The sign of a seat: its letter in its colour."""
    letter = words(letters(stage.title)[seat], size * 0.56, bold=True, fill=colours.RAISED)

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "circle", cx=x + size / 2, cy=y + size / 2, r=size / 2, fill=colours.of_seat(seat))
        letter.draw(parent, x + (size - letter.width) / 2, y + (size - letter.height) / 2)

    return Box(size, size, draw)


def amount(stage: Stage, spot: Spot, value: int, label: bool = True) -> Box:
    named = words(stage.zone(spot.zone), 12, fill=colours.SOFT) if label or not spot.icon else NOTHING
    return chip([signed(spot), named, words(str(value), 13.5, bold=True)])


def mark(stage: Stage, spot: Spot, value: object, room: float = 400) -> Box:
    """Where something is set."""
    if not is_set(stage, spot, value):
        return NOTHING
    label, values = words(stage.zone(spot.zone), 12, fill=colours.SOFT), several(value)
    if stage.of(spot.zone) == "seat":
        return chip([signed(spot), label, *tokens(stage, values)])
    if value is True:
        return chip([signed(spot), label])
    said = ", ".join(told for each in values if (told := stage.said(spot.zone, each)))
    lines = broken(said, max(90, room - label.width - 34), 12, 3, bold=True)
    return chip([signed(spot), label, column([words(line, 12, bold=True) for line in lines], 0)])


def badge(stage: Stage, spot: Spot, value: object) -> Box:
    """A mark where little room is left: a seat by its token, a colour by a spot of it."""
    if not is_set(stage, spot, value):
        return NOTHING
    if stage.of(spot.zone) == "seat":
        return row([signed(spot, 11), *tokens(stage, several(value))], 2)
    dot = swatch(stage, spot.zone, several(value)[0])
    return dot if dot.width else mark_alone(stage, spot, value)


def mark_alone(stage: Stage, spot: Spot, value: object) -> Box:
    said = ", ".join(told for each in several(value) if (told := stage.said(spot.zone, each)))
    return chip([signed(spot), words(stage.zone(spot.zone) if value is True else said, 12, bold=True, room=110)])


def is_set(stage: Stage, spot: Spot, value: object) -> bool:
    """True, or some seat, card or text."""
    values = several(value)
    return any(values) if stage.of(spot.zone) is None else any(each >= 0 for each in values)


def tokens(stage: Stage, seats: Sequence[int]) -> list[Box]:
    return [token(stage, each) for each in seats if each >= 0]


def several(value: object) -> list[int]:
    if isinstance(value, list | tuple):
        return [each for part in value for each in several(part)]
    return [int(value)] if isinstance(value, int) else []


def swatch(stage: Stage, zone: str, value: int) -> Box:
    """A spot of the colour that the value names."""
    tint = colours.NAMED.get(stage.english(zone, value))
    if tint is None:
        return NOTHING
    fill = tint.at(0.72, 0.17)
    square: Frame = {"width": 10.0, "height": 10.0, "rx": 2.5, "fill": fill, "stroke": colours.INK}
    return Box(10, 10, lambda parent, x, y: void(shape(parent, "rect", x=x, y=y, **square)))


def signed(spot: Spot, size: float = 13) -> Box:
    return sign(PATHS[spot.icon], size) if spot.icon else NOTHING


def chip(parts: list[Box]) -> Box:
    return padded(row(parts, 4), 6, 1, rx=9.0, **CHIP) if any(part.width for part in parts) else NOTHING


def die(value: int) -> Box:
    pips = PIPS[value] if 0 <= value < len(PIPS) else ""

    def draw(parent: Element, x: float, y: float) -> None:
        shape(parent, "rect", x=x, y=y, width=DIE, height=DIE, rx=9.0, fill=colours.RAISED, stroke=colours.LINE)
        for pip in map(int, pips):
            down, along = divmod(pip - 1, 3)
            shape(parent, "circle", cx=x + 11 + 11 * along, cy=y + 11 + 11 * down, r=4.5, fill=colours.INK)

    return Box(DIE, DIE, draw)


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
"""The small icons beside numbers: those of the web client (`parts/icons.tsx`), in a square of 16."""

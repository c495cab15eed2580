"""Zones in the shapes that the title declares for them, as in the web client."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import NOTHING, Box, column, flow, row, text_box
from ludarium.sharing.pictures.pieces import (
    amount,
    backs,
    badge,
    card,
    chip,
    count_label,
    die,
    empty_place,
    mark,
    name_strip,
    tokens,
    with_count,
)
from ludarium.sharing.pictures.scenes import Stage
from ludarium_engine.kernel.drawing import Spot

CARDS = ("row", "hand", "stack", "dice")


def zone(stage: Stage, spot: Spot, room: float) -> Box:
    """Return a box with a zone in the centre of the table."""
    value = stage.zones.get(spot.zone)
    if value is None or (spot.fold and spot.shape == "mark"):
        return NOTHING
    if spot.shape == "places":
        return taken_places(stage, spot, value, room)
    match stage.kinds[spot.zone]:
        case "piles":
            return titled(stage, spot, grid(stage, spot, value, room))
        case "numbers" if spot.shape == "dice":
            dice = [die(each) for each in value if each > 0]
            return titled(stage, spot, row(dice, 6)) if dice else NOTHING
        case "pile":
            return pile(stage, spot, value, room)
        case _ if spot.shape == "amount":
            return amount(stage, spot, int(value))
        case _:
            return mark(stage, spot, value)


def taken_places(stage: Stage, spot: Spot, values: Sequence[Sequence[int]], room: float) -> Box:
    """Return a box with the occupied places and their seats' tokens."""
    there = [(nth, [seat for seat, mine in enumerate(values) if nth in mine]) for nth in range(sum(spot.rows))]
    chips = [
        chip([text_box(stage.value_text(spot.zone, nth) or "", 12), *tokens(stage, seats)]) for nth, seats in there if seats
    ]
    return flow(chips, room, 6, 5)


def pile(stage: Stage, spot: Spot, cards: Sequence[int], room: float) -> Box:
    companion_cards = any(other.at == spot.zone for other in stage.title.spots)
    if spot.shape == "stack":
        return titled(stage, spot, stage.slot(spot.zone, 0, card(stage, cards[-1])), len(cards)) if cards else NOTHING
    if spot.fold or not (cards or companion_cards):
        return titled(stage, spot, text_box(str(len(cards)), 15, bold=True)) if cards else NOTHING
    laid = rows_of(spot, [card_with_companions(stage, spot, nth, each) for nth, each in enumerate(cards)], room)
    return titled(stage, spot, stage.slot(spot.zone, 0, laid)) if laid.width else NOTHING


def rows_of(spot: Spot, laid: Sequence[Box], room: float) -> Box:
    """Arrange boxes in the declared rows, or in as many rows as needed."""
    if not spot.rows or len(laid) != sum(spot.rows):
        return flow(laid, room, 7, 8)
    ordered = [laid[entry] for entry in spot.entries] if spot.entries else [*laid]
    lines = [row(ordered[sum(spot.rows[:nth]) :][:length], 8) for nth, length in enumerate(spot.rows)]
    return column(lines, 8, centred=len(set(spot.rows)) > 1)


def card_with_companions(stage: Stage, spot: Spot, nth: int, id_: int) -> Box:
    """Return a box with a card of a row, and below it the cards that belong to it."""
    upper = [name_strip(stage, each) for each in companion_cards(stage, spot.zone, nth)]
    return column([card(stage, id_), *upper], 3, centred=True)


def companion_cards(stage: Stage, zone_: str, nth: int) -> Iterator[int]:
    """Yield the cards in other zones that belong to entry `nth` of a zone."""
    for other in stage.spots(zone_):
        there = stage.zones.get(other.zone)
        entry = there[nth] if isinstance(there, list | tuple) and nth < len(there) else None
        if isinstance(entry, list | tuple) and stage.kinds[other.zone] == "piles":
            yield from entry


def stack(stage: Stage, cards: Sequence[int]) -> Box:
    return with_count(card(stage, cards[-1]), len(cards)) if cards else empty_place()


def grid(stage: Stage, spot: Spot, piles: Sequence[Sequence[int]], room: float) -> Box:
    order = [*spot.entries] or [*range(len(piles))]
    cells = [cell(stage, spot, piles[index], index) for index in order]
    lengths = spot.rows or [len(cells)]
    lines = [row(cells[sum(lengths[:nth]) :][:length], 9) for nth, length in enumerate(lengths)]
    return column(lines, 9, centred=len(set(lengths)) > 1)


def cell(stage: Stage, spot: Spot, cards: Sequence[int], index: int) -> Box:
    return column([stage.slot(spot.zone, index, stack(stage, cards)), *companions(stage, spot.zone, index)], 3, centred=True)


def companions(stage: Stage, of: str, index: int) -> Iterator[Box]:
    """Yield the boxes of other zones that belong to an entry of the zone `of`."""
    for spot in stage.spots(of):
        values = stage.zones.get(spot.zone)
        value = values[index] if isinstance(values, list | tuple) and index < len(values) else None
        if value is not None:
            yield companion(stage, spot, value, index)


def companion(stage: Stage, spot: Spot, value: Any, index: int) -> Box:
    if spot.shape == "amount":
        return amount(stage, spot, int(value), label=False) if value else NOTHING
    if spot.shape == "mark":
        return badge(stage, spot, value)
    return stage.slot(spot.zone, index, column([name_strip(stage, each, room=100) for each in value], 2, centred=True))


def titled(stage: Stage, spot: Spot, what: Box, count: int | None = None) -> Box:
    label = [text_box(stage.zone(spot.zone), 12, bold=True, fill=colours.SOFT, room=max(what.width, 150))]
    if count is not None:
        label.append(text_box(str(count), 12, fill=colours.SOFT))
    return column([row(label, 6), what], 3)


# --- at a seat --------------------------------------------------------------------------------------------------------
def cards_before_seat(stage: Stage, spot: Spot, cards: Sequence[int], seat: int, room: float, own: bool) -> Box:
    """Return a box with the cards at a seat, drawn whole at the viewer's own seat."""
    if not cards:
        return NOTHING
    hidden = all(each < 0 for each in cards)
    if own and not (spot.fold or hidden or spot.shape == "stack"):
        return titled(stage, spot, stage.slot(spot.zone, seat, flow([card(stage, each) for each in cards], room, 6, 6)))
    label = row([text_box(stage.zone(spot.zone), 12, fill=colours.SOFT, room=130), text_box(str(len(cards)), 12, bold=True)], 5)
    if spot.fold:
        return label
    if hidden:
        return row([label, stage.slot(spot.zone, seat, backs(len(cards)))], 6)
    if spot.shape == "stack":
        return row([label, stage.slot(spot.zone, seat, name_strip(stage, cards[-1]))], 6)
    return stage.slot(spot.zone, seat, flow([label, *grouped_strips(stage, cards, room)], room, 4, 4))


def grouped_strips(stage: Stage, cards: Sequence[int], room: float) -> Iterator[Box]:
    """Yield one strip with a count for each kind of card."""
    kinds = Counter(stage.cards[each].kind if each in stage.cards else "" for each in cards)
    for kind, count in kinds.items():
        first, *others = [each for each in cards if (stage.cards[each].kind if each in stage.cards else "") == kind]
        box = row([name_strip(stage, first, count if kind else 1, room - 50), NOTHING if kind else count_label(count)], 3)
        for other in others if kind else ():
            box = stage.piece("card", other, box)
        yield box

"""Zones in the shape that their spots declare, as the web client has them."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ludarium.sharing.pictures import colours
from ludarium.sharing.pictures.boxes import NOTHING, Box, column, flow, row, words
from ludarium.sharing.pictures.pieces import amount, backs, badge, card, chip, counted, die, gap, mark, strip, times, tokens
from ludarium.sharing.pictures.scenes import Stage
from ludarium_engine.kernel.drawing import Spot

CARDS = ("row", "hand", "stack", "dice")


def zone(stage: Stage, spot: Spot, room: float) -> Box:
    """In the middle of the table."""
    value = stage.zones.get(spot.zone)
    if value is None or (spot.fold and spot.shape == "mark"):
        return NOTHING
    if spot.shape == "places":
        return taken(stage, spot, value, room)
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


def taken(stage: Stage, spot: Spot, values: Sequence[Sequence[int]], room: float) -> Box:
    """The places where somebody is, and who."""
    there = [(nth, [seat for seat, mine in enumerate(values) if nth in mine]) for nth in range(sum(spot.rows))]
    chips = [chip([words(stage.said(spot.zone, nth) or "", 12), *tokens(stage, seats)]) for nth, seats in there if seats]
    return flow(chips, room, 6, 5)


def pile(stage: Stage, spot: Spot, cards: Sequence[int], room: float) -> Box:
    beside = any(other.at == spot.zone for other in stage.title.spots)
    if spot.shape == "stack":
        return titled(stage, spot, stage.slot(spot.zone, 0, card(stage, cards[-1])), len(cards)) if cards else NOTHING
    if spot.fold or not (cards or beside):
        return titled(stage, spot, words(str(len(cards)), 15, bold=True)) if cards else NOTHING
    laid = rows_of(spot, [held(stage, spot, nth, each) for nth, each in enumerate(cards)], room)
    return titled(stage, spot, stage.slot(spot.zone, 0, laid)) if laid.width else NOTHING


def rows_of(spot: Spot, laid: Sequence[Box], room: float) -> Box:
    """As the spot says, or as they fit."""
    if not spot.rows or len(laid) != sum(spot.rows):
        return flow(laid, room, 7, 8)
    ordered = [laid[entry] for entry in spot.entries] if spot.entries else [*laid]
    lines = [row(ordered[sum(spot.rows[:nth]) :][:length], 8) for nth, length in enumerate(spot.rows)]
    return column(lines, 8, centred=len(set(spot.rows)) > 1)


def held(stage: Stage, spot: Spot, nth: int, id_: int) -> Box:
    """A card of a row, over it what lies with it."""
    upper = [strip(stage, each) for each in beside(stage, spot.zone, nth)]
    return column([card(stage, id_), *upper], 3, centred=True)


def beside(stage: Stage, zone_: str, nth: int) -> Iterator[int]:
    """Cards of the zones that lie with the entry of another."""
    for other in stage.spots(zone_):
        there = stage.zones.get(other.zone)
        entry = there[nth] if isinstance(there, list | tuple) and nth < len(there) else None
        if isinstance(entry, list | tuple) and stage.kinds[other.zone] == "piles":
            yield from entry


def stack(stage: Stage, cards: Sequence[int]) -> Box:
    return counted(card(stage, cards[-1]), len(cards)) if cards else gap()


def grid(stage: Stage, spot: Spot, piles: Sequence[Sequence[int]], room: float) -> Box:
    order = [*spot.entries] or [*range(len(piles))]
    cells = [cell(stage, spot, piles[index], index) for index in order]
    lengths = spot.rows or [len(cells)]
    lines = [row(cells[sum(lengths[:nth]) :][:length], 9) for nth, length in enumerate(lengths)]
    return column(lines, 9, centred=len(set(lengths)) > 1)


def cell(stage: Stage, spot: Spot, cards: Sequence[int], index: int) -> Box:
    return column([stage.slot(spot.zone, index, stack(stage, cards)), *companions(stage, spot.zone, index)], 3, centred=True)


def companions(stage: Stage, of: str, index: int) -> Iterator[Box]:
    """The entries of other zones that lie with this one's."""
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
    return stage.slot(spot.zone, index, column([strip(stage, each, room=100) for each in value], 2, centred=True))


def titled(stage: Stage, spot: Spot, what: Box, count: int | None = None) -> Box:
    told = [words(stage.zone(spot.zone), 12, bold=True, fill=colours.SOFT, room=max(what.width, 150))]
    if count is not None:
        told.append(words(str(count), 12, fill=colours.SOFT))
    return column([row(told, 6), what], 3)


# --- before a seat ----------------------------------------------------------------------------------------------------
def before(stage: Stage, spot: Spot, cards: Sequence[int], seat: int, room: float, own: bool) -> Box:
    """What lies before a seat: its own cards as they are, others' by name."""
    if not cards:
        return NOTHING
    hidden = all(each < 0 for each in cards)
    if own and not (spot.fold or hidden or spot.shape == "stack"):
        return titled(stage, spot, stage.slot(spot.zone, seat, flow([card(stage, each) for each in cards], room, 6, 6)))
    label = row([words(stage.zone(spot.zone), 12, fill=colours.SOFT, room=130), words(str(len(cards)), 12, bold=True)], 5)
    if spot.fold:
        return label
    if hidden:
        return row([label, stage.slot(spot.zone, seat, backs(len(cards)))], 6)
    if spot.shape == "stack":
        return row([label, stage.slot(spot.zone, seat, strip(stage, cards[-1]))], 6)
    return stage.slot(spot.zone, seat, flow([label, *alike(stage, cards, room)], room, 4, 4))


def alike(stage: Stage, cards: Sequence[int], room: float) -> Iterator[Box]:
    """Those of a kind once."""
    kinds = Counter(stage.cards[each].kind if each in stage.cards else "" for each in cards)
    for kind, count in kinds.items():
        first, *others = [each for each in cards if (stage.cards[each].kind if each in stage.cards else "") == kind]
        box = row([strip(stage, first, count if kind else 1, room - 50), NOTHING if kind else times(count)], 3)
        for other in others if kind else ():
            box = stage.piece("card", other, box)
        yield box

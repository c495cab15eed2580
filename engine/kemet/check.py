"""Whether a data file that replaces ours can be played: what is wrong, and where.

What tiles and cards do is known to the rules by their ids and the names of their numbers; a replacement gives other
numbers, copies, costs, names and boards.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from engine.kernel.data import flaws, nameless, repeated, rulings_wrong, shipped, unlike
from engine.kernel.title import Flaw, Ruling

from .cards import COLOURS
from .state import KemetOptions
from .survey import boards_wrong

Row = dict[str, Any]
TOTALS = {"tiles": 48, "di_cards": 35}
LEVELS = range(1, 5)
OF_A_LEVEL = 4                                  # tiles of each colour
NUMBERS, DELTAS = range(100), range(-9, 1)       # what a number may be; one that is taken off costs
STOLEN = range(-1, 1)                           # nobody has less than no prayer points
FREE_WORDS = ("colour", "confidence")           # all other words are names that the rules know
DISTRICTS_FOUNDED = 2                           # at least, by whoever founds 2/1/0


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file."""

    name: dict[str, str]
    constants: dict[str, int]
    boxes: list[Row]
    tiles: list[Row]
    creatures: list[Row]
    battle_cards: list[Row]
    special_battle_cards: list[Row]
    di_cards: list[Row]
    boards: dict[str, msgspec.Raw]
    rulings: list[Ruling]


def check_data(data: bytes) -> list[Flaw]:
    """Everything that is wrong with a data file, remarks included."""
    return flaws(data, File, wrong)


def wrong(found: File) -> Iterator[Flaw]:
    ours = msgspec.json.decode(shipped(__package__), type=File)
    rows = [flaw for at in ROWS for flaw in rows_wrong(f"/{at}", getattr(found, at), getattr(ours, at))]
    yield from nameless("", found.name)
    yield from constants_wrong(found.constants, ours.constants)
    yield from boxes_wrong(found, ours)
    yield from rows or totals(found)
    yield from boards_wrong({key: bytes(raw) for key, raw in found.boards.items()})
    yield from rulings_wrong(found.rulings, KemetOptions)


ROWS = ("tiles", "creatures", "battle_cards", "special_battle_cards", "di_cards")


# --- constants, and the board of actions --------------------------------------------------------------------------------
def constants_wrong(given: Mapping[str, int], ours: Mapping[str, int]) -> Iterator[Flaw]:
    unfit = [*unlike("/constants", given, ours), *numbers_wrong("/constants", given)]
    yield from unfit or sums_wrong(given)


def sums_wrong(given: Mapping[str, int]) -> Iterator[Flaw]:
    if given["start_units"] + given["start_reserve"] != given["units_per_player"]:
        yield Flaw("/constants/units_per_player", "is not those that start on the board and those in reserve")
    if given["start_units"] > DISTRICTS_FOUNDED * given["troop_limit"]:
        yield Flaw("/constants/start_units", f"do not fit into {DISTRICTS_FOUNDED} districts")
    if given["start_pp"] > given["max_pp"]:
        yield Flaw("/constants/start_pp", f"more than {given['max_pp']}")
    if given["pyramid_max_level"] != LEVELS[-1] or given["beginner_pyramid_max"] not in LEVELS[1:]:
        yield Flaw("/constants/pyramid_max_level", "levels go from 1 to 4, for beginners to 2 at least")
    for name, value in given.items():
        if value < 1:
            yield Flaw(f"/constants/{name}", "at least 1")


def boxes_wrong(found: File, ours: File) -> Iterator[Flaw]:
    """The texts and the rules know the boxes by their places; each row must be coverable."""
    if found.boxes != ours.boxes:
        yield Flaw("/boxes", "the boxes of actions are part of the rules")
    rows = {box["row"] for box in ours.boxes}
    if not len(rows) <= found.constants.get("action_tokens", 0) <= len(ours.boxes):
        yield Flaw("/constants/action_tokens", f"{len(rows)} to {len(ours.boxes)} can be placed")


# --- cards and tiles ----------------------------------------------------------------------------------------------------
def rows_wrong(at: str, rows: list[Row], ours: list[Row]) -> Iterator[Flaw]:
    own, ids = {row["id"]: row for row in ours}, [str(row.get("id")) for row in rows]
    yield from repeated(at, ids)
    yield from (Flaw(at, f"{name} is missing") for name in own if name not in ids)
    for i, (name, row) in enumerate(zip(ids, rows, strict=True)):
        if name in own:
            yield from row_wrong(f"{at}/{i}", row, own[name])
        else:
            yield Flaw(f"{at}/{i}/id", f"the rules know no {name}")
    if sorted(ids) == sorted(own) and ids != [*own]:
        yield Flaw(at, "texts name them by their place: the order is part of the rules")


def row_wrong(at: str, row: Row, ours: Row) -> Iterator[Flaw]:
    unfit = [*unlike(at, row, ours), *(unlike(f"{at}/params", row["params"], ours["params"]) if has_params(row) else ())]
    if unfit:
        yield from unfit
        return
    if not isinstance(row["name"].get("en"), str) or not all(isinstance(name, str) for name in row["name"].values()):
        yield Flaw(f"{at}/name", "names by locale, an English one among them")
    yield from fields_wrong(at, row, ours)
    yield from fields_wrong(f"{at}/params", row.get("params", {}), ours.get("params", {}))


def has_params(row: Row) -> bool:
    return isinstance(row.get("params"), dict)


def fields_wrong(at: str, row: Row, ours: Row) -> Iterator[Flaw]:
    yield from numbers_wrong(at, row)
    for key, value in row.items():
        if isinstance(value, str | bool | list) and value != ours[key] and key not in (*FREE_WORDS, "house"):
            yield Flaw(f"{at}/{key}", f"the rules know it as {ours[key]}")


def numbers_wrong(at: str, row: Mapping[str, Any]) -> Iterator[Flaw]:
    for key, value in row.items():
        allowed = DELTAS if key.endswith("_delta") else STOLEN if key == "opponents_pp" else NUMBERS
        if isinstance(value, int) and value not in allowed:
            yield Flaw(f"{at}/{key}", f"{value} is not between {allowed[0]} and {allowed[-1]}")


def totals(found: File) -> Iterator[Flaw]:
    """48 tiles, four of each colour and level; 35 intervention cards."""
    for name, wanted in TOTALS.items():
        n = sum(row["copies"] for row in getattr(found, name))
        if n != wanted:
            yield Flaw(f"/{name}", f"{n} pieces, not {wanted}")
    for at, rows in (("/tiles", found.tiles), ("/di_cards", found.di_cards)):
        for i, row in enumerate(rows):
            if row["copies"] < 1:
                yield Flaw(f"{at}/{i}/copies", "at least one")
    kinds = Counter((row["colour"], row["level"]) for row in found.tiles for _ in range(row["copies"]))
    if kinds != {(colour, level): OF_A_LEVEL for colour in COLOURS for level in LEVELS}:
        yield Flaw("/tiles", f"{OF_A_LEVEL} of each colour and level from 1 to 4 are wanted")

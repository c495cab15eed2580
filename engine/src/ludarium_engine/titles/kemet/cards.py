"""Cards and constants of Kemet.

Ids are assigned to intervention cards, each seat's six battle cards, the two special battle cards, power tiles and creatures,
in this order.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.folder import data_of
from ludarium_engine.kernel.title import Card

from .data_file import File

DATA = data_of(__package__)
FACTS = json_decoder(File)(DATA)
RULES: dict[str, int] = msgspec.to_builtins(FACTS.constants)
MOST_SEATS = 5
MOST_PP = RULES["max_pp"]
UNITS = RULES["units_per_player"]
TOKENS = RULES["action_tokens"]
COLOURS = ("white", "red", "blue")
WHITE, RED, BLUE = range(3)
Row = dict[str, Any]


def printed(rows: Sequence[object]) -> list[Row]:
    """Return the data of each card, repeating rows that have several copies."""
    return [row for row in map(msgspec.to_builtins, rows) for _ in range(row.get("copies", 1))]


DI_ROWS = printed(FACTS.di_cards)
BATTLE_ROWS = printed(FACTS.battle_cards) * MOST_SEATS + printed(FACTS.special_battle_cards)
TILE_ROWS = printed(FACTS.tiles)
CREATURE_ROWS = printed(FACTS.creatures)
ROWS = [*DI_ROWS, *BATTLE_ROWS, *TILE_ROWS, *CREATURE_ROWS]
ID = [str(row["id"]) for row in ROWS]

HAND = len(FACTS.battle_cards)
DI = range(len(DI_ROWS))
BATTLE = range(DI.stop, DI.stop + HAND * MOST_SEATS)
SPECIALS = range(BATTLE.stop, BATTLE.stop + len(FACTS.special_battle_cards))
TILES = range(SPECIALS.stop, SPECIALS.stop + len(TILE_ROWS))
CREATURES = range(TILES.stop, TILES.stop + len(CREATURE_ROWS))

COLOUR = {tile: COLOURS.index(ROWS[tile]["colour"]) for tile in TILES}
LEVEL = {tile: int(ROWS[tile]["level"]) for tile in TILES}
NAME = {tile: str(ROWS[tile]["name"]["en"]) for tile in TILES}
PARAMS: list[dict[str, Any]] = [row.get("params", row) for row in ROWS]
COST = [int(ROWS[card]["cost"]) for card in DI]
WHEN = [str(ROWS[card]["when"]) for card in DI]
COPIES = {card.id: card.copies for card in FACTS.di_cards}

BOXES = [str(box.action) for box in FACTS.boxes]
BOX_ROW = [int(box.row) for box in FACTS.boxes]


def battle_cards(seat: int) -> list[int]:
    """Return the six battle cards with which a seat begins."""
    first = BATTLE.start + HAND * seat
    return [*range(first, first + HAND)]


def back(card: int) -> int:
    """Return the number of a card's back; hidden cards with the same back look alike.

    All intervention cards have the same back, and so do the battle cards of each seat. Other cards are always face up.
    """
    if card in DI:
        return 0
    return 1 + (card - BATTLE.start) // HAND if card in BATTLE else -card


def card_of(name: str, nth: int = 0) -> int:
    """Return a copy of the card with this id in the data file, as in `card_of("veto", 1)`.

    Args:
        name: the id in the data file.
        nth: the index of the copy, counting from 0.
    """
    return [card for card, found in enumerate(ID) if found == name][nth]


def kind_of(card: int) -> str:
    kinds = {"intervention": DI, "battle": range(BATTLE.start, SPECIALS.stop), "tile": TILES, "creature": CREATURES}
    return next(kind for kind, cards in kinds.items() if card in cards)


def described(card: int) -> Card:
    row = ROWS[card]
    printed = {key: value for key, value in row.items() if isinstance(value, int | str) and key not in ("id", "name", "house")}
    effects = {key: int(value) if isinstance(value, bool) else value for key, value in row.get("params", {}).items()}
    facts: dict[str, Any] = {"kind": kind_of(card), "of": row["id"], **printed, **effects}
    facts = {key: int(v) if isinstance(v, bool) else v for key, v in facts.items()}
    return Card(card, row["id"], facts, house=["copies"] if row.get("house") else [])


CARDS = tuple(described(card) for card in range(len(ROWS)))

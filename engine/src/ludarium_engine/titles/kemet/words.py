"""Texts from the data file, and texts composed from the numbers on cards."""
from __future__ import annotations

from ludarium_engine.kernel.folder import Catalogue, Words, printed_on, printed_rulings, texts_of
from ludarium_engine.kernel.house_values import house_texts

from . import cards
from .board import DRAWINGS
from .cards import BATTLE_ROWS, CREATURE_ROWS, FACTS


def spaces() -> dict[str, Words]:
    return {f"space.{space.id}": space.name for board in FACTS.boards.values() for space in board.spaces}


CARDS = (*FACTS.di_cards, *FACTS.battle_cards, *FACTS.special_battle_cards, *FACTS.tiles, *FACTS.creatures)
PRINTED = {"name": FACTS.name, **printed_on(CARDS), **spaces(), **printed_rulings(FACTS)}


def numbers(texts: Catalogue) -> Catalogue:
    """Return the texts of battle cards and creatures."""
    battle = {f"card.{row['id']}.text": texts["made.battle"].format(**row) for row in BATTLE_ROWS}
    creatures = {
        f"card.{row['id']}.text": texts["made.creature"].format(**row) + special(texts, row["special"])
        for row in CREATURE_ROWS
    }
    return battle | creatures


def special(texts: Catalogue, power: str | None) -> str:
    return f" {texts[f'made.{power}']}" if power else ""


def boxes(texts: Catalogue) -> Catalogue:
    """Return the full and the short names of the boxes on the action board."""
    told = {f"box.{i}": texts[f"made.box.{box.id}"] for i, box in enumerate(FACTS.boxes)}
    return told | {f"short.box.{i}": texts[f"made.short.{box.id}"] for i, box in enumerate(FACTS.boxes)}


TEXTS = texts_of(__package__, PRINTED, numbers, boxes, house_texts(cards.CARDS, boards=DRAWINGS))

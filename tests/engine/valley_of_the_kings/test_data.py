"""Replacement data for Valley of the Kings, with permitted changes and errors."""
from __future__ import annotations

import json
from typing import Any

import pytest

from ludarium_engine.titles.valley_of_the_kings import TITLE
from tests.engine.data import plays


def test_counts_numbers_names_and_orders_are_free(seed: int) -> None:
    def change(file: dict[str, Any]) -> None:
        file["sets"].reverse()
        file["cards"][3].update(gold=9, copies=2)
        file.update(hand=4)

    assert plays("valley-of-the-kings", change, seed)


CARDS = {row["id"]: row for row in json.loads(TITLE.data)["cards"]}


@pytest.mark.parametrize(
    ("card", "field", "value"),
    [("tyet_amulet", "gold", 2), ("book_netherworld", "gold", 3), ("statue_bastet", "cost", 4), ("menial", "points", 1)],
)
def test_numbers_that_a_source_has_are_printed(card: str, field: str, value: int) -> None:
    assert CARDS[card][field] == value and field not in CARDS[card]["house"]


def test_names_that_the_designer_has_are_printed() -> None:
    named = {"Linen Bandages", "Brain Hook", "Ring", "Bracelet", "Burial Chamber", "Serdab", "Offering Chapel", "Spear", "Bow"}
    sets = [row for row in CARDS.values() if row["edition"] == "afterlife" and row["type"] == "set"]
    assert {row["name"]["en"] for row in sets if "name" not in row["house"]} == named


def test_what_no_source_has_is_our_own() -> None:
    assert all("effect" in row["house"] for row in CARDS.values() if row["edition"] != "base" and row["type"] != "set")
    expansions = [row for row in CARDS.values() if row["edition"] != "base"]
    assert all("copies" in row["house"] for row in expansions if row["type"] in ("set", "unique"))
    assert all({"gold", "cost"} <= {*row["house"]} for row in expansions if row["type"] != "pharaoh")
    assert all("edition" in CARDS[card]["house"] for card in ("astrologer", "calcite_cup"))
    assert all("set" in CARDS[card]["house"] for card in ("carpenter", "stonemason", "engineer", "architect", "scribe"))

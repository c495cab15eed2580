"""Other data for Valley of the Kings: what may be changed, and what is told of files that do not fit."""
from __future__ import annotations

from typing import Any

from tests.engine.data import plays


def test_counts_numbers_names_and_orders_are_free(seed: int) -> None:
    def change(file: dict[str, Any]) -> None:
        file["sets"].reverse()
        file["cards"][3].update(gold=9, copies=2)
        file.update(hand=4)

    assert plays("valley-of-the-kings", change, seed)

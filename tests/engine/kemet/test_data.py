"""Replacement data for Kemet, with permitted changes and error messages."""
from __future__ import annotations

from typing import Any

import pytest

from tests.engine.data import Change, found, plays


def test_counts_numbers_names_and_orders_are_free(seed: int) -> None:
    def change(file: dict[str, Any]) -> None:
        file["tiles"].reverse()
        file["boxes"].reverse()
        file["di_cards"][0].update(copies=9)

    assert plays("kemet", change, seed)


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["constants"].pop("night_pp"), "/constants", "night_pp"),
    (lambda f: f["constants"].update(troop_limit=4), "", "seats, seed 0, event "),
    (lambda f: f["tiles"][0].update(id="w1_prophet"), "/tiles", "w1_priest is missing"),
    (lambda f: f["tiles"][0]["params"].update(luck=1), "/tiles/0/params", "unknown field `luck`"),
    (lambda f: f["tiles"][1]["params"].update(tile_cost_delta=1), "/tiles/1/params/tile_cost_delta", "<= 0"),
    (lambda f: f["creatures"].pop(0), "/creatures", "royal_scarab is missing"),
    (lambda f: f["tiles"][21]["params"].update(creature="cat"), "/tiles/21/params", "no creature or special battle card cat"),
    (lambda f: f["di_cards"][0].update(when="night"), "/di_cards/0/when", "night"),
    (lambda f: f["boards"]["3"].update(seats=2), "/boards/3/seats", "not the one for 3"),
])  # fmt: skip
def test_what_does_not_fit_is_named(change: Change, pointer: str, said: str) -> None:
    assert said in found("kemet", change)[pointer]

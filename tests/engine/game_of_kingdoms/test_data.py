"""Replacement data for Game of Kingdoms, with permitted changes and errors."""
from __future__ import annotations

from typing import Any

import pytest

from tests.engine.data import Change, found, plays


def test_counts_numbers_names_and_orders_are_free(seed: int) -> None:
    def change(file: dict[str, Any]) -> None:
        file.update(hand=5, seats=[2, 4])
        file["ranks"].pop()
        file["colours"].reverse()

    assert plays("game-of-kingdoms", change, seed)


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f.update(hand=9), "", "seats, seed 0, event 0: "),
    (lambda f: f.update(seats=[5, 3]), "", "no variant can be played"),
    (lambda f: f["colours"][1].update(id="red"), "/colours/1/id", "red stands here 2 times"),
    (lambda f: f["ranks"][3]["name"].pop("en"), "/ranks/3/name", "no English name"),
    (lambda f: f["rulings"][0].update(option="chess"), "/rulings/0/option", "no option chess"),
    (lambda f: f.update(name={}), "", "no English text name"),
])  # fmt: skip
def test_what_does_not_fit_is_named(change: Change, pointer: str, said: str) -> None:
    assert said in found("game-of-kingdoms", change)[pointer]

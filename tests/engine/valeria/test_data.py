"""Replacement data for Valeria, with permitted changes and error messages."""
from __future__ import annotations

from typing import Any

import pytest

from tests.engine.data import Change, found, plays


def test_counts_numbers_names_and_orders_are_free(seed: int) -> None:
    def change(file: dict[str, Any]) -> None:
        file["areas"].reverse()
        file["monsters"].reverse()
        file["dukes"].pop()
        file["citizens"][0].update(copies=7)

    assert plays("valeria", change, seed)


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["citizens"][0].update(gold=-1), "/citizens/0/gold", ">= 0"),
    (lambda f: f["citizens"][0].update(id="clerk"), "/citizens", "is missing"),
    (lambda f: f["citizens"][0].update(role="king"), "/citizens/0/role", "matching regex"),
    (lambda f: f["citizens"][0]["off_turn"].update(take={"gold": 1}), "/citizens/0", "own turn"),
    (lambda f: f["citizens"][0]["on_turn"]["gain"].update(vp=1), "/citizens/0", "neither points"),
    (lambda f: f["stacks"].pop(), "/stacks", "length >= 10"),
    (lambda f: f["start"].update(strength=1), "/start", "unknown field"),
    (lambda f: f["monsters"][0].update(area="sea"), "", "sea"),
    (lambda f: f["monsters"][0].update(reward={"each": {"gold": 1}}), "/monsters/0/reward", "what `each` counts"),
    (lambda f: f["monsters"][0]["reward"].update(pay={"gold": 1}, take={"gold": 1}), "/monsters/0/reward", "only one of"),
    (lambda f: f["monsters"][0]["reward"].update(choose=[{"gain": {"gold": 1, "magic": 1}}]), "/monsters/0/reward", "one cho"),
    (lambda f: f["domains"][0].update(start={"pay": {"gold": 1}}), "/domains/0", "tokens and nothing else"),
    (lambda f: f["domains"].pop(), "/domains", "is missing"),
    (lambda f: f["setups"][0].update(citizens=["king"]), "", "no area, citizen or domain king"),
])  # fmt: skip
def test_what_does_not_fit_is_named(change: Change, pointer: str, said: str) -> None:
    assert said in found("valeria", change)[pointer]

"""The shipped boards, and the conditions that replacement boards must meet."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ludarium_engine.data_errors import data_problems
from ludarium_engine.kernel.title import Board, DataProblem
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.board import BOARDS, DRAWINGS
from ludarium_engine.titles.kemet.cards import CARDS, DATA

Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> list[DataProblem]:
    facts = json.loads(DATA)
    change(facts)
    return [problem for problem in data_problems(TITLE, json.dumps(facts).encode()) if not problem.remark]


def board(facts: dict[str, Any], seats: str = "2") -> dict[str, Any]:
    found: dict[str, Any] = facts["boards"][seats]
    return found


def test_what_ships_has_only_remarks_on_the_differences_between_banks() -> None:
    found = data_problems(TITLE, DATA)
    assert all(problem.remark for problem in found)
    assert {problem.pointer for problem in found} <= {"/boards/4/cities", "/boards/5/cities"}


@pytest.mark.parametrize("seats, spaces, temples", [(2, 13, 3), (3, 18, 4), (4, 26, 5), (5, 31, 6)])
def test_boards_grow_with_the_seats(seats: int, spaces: int, temples: int) -> None:
    found = BOARDS[str(seats)]
    assert (found.size, len(found.temples), found.cities) == (spaces, temples, seats)


def test_no_two_spaces_are_drawn_in_one_place() -> None:
    for found in json.loads(DATA)["boards"].values():
        spots = [(space["x"], space["y"]) for space in found["spaces"]]
        assert len(set(spots)) == len(spots)


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda drawing: f"{drawing.seats}-{len(drawing.spaces)}")
def test_every_space_lies_on_one_land_and_every_district_within_its_citys_walls(drawing: Board) -> None:
    lands = Counter(space for area in drawing.areas if area.kind == "land" for space in area.spaces)
    assert lands == Counter(range(len(drawing.spaces)))
    walls = sorted(area.spaces for area in drawing.areas if area.kind == "walls")
    assert [area.name for area in drawing.areas if area.kind == "walls"] == [f"city.{i}" for i in range(drawing.seats)]
    assert walls == sorted(BOARDS[str(drawing.seats)].districts) and len(walls) == drawing.seats


def test_the_pieces_are_those_of_the_box() -> None:
    kinds = Counter(card.facts["kind"] for card in CARDS)
    assert kinds == {"tile": 48, "intervention": 35, "creature": 7, "battle": 32}


@pytest.mark.parametrize("change, pointer", [
    (lambda f: board(f)["edges"][0].update(a="NOWHERE"), "/boards/2/edges/0/a"),
    (lambda f: board(f)["edges"][0].update(a="W_OBELISK", b="W_OBELISK"), "/boards/2/edges/0"),
    (lambda f: board(f)["spaces"][1].update(id="W_OBELISK"), "/boards/2/spaces/0/id"),
    (lambda f: board(f)["spaces"][1].update(obelisk=False), "/boards/2/spaces/1/obelisk"),
    (lambda f: board(f)["spaces"][1].pop("temple"), "/boards/2/spaces/1/temple"),
    (lambda f: board(f)["spaces"][5].update(city="Z"), "/boards/2/spaces/5/city"),
    (lambda f: board(f)["spaces"][5].update(kind="desert", city=None), "/boards/2/cities/0"),
    (lambda f: board(f)["cities"].pop(), "/boards/2/spaces/9/city"),
    (lambda f: board(f)["spaces"][0].update(x=101), "/boards/*/spaces/0/x"),
    (lambda f: f["boards"].pop("3"), "/boards"),
    (lambda f: f["tiles"].pop(), "/tiles"),
    (lambda f: f["di_cards"][0].update(copies=0), "/di_cards/0/copies"),
])  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(change: Change, pointer: str) -> None:
    assert pointer in [problem.pointer for problem in changed(change)]


def test_a_space_that_nobody_can_reach_is_refused() -> None:
    lonely = {"id": "LAKE", "name": {"en": "Lake"}, "kind": "desert", "bank": "w", "x": 1, "y": 1, "obelisk": False}
    assert [p.pointer for p in changed(lambda f: board(f)["spaces"].append(lonely))] == ["/boards/2/spaces/13"] * 2


def test_a_city_farther_from_the_temples_than_its_neighbour_is_refused() -> None:
    def moved_away(facts: dict[str, Any]) -> None:
        edges = board(facts)["edges"]
        edges.remove(next(edge for edge in edges if {edge["a"], edge["b"]} == {"B_front", "T_SMALL_W"}))
    assert [problem.pointer for problem in changed(moved_away)] == ["/boards/2/cities/1"]

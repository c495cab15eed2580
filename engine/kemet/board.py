"""The map of a table: spaces by number, what lies beside what, and where one may teleport to. All of it is data."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kemet.cards import FACTS


class Board:
    """Spaces are numbered in the order of the data; seats own cities, and cities have three districts."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        spaces: Sequence[Mapping[str, Any]] = data["spaces"]
        self.ids = [str(space["id"]) for space in spaces]
        self.size = len(spaces)
        self.cities = len(data["cities"])
        self.beside = neighbours(self.ids, data["edges"])
        self.obelisks = [i for i, space in enumerate(spaces) if space["obelisk"]]
        self.districts = [[i for i, s in enumerate(spaces) if s.get("city") == city] for city in data["cities"]]
        self.walled = [space["kind"] == "district" for space in spaces]
        self.temples = {i: temple_of(space) for i, space in enumerate(spaces) if space["kind"] == "temple"}
        self.sanctuary = next((i for i, space in enumerate(spaces) if space["kind"] == "sanctuary"), -1)

    def space(self, name: str) -> int:
        return self.ids.index(name)


def neighbours(ids: Sequence[str], edges: Sequence[Mapping[str, str]]) -> list[list[int]]:
    """Land and harbours alike: crossing the Nile costs one step."""
    beside: list[list[int]] = [[] for _ in ids]
    for edge in edges:
        a, b = ids.index(edge["a"]), ids.index(edge["b"])
        beside[a].append(b)
        beside[b].append(a)
    return beside


def temple_of(space: Mapping[str, Any]) -> tuple[int, int]:
    """Its prayer points, and how many units it asks for them."""
    return space["temple"]["pp"], space["temple"]["sacrifice"]


BOARDS = {key: Board(data) for key, data in FACTS["boards"].items()}


def board_for(seats: int, sanctuary: bool) -> Board:
    """sanctuary: whether a small board has it, too; large ones always do."""
    key = f"{seats}+sanctuary"
    return BOARDS[key] if sanctuary and key in BOARDS else BOARDS[str(seats)]

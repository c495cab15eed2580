"""The map of a table: spaces by number, what lies beside what, and where one may teleport to. All of it is data."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.kernel.title import Board as Drawing
from engine.kernel.title import Edge, Space

from .cards import FACTS


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


WITH_SANCTUARY = "+sanctuary"                 # the small boards of the option
NOT_FACTS = ("id", "name", "x", "y", "temple", "sanctuary")
BOARDS = {key: Board(data) for key, data in FACTS["boards"].items()}


def board_for(seats: int, sanctuary: bool) -> Board:
    """sanctuary: whether a small board has it, too; large ones always do."""
    key = f"{seats}{WITH_SANCTUARY}"
    return BOARDS[key] if sanctuary and key in BOARDS else BOARDS[str(seats)]


# --- for clients that draw it -------------------------------------------------------------------------------------------
def drawn(key: str, data: Mapping[str, Any]) -> Drawing:
    """A board as the ruleset publishes it."""
    ids, optional = BOARDS[key].ids, key.endswith(WITH_SANCTUARY)
    options = {"sanctuary_small_boards": optional} if f"{data['seats']}{WITH_SANCTUARY}" in BOARDS else {}
    edges = [Edge(ids.index(edge["a"]), ids.index(edge["b"]), edge["kind"]) for edge in data["edges"]]
    return Drawing(data["seats"], options, "units", [space_of(space) for space in data["spaces"]], edges)


def space_of(space: Mapping[str, Any]) -> Space:
    plain = {key: int(v) if isinstance(v, bool) else v for key, v in space.items() if key not in NOT_FACTS and v is not None}
    inner = {**(space.get("temple") or {}), **(space.get("sanctuary") or {})}
    return Space(space["id"], space["x"], space["y"], {**plain, **inner})


DRAWINGS = [drawn(key, data) for key, data in FACTS["boards"].items()]

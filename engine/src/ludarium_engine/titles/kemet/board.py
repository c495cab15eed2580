"""Read the boards from the data file, and number their spaces."""
from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from ludarium_engine.kernel.title import Area, Edge, Space
from ludarium_engine.kernel.title import Board as Drawing

from . import data_file
from .cards import FACTS


class Board:
    """A board whose spaces are numbered in the order of the data file."""

    def __init__(self, data: data_file.Map) -> None:
        self.ids = [space.id for space in data.spaces]
        self.size = len(data.spaces)
        self.cities = len(data.cities)
        self.beside = neighbours(self.ids, data.edges)
        self.obelisks = [i for i, space in enumerate(data.spaces) if space.obelisk]
        self.districts = [[i for i, space in enumerate(data.spaces) if space.city == city] for city in data.cities]
        self.walled = [space.kind == "district" for space in data.spaces]
        # space -> (prayer points, units to sacrifice for them)
        self.temples = {i: (space.temple.pp, space.temple.sacrifice) for i, space in enumerate(data.spaces) if space.temple}
        self.sanctuary = next((i for i, space in enumerate(data.spaces) if space.kind == "sanctuary"), -1)

    def space(self, name: str) -> int:
        return self.ids.index(name)


def neighbours(ids: Sequence[str], edges: Sequence[data_file.Edge]) -> list[list[int]]:
    """Return the neighbours of each space, connected by land or by harbours."""
    beside: list[list[int]] = [[] for _ in ids]
    for edge in edges:
        a, b = ids.index(edge.a), ids.index(edge.b)
        beside[a].append(b)
        beside[b].append(a)
    return beside


WITH_SANCTUARY = "+sanctuary"                 # suffix of the keys of small boards with the Sanctuary
BOARDS = {key: Board(data) for key, data in FACTS.boards.items()}


def board_for(seats: int, sanctuary: bool) -> Board:
    """Return the board for a number of seats.

    Args:
        seats: the number of seats.
        sanctuary: whether to choose the small board with the Sanctuary. Large boards always have the Sanctuary.
    """
    key = f"{seats}{WITH_SANCTUARY}"
    return BOARDS[key] if sanctuary and key in BOARDS else BOARDS[str(seats)]


# --- drawings for clients -----------------------------------------------------------------------------------------------
def drawn(key: str, data: data_file.Map) -> Drawing:
    """Return a board in the form that is published in the ruleset."""
    ids, optional = BOARDS[key].ids, key.endswith(WITH_SANCTUARY)
    options = {"sanctuary_small_boards": optional} if f"{data.seats}{WITH_SANCTUARY}" in BOARDS else {}
    edges = [Edge(ids.index(edge.a), ids.index(edge.b), edge.kind) for edge in data.edges]
    spaces = [space_of(space) for space in data.spaces]
    return Drawing(data.seats, options, "units", spaces, edges, areas(data), data.house)


def areas(data: data_file.Map) -> list[Area]:
    """Return the areas to draw, i.e. the banks of the Nile, islands and city walls."""
    isles = [i for i, space in enumerate(data.spaces) if space.kind == "sanctuary" or space.bank == "delta"]
    banks = dict.fromkeys(space.bank for i, space in enumerate(data.spaces) if i not in isles)
    lands = [[i for i, space in enumerate(data.spaces) if space.bank == bank and i not in isles] for bank in banks]
    cities = [[i for i, space in enumerate(data.spaces) if space.city == city] for city in data.cities]
    land = [Area("land", spaces) for spaces in (*lands, *([isle] for isle in isles))]
    return [*land, *(Area("walls", spaces, f"city.{i}") for i, spaces in enumerate(cities))]


def space_of(space: data_file.Space) -> Space:
    city = {"city": space.city} if space.city else {}
    inner = next((asdict(one) for one in (space.temple, space.sanctuary) if one), {})
    facts = {"kind": space.kind, "bank": space.bank, "obelisk": int(space.obelisk), **city, **inner}
    return Space(space.id, space.x, space.y, facts)


DRAWINGS = [drawn(key, data) for key, data in FACTS.boards.items()]

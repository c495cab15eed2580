"""Check data files, above all that boards are fair to all cities on the same bank.

Since maps are data, the built-in map can be replaced without changing code.
"""
from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from ludarium_engine.kernel.title import DataProblem

from .board import WITH_SANCTUARY
from .data_file import File, Map

DISTRICTS = 3                                   # of each city
LEAST_TEMPLES = 2                               # so that one player can hold two
UNREACHED = 99                                  # distance if there is no way on foot


def wrong(file: File) -> Iterator[DataProblem]:
    """Yield the problems in a data file, such as unknown names and missing boards."""
    ids = {card.id for card in (*file.creatures, *file.special_battle_cards)}
    for i, tile in enumerate(file.tiles):
        for name in {tile.params.creature, tile.params.special_battle_card} - {UNSET, *ids}:
            yield DataProblem(f"/tiles/{i}/params", f"there is no creature or special battle card {name}")
    yield from (DataProblem("/boards", f"no board for {n} seats") for n in range(2, 6) if str(n) not in file.boards)
    for key, board in file.boards.items():
        yield from board_errors(f"/boards/{key}", key, board)


def board_errors(at: str, key: str, board: Map) -> list[DataProblem]:
    if key.removesuffix(WITH_SANCTUARY) != str(board.seats):
        return [DataProblem(f"{at}/seats", f"a board for {board.seats} seats is not the one for {key}")]
    named = [*name_errors(at, board)]
    checks = city_errors, sacred_space_errors, connection_errors, fairness_errors
    return named or [error for check in checks for error in check(at, board)]


def name_errors(at: str, board: Map) -> Iterator[DataProblem]:
    """Check that ids are unique and that edges and cities name existing spaces.

    Other checks depend on this one.
    """
    ids = Counter(space.id for space in board.spaces)
    for i, space in enumerate(board.spaces):
        if ids[space.id] > 1:
            yield DataProblem(f"{at}/spaces/{i}/id", f"{space.id} is named twice")
        if (space.kind == "district") != (space.city in board.cities and space.city is not None):
            yield DataProblem(f"{at}/spaces/{i}/city", "districts, and only they, belong to a city of the board")
    for i, edge in enumerate(board.edges):
        for end in ("a", "b"):
            if getattr(edge, end) not in ids:
                yield DataProblem(f"{at}/edges/{i}/{end}", f"{getattr(edge, end)} is no space")
        if edge.a == edge.b:
            yield DataProblem(f"{at}/edges/{i}", "leads nowhere")


def city_errors(at: str, board: Map) -> Iterator[DataProblem]:
    if len(set(board.cities)) != board.seats:
        yield DataProblem(f"{at}/cities", f"{len(set(board.cities))} cities for {board.seats} seats")
    for i, city in enumerate(board.cities):
        n = sum(space.city == city for space in board.spaces)
        if n != DISTRICTS:
            yield DataProblem(f"{at}/cities/{i}", f"{city} has {n} districts, not {DISTRICTS}")


def sacred_space_errors(at: str, board: Map) -> Iterator[DataProblem]:
    """Check the temples and the Sanctuary for their number, values and obelisks."""
    for i, space in enumerate(board.spaces):
        if (space.kind == "temple") != (space.temple is not None):
            yield DataProblem(f"{at}/spaces/{i}/temple", "temples, and only they, say what they pay")
        if (space.kind == "sanctuary") != (space.sanctuary is not None):
            yield DataProblem(f"{at}/spaces/{i}/sanctuary", "the Sanctuary, and only it, says what it gives")
        if space.kind in ("temple", "sanctuary") and not space.obelisk:
            yield DataProblem(f"{at}/spaces/{i}/obelisk", "every temple and the Sanctuary have one")
    kinds = Counter(space.kind for space in board.spaces)
    if kinds["temple"] < LEAST_TEMPLES:
        yield DataProblem(f"{at}/spaces", f"fewer than {LEAST_TEMPLES} temples")
    if kinds["sanctuary"] > 1:
        yield DataProblem(f"{at}/spaces", "more than one Sanctuary")


# --- ways -------------------------------------------------------------------------------------------------------------
def neighbours(board: Map) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {space.id: [] for space in board.spaces}
    for edge in board.edges:
        found[edge.a].append(edge.b)
        found[edge.b].append(edge.a)
    return found


def distances(ways: Mapping[str, Sequence[str]], starts: Sequence[str]) -> dict[str, int]:
    found, queue = dict.fromkeys(starts, 0), deque(starts)
    while queue:
        here = queue.popleft()
        for there in ways[here]:
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def connection_errors(at: str, board: Map) -> Iterator[DataProblem]:
    """Check that every space is reachable on foot from each city or from an obelisk."""
    ways, obelisks = neighbours(board), [space.id for space in board.spaces if space.obelisk]
    for city in board.cities:
        reached = distances(ways, [*districts(board, city), *obelisks])
        for i, space in enumerate(board.spaces):
            if space.id not in reached:
                yield DataProblem(f"{at}/spaces/{i}", f"{space.id} is not reached from city {city}")


def districts(board: Map, city: str) -> list[str]:
    return [space.id for space in board.spaces if space.city == city]


def fairness_errors(at: str, board: Map) -> Iterator[DataProblem]:
    """Check that cities on the same bank have equal distances to temples.

    Distances to the Sanctuary are included. Differences between banks are reported as remarks only.
    """
    seen = {city: view_of(board, city) for city in board.cities}
    banks = {city: bank_of(board, city) for city in board.cities}
    first_of: dict[str, str] = {}
    for i, city in enumerate(board.cities):
        first = first_of.setdefault(banks[city], city)
        if seen[city] != seen[first]:
            yield DataProblem(f"{at}/cities/{i}", f"{seen[city]} steps to temples; {first} on the same bank has {seen[first]}")
    if len({tuple(seen[city]) for city in first_of.values()}) > 1:
        told = "; ".join(f"{bank}: {seen[city]}" for bank, city in first_of.items())
        yield DataProblem(f"{at}/cities", f"steps to temples differ between the banks ({told})", remark=True)


def view_of(board: Map, city: str) -> list[int]:
    """Return the sorted distances on foot from a city to the temples and the Sanctuary.

    A distance is a number of steps.
    """
    reached = distances(neighbours(board), districts(board, city))
    return sorted(reached.get(s.id, UNREACHED) for s in board.spaces if s.kind in ("temple", "sanctuary"))


def bank_of(board: Map, city: str) -> str:
    return next((space.bank for space in board.spaces if space.city == city), "")

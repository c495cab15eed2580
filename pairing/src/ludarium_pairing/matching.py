"""Two at a table: the cheapest perfect matching of near neighbours. rustworkx finds it, noise makes it the only one."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import rustworkx

from ludarium_pairing.history import Past
from ludarium_pairing.random_draws import Lots
from ludarium_pairing.seating import seat_cost

BLOCK = 1000
REACH = 24
NOISE = 64
AGAIN = 1 << 44
SECOND_BYE = 1 << 52
UNEVEN = 1000
WIDEST_GAP = (1 << 14) - 1
FARTHEST = 63
MOST_TIMES = 31
BYE = -1
Matched = list[tuple[int, int]]


class Field(NamedTuple):
    """What an edge costs by. levels, met, byes: by number of the entry; gaps are counted between levels.

    forbidden: pairs, both ways round.
    """

    past: Past
    levels: Sequence[int]
    met: Sequence[Mapping[int, int]]
    byes: Sequence[int]
    forbidden: frozenset[tuple[int, int]]
    noise: Lots


def matched(field: Field, order: Sequence[int]) -> tuple[Matched, list[int]]:
    """Pairs and who is left over, block by block; whom a block could not pair is carried into the next."""
    pairs: Matched = []
    over: list[int] = []
    for block in blocks(interleaved(order, field.levels)):
        found = widened(field, over + block)
        pairs += [pair for pair in found if BYE not in pair]
        over = left_over(over + block, pairs)
    return pairs, over


def left_over(players: Sequence[int], pairs: Matched) -> list[int]:
    paired = {player for pair in pairs for player in pair}
    return [player for player in players if player not in paired]


def blocks(order: list[int]) -> Iterator[list[int]]:
    """Of BLOCK players; what would be a smaller one at the end belongs to the last."""
    count = max(1, len(order) // BLOCK)
    for at in range(count):
        yield order[at * BLOCK:(at + 1) * BLOCK if at + 1 < count else None]


def interleaved(order: Sequence[int], levels: Sequence[int]) -> list[int]:
    """Within each level the first of the upper half beside the first of the lower half, and so on: rivals stand near."""
    near: list[int] = []
    for _, level in groupby(order, key=lambda player: levels[player]):
        group = list(level)
        half = (len(group) + 1) // 2
        for at in range(half):
            near += group[at::half]
    return near


def widened(field: Field, block: Sequence[int]) -> Matched:
    """Near neighbours first; farther ones as long as somebody is left over, meets again or has the bye again."""
    reach = REACH
    while True:
        found = cheapest(field, block, reach)
        if reach >= len(block) - 1 or not troubled(field, block, found):
            return found
        reach *= 2


def troubled(field: Field, block: Sequence[int], found: Matched) -> bool:
    short = len(found) < (len(block) + 1) // 2
    return short or any(b in field.met[a] if b != BYE else field.byes[a] > 0 for a, b in found)


def cheapest(field: Field, block: Sequence[int], reach: int) -> Matched:
    """The matching with the most pairs, and of these the one that costs least."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    players = [*block, BYE] if len(block) % 2 else list(block)
    graph.add_nodes_from(players)
    graph.add_edges_from(list(edges(field, block, reach)))
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((players[min(pair)], players[max(pair)]) for pair in pairs)


def edges(field: Field, block: Sequence[int], reach: int) -> Iterator[tuple[int, int, int]]:
    """Weights are costs below nought; their low 64 bits are noise. The bye is the last node, for an odd block."""
    forbidden = field.forbidden
    for at, player in enumerate(block):
        for beside in range(at + 1, min(at + 1 + reach, len(block))):
            other = block[beside]
            if not forbidden or (player, other) not in forbidden:
                yield at, beside, -noisy(field, player, other, pair_cost(field, player, other) + distance(beside - at - 1))
    if len(block) % 2:
        lowest = min(field.levels[player] for player in block)
        for at, player in enumerate(block):
            cost = bye_cost(field, player, lowest) + distance(len(block) - 1 - at)
            yield at, len(block), -noisy(field, player, len(field.levels), cost)


def noisy(field: Field, one: int, other: int, cost: int) -> int:
    low, high = (one, other) if one < other else (other, one)
    return cost << NOISE | field.noise.at(low << 32 | high)


def pair_cost(field: Field, one: int, other: int) -> int:
    gap = min(abs(field.levels[one] - field.levels[other]), WIDEST_GAP)
    again = min(field.met[one].get(other, 0), MOST_TIMES)
    return AGAIN * again + gap * gap + UNEVEN * seat_cost(field.past, (one, other))


def bye_cost(field: Field, player: int, lowest: int) -> int:
    gap = min(field.levels[player] - lowest, WIDEST_GAP)
    return SECOND_BYE * min(field.byes[player], MOST_TIMES) + gap * gap


def distance(between: int) -> int:
    """How many stand between two in the order."""
    return min(between, FARTHEST)

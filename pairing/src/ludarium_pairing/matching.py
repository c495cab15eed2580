"""Pair Swiss rounds of two players per table by a minimum-cost perfect matching.

The matching is computed by rustworkx among near neighbours. Random noise in the costs makes the solution unique.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import rustworkx

from ludarium_pairing.history import PastRounds
from ludarium_pairing.random_draws import RandomDraws
from ludarium_pairing.seating import seat_cost

BLOCK = 1000
REACH = 24
NOISE = 64
REPEAT = 1 << 44
SECOND_BYE = 1 << 52
UNEVEN = 1000
WIDEST_GAP = (1 << 14) - 1
FARTHEST = 63
MOST_TIMES = 31
BYE = -1
Matched = list[tuple[int, int]]


class MatchCosts(NamedTuple):
    """The values from which the cost of an edge is computed.

    Attributes:
        levels: each entry's level; the difference between levels is part of the cost.
        met: each entry's number of earlier meetings with other entries.
        byes: each entry's number of earlier byes.
        forbidden: pairs that must not meet, in both orders.
    """

    past: PastRounds
    levels: Sequence[int]
    met: Sequence[Mapping[int, int]]
    byes: Sequence[int]
    forbidden: frozenset[tuple[int, int]]
    noise: RandomDraws


def match_pairs(costs: MatchCosts, order: Sequence[int]) -> tuple[Matched, list[int]]:
    """Return the pairs and the unpaired players, block by block.

    Players who could not be paired in a block move to the next block.
    """
    pairs: Matched = []
    rest: list[int] = []
    for block in blocks(interleaved(order, costs.levels)):
        found = match_block(costs, rest + block)
        pairs += [pair for pair in found if BYE not in pair]
        rest = unpaired(rest + block, pairs)
    return pairs, rest


def unpaired(players: Sequence[int], pairs: Matched) -> list[int]:
    paired = {player for pair in pairs for player in pair}
    return [player for player in players if player not in paired]


def blocks(order: list[int]) -> Iterator[list[int]]:
    """Yield blocks of BLOCK players; a smaller remainder joins the last block."""
    count = max(1, len(order) // BLOCK)
    for at in range(count):
        yield order[at * BLOCK:(at + 1) * BLOCK if at + 1 < count else None]


def interleaved(order: Sequence[int], levels: Sequence[int]) -> list[int]:
    """Interleave the halves of each level, so that likely opponents are neighbours."""
    near: list[int] = []
    for _, level in groupby(order, key=lambda player: levels[player]):
        group = list(level)
        half = (len(group) + 1) // 2
        for at in range(half):
            near += group[at::half]
    return near


def match_block(costs: MatchCosts, block: Sequence[int]) -> Matched:
    """Match a block among near neighbours.

    The reach grows while a player is left over, meets a former opponent or gets a second bye.
    """
    reach = REACH
    while True:
        found = cheapest_matching(costs, block, reach)
        if reach >= len(block) - 1 or not can_improve(costs, block, found):
            return found
        reach *= 2


def can_improve(costs: MatchCosts, block: Sequence[int], found: Matched) -> bool:
    short = len(found) < (len(block) + 1) // 2
    return short or any(b in costs.met[a] if b != BYE else costs.byes[a] > 0 for a, b in found)


def cheapest_matching(costs: MatchCosts, block: Sequence[int], reach: int) -> Matched:
    """Return the cheapest of the matchings with the most pairs."""
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    players = [*block, BYE] if len(block) % 2 else list(block)
    graph.add_nodes_from(players)
    graph.add_edges_from(list(edges(costs, block, reach)))
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((players[min(pair)], players[max(pair)]) for pair in pairs)


def edges(costs: MatchCosts, block: Sequence[int], reach: int) -> Iterator[tuple[int, int, int]]:
    """Yield edges with weights: negative costs, with noise in the low 64 bits.

    In a block of odd size, the last node is the bye.
    """
    forbidden = costs.forbidden
    for at, player in enumerate(block):
        for neighbour in range(at + 1, min(at + 1 + reach, len(block))):
            other = block[neighbour]
            if not forbidden or (player, other) not in forbidden:
                cost = pair_cost(costs, player, other) + distance(neighbour - at - 1)
                yield at, neighbour, -with_noise(costs, player, other, cost)
    if len(block) % 2:
        lowest = min(costs.levels[player] for player in block)
        for at, player in enumerate(block):
            cost = bye_cost(costs, player, lowest) + distance(len(block) - 1 - at)
            yield at, len(block), -with_noise(costs, player, len(costs.levels), cost)


def with_noise(costs: MatchCosts, one: int, other: int, cost: int) -> int:
    low, high = (one, other) if one < other else (other, one)
    return cost << NOISE | costs.noise.draw_at(low << 32 | high)


def pair_cost(costs: MatchCosts, one: int, other: int) -> int:
    gap = min(abs(costs.levels[one] - costs.levels[other]), WIDEST_GAP)
    repeats = min(costs.met[one].get(other, 0), MOST_TIMES)
    return REPEAT * repeats + gap * gap + UNEVEN * seat_cost(costs.past, (one, other))


def bye_cost(costs: MatchCosts, player: int, lowest: int) -> int:
    gap = min(costs.levels[player] - lowest, WIDEST_GAP)
    return SECOND_BYE * min(costs.byes[player], MOST_TIMES) + gap * gap


def distance(between: int) -> int:
    """Return the number of players between two in the order, up to FARTHEST."""
    return min(between, FARTHEST)

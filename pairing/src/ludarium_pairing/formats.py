"""Draft the next round, with a function for each format.

Entries are identified by their index.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ludarium_pairing.brackets import bracket
from ludarium_pairing.heats import heats, lives_left
from ludarium_pairing.history import PastRounds
from ludarium_pairing.matching import BLOCK, MatchCosts, match_pairs
from ludarium_pairing.model import Format
from ludarium_pairing.pair_costs import PairCosts
from ludarium_pairing.pods import pair_tables
from ludarium_pairing.random_draws import RandomDraws

Pairs = frozenset[tuple[int, int]]


class FormatInput(NamedTuple):
    """The input of a format's function.

    Attributes:
        free: present entries that are not at a table set by hand.
        forbidden: pairs that must not meet, in both orders.
    """

    past: PastRounds
    free: Sequence[int]
    seed: bytes
    forbidden: Pairs


class Draft(NamedTuple):
    """A round as drafted by a format.

    Attributes:
        seated: whether the order of entries at each table is already that of the seats.
        fewest: whether fewer repeats are known to be impossible.
    """

    tables: Sequence[Sequence[int]]
    byes: Sequence[int]
    seated: bool = False
    fewest: bool = False


def swiss(given: FormatInput) -> Draft:
    past = given.past
    scores = past.scores
    if past.settings.seats > 2:
        return Draft(*pair_tables(PairCosts(past, scores, given.forbidden), sorted_by(given, scores)))
    costs = MatchCosts(past, scores, past.met, past.byes, given.forbidden, RandomDraws(given.seed, f"round {past.round} edges"))
    ratings = [entry.rating for entry in past.entries]
    return Draft(*match_pairs(costs, sorted_by(given, scores, ratings)), fewest=len(given.free) < 2 * BLOCK)


def sorted_by(given: FormatInput, *levels: Sequence[int]) -> list[int]:
    """Sort free entries by these levels, highest first, and equals in random order."""
    drawn = RandomDraws(given.seed, f"round {given.past.round} order").shuffled(given.free)
    return sorted(drawn, key=lambda number: [-level[number] for level in levels])


def round_robin(given: FormatInput) -> Draft:
    past = given.past
    if past.settings.seats > 2:
        level = [0] * len(past.entries)
        return Draft(*pair_tables(PairCosts(past, level, given.forbidden), sorted_by(given)))
    present, numbers = set(given.free), [at for at, entry in enumerate(past.entries) if not entry.reserve]
    free = [tuple(numbers[at] for at in pair if at < len(numbers) and numbers[at] in present)
            for pair in berger(len(numbers), past.round - 1)]
    tables = [pair for pair in free if len(pair) == 2 and pair not in given.forbidden]
    paired = {number for table in tables for number in table}
    return Draft(tables, [number for number in given.free if number not in paired], seated=True)


def berger(players: int, round: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a round by seat, according to Berger tables.

    Rounds 0 to players - 2 contain each pair once. Later rounds repeat them with seats exchanged. If the number of players is
    odd, an additional number stands for the bye.
    """
    circle = players - 1 + players % 2
    cycle, turn = divmod(round, circle)
    for ahead in range((circle + 1) // 2):
        one, other = (turn + ahead) % circle, (turn - ahead) % circle if ahead else circle
        first = turn % 2 == 0 if not ahead else ahead % 2 == 1
        yield (one, other) if first == (cycle % 2 == 0) else (other, one)


def single_elimination(given: FormatInput) -> Draft:
    return Draft(*bracket(given.past, double=False))


def double_elimination(given: FormatInput) -> Draft:
    return Draft(*bracket(given.past, double=True))


def pods(given: FormatInput) -> Draft:
    return Draft(*heats(given.past))


def lives(given: FormatInput) -> Draft:
    left = lives_left(given.past)
    alive = [number for number in given.free if left[number] > 0]
    if len(alive) < max(2, given.past.settings.fewest):
        return Draft([alive] if len(alive) > 1 else [], [])
    return Draft(*pair_tables(PairCosts(given.past, left, given.forbidden), sorted_by(given._replace(free=alive), left)))


def arena(given: FormatInput) -> Draft:
    """Pair neighbours in rank, avoiding the last opponents and consecutive byes."""
    past = given.past
    order = sorted_by(given, past.scores)
    rank = [0] * len(past.entries)
    for at, number in enumerate(order):
        rank[number] = len(order) - at
    noise = RandomDraws(given.seed, f"round {past.round} edges")
    costs = MatchCosts(past, rank, just_met(past), waited(past), given.forbidden, noise)
    return Draft(*match_pairs(costs, order))


def just_met(past: PastRounds) -> list[dict[int, int]]:
    """Return how often entries were each other's last opponents, by number.

    The value is 1 if it was the last game of one of them, and 2 if of both.
    """
    last = {past.number[id]: [past.number[other] for other in table.seats if other != id]
            for round in past.history for table in round.tables for id in table.seats}
    met: list[dict[int, int]] = [{} for _ in past.entries]
    for number, others in last.items():
        for other in others:
            met[number][other] = met[number].get(other, 0) + 1
            met[other][number] = met[other].get(number, 0) + 1
    return met


def waited(past: PastRounds) -> list[int]:
    """Return how many waves each entry has waited since its last table."""
    waves = [0] * len(past.entries)
    for round in past.history:
        for id in round.byes:
            waves[past.number[id]] += 1
        for table in round.tables:
            for id in table.seats:
                waves[past.number[id]] = 0
    return waves


FORMATS: dict[Format, Callable[[FormatInput], Draft]] = {
    "swiss": swiss,
    "round-robin": round_robin,
    "single-elimination": single_elimination,
    "double-elimination": double_elimination,
    "pods": pods,
    "lives": lives,
    "arena": arena,
}

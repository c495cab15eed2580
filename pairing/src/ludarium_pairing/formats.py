"""Each format's next round, by number of the entry."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludarium_pairing.berger import berger
from ludarium_pairing.brackets import bracket
from ludarium_pairing.heats import heats, lives_left
from ludarium_pairing.history import Past
from ludarium_pairing.links import Links
from ludarium_pairing.matching import BLOCK, Field, matched
from ludarium_pairing.model import Format
from ludarium_pairing.pods import podded
from ludarium_pairing.random_draws import Lots

Pairs = frozenset[tuple[int, int]]


class Asked(NamedTuple):
    """free: present and not at a table that was set by hand; forbidden: pairs, both ways round."""

    past: Past
    free: Sequence[int]
    seed: bytes
    forbidden: Pairs


class Draft(NamedTuple):
    """seated: whether the order at a table is the order of its seats already. fewest: nothing with fewer repeats exists."""

    tables: Sequence[Sequence[int]]
    byes: Sequence[int]
    seated: bool = False
    fewest: bool = False


def swiss(asked: Asked) -> Draft:
    past = asked.past
    scores = past.scores
    if past.settings.seats > 2:
        return Draft(*podded(Links(past, scores, asked.forbidden), standing(asked, scores)))
    field = Field(past, scores, past.met, past.byes, asked.forbidden, Lots(asked.seed, f"round {past.round} edges"))
    ratings = [entry.rating for entry in past.entries]
    return Draft(*matched(field, standing(asked, scores, ratings)), fewest=len(asked.free) < 2 * BLOCK)


def standing(asked: Asked, *levels: Sequence[int]) -> list[int]:
    """The highest first; lots among equals."""
    drawn = Lots(asked.seed, f"round {asked.past.round} order").shuffled(asked.free)
    return sorted(drawn, key=lambda number: [-level[number] for level in levels])


def round_robin(asked: Asked) -> Draft:
    past = asked.past
    if past.settings.seats > 2:
        level = [0] * len(past.entries)
        return Draft(*podded(Links(past, level, asked.forbidden), standing(asked)))
    here, numbers = set(asked.free), [at for at, entry in enumerate(past.entries) if not entry.reserve]
    free = [tuple(numbers[at] for at in pair if at < len(numbers) and numbers[at] in here)
            for pair in berger(len(numbers), past.round - 1)]
    tables = [pair for pair in free if len(pair) == 2 and pair not in asked.forbidden]
    paired = {number for table in tables for number in table}
    return Draft(tables, [number for number in asked.free if number not in paired], seated=True)


def single_elimination(asked: Asked) -> Draft:
    return Draft(*bracket(asked.past, double=False))


def double_elimination(asked: Asked) -> Draft:
    return Draft(*bracket(asked.past, double=True))


def pods(asked: Asked) -> Draft:
    return Draft(*heats(asked.past))


def lives(asked: Asked) -> Draft:
    left = lives_left(asked.past)
    alive = [number for number in asked.free if left[number] > 0]
    if len(alive) < max(2, asked.past.settings.fewest):
        return Draft([alive] if len(alive) > 1 else [], [])
    return Draft(*podded(Links(asked.past, left, asked.forbidden), standing(asked._replace(free=alive), left)))


def arena(asked: Asked) -> Draft:
    """Neighbours in rank, not those who have just met; who waited last time does not wait again."""
    past = asked.past
    order = standing(asked, past.scores)
    rank = [0] * len(past.entries)
    for at, number in enumerate(order):
        rank[number] = len(order) - at
    field = Field(past, rank, just_met(past), waited(past), asked.forbidden, Lots(asked.seed, f"round {past.round} edges"))
    return Draft(*matched(field, order))


def just_met(past: Past) -> list[dict[int, int]]:
    """By number of the entry: 1 for whose last opponent it was or who was its own last one, 2 for both."""
    last = {past.number[id]: [past.number[other] for other in table.seats if other != id]
            for round in past.history for table in round.tables for id in table.seats}
    met: list[dict[int, int]] = [{} for _ in past.entries]
    for number, others in last.items():
        for other in others:
            met[number][other] = met[number].get(other, 0) + 1
            met[other][number] = met[other].get(number, 0) + 1
    return met


def waited(past: Past) -> list[int]:
    """By number of the entry: waves that it has waited since its last table."""
    waves = [0] * len(past.entries)
    for round in past.history:
        for id in round.byes:
            waves[past.number[id]] += 1
        for table in round.tables:
            for id in table.seats:
                waves[past.number[id]] = 0
    return waves


FORMATS: dict[Format, Callable[[Asked], Draft]] = {
    "swiss": swiss,
    "round-robin": round_robin,
    "single-elimination": single_elimination,
    "double-elimination": double_elimination,
    "pods": pods,
    "lives": lives,
    "arena": arena,
}

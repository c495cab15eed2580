"""Measure the CPU time to deal hidden cards anew from a seat's knowledge.

Bots use such deals. One measurement includes all preparation. The games are of random play and of the bot `simple`.
"""
from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time

from benchmarks.rows import Row
from ludarium_engine.bots import bots
from ludarium_engine.branches.resampling import resample
from ludarium_engine.kernel import Action, Chance, State, act_in_place, new_game, seats_to_act
from ludarium_engine.kernel.describe import action_of, describe_choice, describe_view
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.observations import observe
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import AnyTitle, Case, cases
from ludarium_engine.testkit.sample import random_move

LIMIT_MS = 20
GAMES, MOST = 4, 400                            # games for each number of seats; the most events of a game
SEED = 9000


def rows() -> Iterator[Row]:
    for title in titles().values():
        deals, folds = measured(title)
        for name, share in (("median", 0.5), ("p99", 0.99)):
            value = quantile(deals, share)
            yield Row(
                name=f"{title.id}: deal for a seat, {name}", value=round(value, 3), unit="ms", ratio=value / LIMIT_MS,
                goal=f"{LIMIT_MS} ms", holds=value <= LIMIT_MS,
            )  # fmt: skip
        folding = round(quantile(folds, 0.99), 3)
        yield Row(name=f"{title.id}: fold an event into a seat's knowledge, p99", value=folding, unit="ms")


def measured(title: AnyTitle) -> tuple[list[float], list[float]]:
    """Return the CPU time in milliseconds of each deal, and of each event.

    There is one deal after each event, for the seats in turn.
    """
    deals, folds = list[float](), list[float]()
    for case in largest_and_smallest(title):
        for seed in range(SEED, SEED + GAMES):
            for nth, (minds, took) in enumerate(games(case, seed, by_bots=bool(seed % 2))):
                folds += took
                knowledge = minds[nth % case.seats]
                start = process_time()
                resample(knowledge, Random(nth))
                deals.append(1000 * (process_time() - start))
    return deals, folds


def largest_and_smallest(title: AnyTitle) -> list[Case]:
    tables = [case for case in cases(title) if case.seats > 1]
    return [min(tables, key=lambda case: case.seats), max(tables, key=lambda case: case.seats)]


def games(case: Case, seed: int, by_bots: bool) -> Iterator[tuple[list[Knowledge], list[float]]]:
    """Play a game; yield each seat's knowledge after each event.

    Yields:
        (knowledge of each seat, milliseconds of CPU to apply the event to each).
    """
    title, rng, chance = case.title, Random(seed), Chance(seed.to_bytes(32, "big"))
    minds = [Knowledge(title, title.layout, seat, case.options, case.seats) for seat in range(case.seats)]
    s, event = new_game(title, case.options, case.seats, chance)
    for _ in range(MOST):
        took = []
        for knowledge in minds:
            seen = observe(title.layout, event, s, knowledge.audience)
            start = process_time()
            knowledge.apply(seen)
            took.append(1000 * (process_time() - start))
        yield minds, took
        if s.outcome is not None:
            return
        move = simple_move if by_bots else random_move
        event = act_in_place(title, s, *move(title, s, rng), chance)


def simple_move(title: AnyTitle, s: State, rng: Random) -> tuple[int, Action]:
    """Return the seat to act and the move of the bot `simple`.

    This bot asks for information more often than random play does.
    """
    seat = seats_to_act(s)[0]
    choice = describe_choice(title, s, seat)
    assert choice
    answer = bots(title)["simple"](seat, describe_view(title, s, seat), choice, rng)
    return seat, action_of(answer.offer, answer.subset)


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]

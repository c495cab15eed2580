"""Every game ends, even if players repeat the same action forever."""
from __future__ import annotations

from itertools import groupby
from random import Random

import pytest

from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import AnyTitle, Case, cases
from ludarium_engine.testkit.stubborn import PLAIN, Endless, Policy, play, single_minded

MOST_ROUNDS = 300
"""Turns for each seat; the longest known is 242, in Valley with six players."""
SEED = 41


def tables(title: AnyTitle) -> list[Case]:
    """Return each variant with the fewest, the most, and if possible three seats."""
    found = []
    for _, variant in groupby(cases(title), key=lambda case: case.raw):
        by_seats = {case.seats: case for case in variant}
        found += [by_seats[n] for n in sorted({min(by_seats), 3, max(by_seats)} & by_seats.keys())]
    return found


def shared_out(title: AnyTitle) -> list[tuple[Case, list[Policy]]]:
    """Return each table with its share of the policies.

    There are too many policies to use all of them at every table.
    """
    at, policies = tables(title), single_minded(title)
    return [(case, policies[nth :: len(at)]) for nth, case in enumerate(at)]


every_table = pytest.mark.parametrize(
    ("case", "share"), [pair for title in titles().values() for pair in shared_out(title)],
    ids=[f"{case.title.id}-{'-'.join(map(str, case.raw.values()))}-{case.seats}"
         for title in titles().values() for case, _ in shared_out(title)],
)  # fmt: skip


@every_table
def test_stubborn_players_come_to_an_end(case: Case, share: list[Policy]) -> None:
    for policy in (*PLAIN, *share):
        play(case, [policy] * case.seats, SEED, MOST_ROUNDS)


@every_table
def test_players_who_are_stubborn_in_different_ways_come_to_an_end(case: Case, share: list[Policy]) -> None:
    rng = Random(SEED)
    play(case, [rng.choice((*PLAIN, *share)) for _ in range(case.seats)], SEED, MOST_ROUNDS)


@pytest.mark.parametrize("title", titles().values(), ids=titles())
def test_every_verb_is_favoured_somewhere(title: AnyTitle) -> None:
    assert {verb for _, share in shared_out(title) for policy in share for verb in policy.favoured} == {*title.verbs}


def test_a_game_without_an_end_is_found_and_described() -> None:
    case = Case(titles()["valeria"], {"max_rounds": 0}, 2)
    with pytest.raises(Endless, match=r"valeria {'max_rounds': 0}, 2 seats, seed 41, .*gain.*: no end after 601 turns"):
        play(case, [Policy("cheapest", ("gain",))] * 2, SEED, MOST_ROUNDS)

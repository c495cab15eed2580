"""Entries that advance from groups to a final."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from ludarium_pairing.model import Entry, Settings
from ludarium_pairing.pairing import pair
from ludarium_pairing.stages import Group, Progression, into_groups, next_entries, qualified, replaced
from ludarium_pairing.standings import Standing, standings
from tests.tournaments.made import entries_of, event
from tests.tournaments.test_pairing import SEED


def group(letters: str, *points: int, rounds: int = 3) -> Group:
    rows = [Standing(at, letter, own, (("points", Fraction(own)),))
            for at, (letter, own) in enumerate(zip(letters, points, strict=True), 1)]
    return Group(tuple(rows), rounds)


def test_two_of_each_group_and_the_four_best_next_go_on() -> None:
    groups = [group("abcd", 360, 300, 200, 10), group("efgh", 350, 290, 280, 270), group("ijkl", 340, 330, 100, 90)]
    through = qualified(groups, Progression(each=2, best=4))
    assert "".join(one.id for one in through) == "aei" "jbf" "ghck"
    assert [one.id for one in through if one.next_best] == ["g", "h", "c", "k"]
    assert [entry.rating for entry in next_entries(through)] == list(range(10, 0, -1))


def test_groups_of_different_length_are_compared_by_the_round() -> None:
    groups = [group("ab", 240, 120, rounds=2), group("cd", 300, 150, rounds=3)]
    assert [one.id for one in qualified(groups, Progression(each=1, best=1))] == ["a", "c", "b"]


def test_groups_are_even_and_the_best_are_apart() -> None:
    found = into_groups(entries_of(14, Random(1)), 4)
    assert sorted(map(len, found)) == [3, 3, 4, 4]
    best = sorted((entry for group in found for entry in group), key=lambda entry: -entry.rating)[:4]
    assert Counter(entry in group for group in found for entry in best) == {True: 4, False: 12}


def test_a_reserve_takes_the_place_of_who_does_not_come_as_the_last_seed() -> None:
    entries = (Entry("a", 3), Entry("b", 2), Entry("c", 1))
    assert [entry.id for entry in replaced(entries, "b", ["c", "r", "s"])] == ["a", "c", "r"]
    assert [entry.id for entry in replaced(entries, "b", [])] == ["a", "c"]
    assert min(replaced(entries, "b", ["r"]), key=lambda entry: entry.rating).id == "r"


def test_a_tournament_of_groups_and_a_final_of_several_tables_needs_nobody_to_carry_anything_over() -> None:
    luck = Random(5)
    asked = Settings(format="round-robin", seats=4, tie_breaks=("buchholz", "seed"))
    ended = []
    for entries in into_groups(entries_of(24, luck), 3):
        record = event(entries, asked, 3, luck)
        ended.append(Group(tuple(standings(entries, record.history(), asked)), len(record.rounds)))
    finalists = next_entries(qualified(ended, Progression(each=2, best=2)))
    final = pair(finalists, (), Settings(format="pods", seats=4, seating="seeds"), SEED)
    assert final.quality.sizes == {4: 2}
    ranks = {entry.id: at for at, entry in enumerate(finalists)}
    assert all([ranks[id] for id in table] == sorted(ranks[id] for id in table) for table in final.tables)

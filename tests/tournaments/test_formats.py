"""Elimination, pods, lives, arenas and round robins end with the right results."""
from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from ludarium_pairing.brackets import seeding
from ludarium_pairing.formats import berger, just_met
from ludarium_pairing.heats import lives_left
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entry, GameResult, Round, Settings, Table
from ludarium_pairing.pairing import pair
from ludarium_pairing.record import TournamentRecord
from ludarium_pairing.standings import standings
from tests.tournaments.made import entries_of, event
from tests.tournaments.test_pairing import SEED, quick

LONGEST = 60


def whole(players: int, seed: int, asked: Settings, mishaps: bool = True) -> TournamentRecord:
    """Play a tournament until no entries are left to pair."""
    luck = Random(seed)
    record = event(entries_of(players, luck), asked, LONGEST, luck, mishaps=mishaps)
    assert len(record.rounds) < LONGEST
    return record


def losses(record: TournamentRecord) -> Counter[str]:
    return Counter(id for round in record.history() for table in round.tables
                   for id, place in zip(table.seats, table.games[0].places, strict=True) if place > 1)


def decided(record: TournamentRecord) -> bool:
    return all(games and sorted(games[0].places) == [1, 2] for round in record.rounds for games in round.results)


@quick
@given(st.integers(2, 40), st.integers(0, 99))
def test_single_elimination_beats_everybody_but_one_exactly_once(players: int, seed: int) -> None:
    record = whole(players, seed, Settings(format="single-elimination"), mishaps=False)
    tables = sum(len(round.pairing.tables) for round in record.rounds)
    assert tables == players - 1 and len(record.rounds) == (players - 1).bit_length()
    if decided(record):
        assert max(losses(record).values()) == 1 and len(losses(record)) == players - 1


@quick
@given(st.integers(2, 40), st.integers(0, 99), st.booleans())
def test_double_elimination_beats_everybody_but_one_twice(players: int, seed: int, reset: bool) -> None:
    record = whole(players, seed, Settings(format="double-elimination", reset=reset), mishaps=False)
    if decided(record):
        lost = losses(record)
        champion = standings(record.entries, record.history(), record.settings)[0].id
        assert sum(lost[entry.id] < 2 for entry in record.entries if entry.id != champion) <= (not reset)
        assert lost[champion] <= 1


def test_the_undefeated_plays_a_second_final_only_with_reset() -> None:
    entries = (Entry("a", 2), Entry("b", 1))
    first, second = (Round((Table(("a", "b"), (GameResult(places),)),)) for places in ((1, 2), (2, 1)))
    for reset, tables in ((True, 1), (False, 0)):
        asked = Settings(format="double-elimination", reset=reset)
        assert len(pair(entries, (first, second), asked, SEED).tables) == tables
    assert pair(entries, (first, first), Settings(format="double-elimination"), SEED).tables == ()


@pytest.mark.parametrize("seed", range(5))
def test_nobody_of_32_meets_again_in_the_first_five_waves_of_a_double_elimination(seed: int) -> None:
    record = whole(32, seed, Settings(format="double-elimination"), mishaps=False)
    met = Counter(frozenset(table) for round in record.rounds[:5] for table in round.pairing.tables)
    assert max(met.values()) == 1


def test_the_bracket_keeps_the_best_apart_and_byes_go_to_them() -> None:
    assert seeding(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    entries = tuple(Entry(letter, rating=-at) for at, letter in enumerate("abcdef"))
    pairing = pair(entries, (), Settings(format="single-elimination"), SEED)
    assert set(pairing.byes) == {"a", "b"} and {frozenset(t) for t in pairing.tables} == {frozenset("de"), frozenset("cf")}


def test_who_leaves_a_bracket_is_walked_over() -> None:
    entries = (Entry("a", 4), Entry("b", 3, left=2), Entry("c", 2), Entry("d", 1))
    semifinals = Round((Table(("a", "d"), (GameResult((1, 2)),)), Table(("b", "c"), (GameResult((1, 2)),))))
    asked = Settings(format="single-elimination")
    assert pair(entries, (semifinals,), asked, SEED).tables == ()
    assert standings(entries, (semifinals,), asked)[0].id in ("a", "b")


@quick
@given(st.integers(2, 60), st.integers(3, 6), st.integers(1, 3), st.integers(0, 99))
def test_pods_let_the_best_of_each_table_go_on_until_one_table_is_left(players: int, seats: int, on: int, seed: int) -> None:
    record = whole(players, seed, Settings(format="pods", seats=seats, advance=on))
    assert len(record.rounds[-1].pairing.tables) == 1
    for round, following in pairwise(record.rounds):
        after = {id for table in following.pairing.tables for id in table} | set(following.pairing.byes)
        assert set(round.pairing.byes) <= after
        assert all(len(after & set(table)) == min(on, len(table) - 1) for table in round.pairing.tables)


@quick
@given(st.integers(2, 30), st.integers(3, 5), st.integers(1, 3), st.integers(0, 99))
def test_lives_are_lost_by_the_lower_half_until_one_has_any(players: int, seats: int, lives: int, seed: int) -> None:
    record = whole(players, seed, Settings(format="lives", seats=seats, lives=lives))
    left = lives_left(PastRounds(record.entries, record.history(), record.settings))
    assert sum(life > 0 for life in left) == 1
    assert all(life >= 0 for life in left)


def test_an_arena_pairs_whoever_waits_and_not_the_same_two_at_once() -> None:
    luck = Random(4)
    record = event(entries_of(20, luck), Settings(format="arena", scheme="arena"), 30, luck, waiting=0.6)
    history = record.history()
    again = tables = 0
    for at, round in enumerate(record.rounds):
        assert {id for table in round.pairing.tables for id in table} <= set(round.waiting or ())
        met = just_met(PastRounds(record.entries, history[:at], record.settings))
        numbers = [[int(id[1:]) for id in table] for table in round.pairing.tables]
        again, tables = again + sum(two in met[one] for one, two in numbers), tables + len(numbers)
    assert again <= tables // 20


def test_an_arena_doubles_a_streak_and_pays_nothing_for_waiting_or_playing_on() -> None:
    entries, won = (Entry("a"), Entry("b"), Entry("c")), Round((Table(("a", "b"), (GameResult((1, 2)),)),), ("c",))
    under_way = Round((Table(("a", "b")),), ("c",))
    asked = Settings(format="arena", scheme="arena")
    assert PastRounds(entries, (won, won, won, under_way), asked).scores == [(2 + 2 + 4) * 120, 0, 0]


@pytest.mark.parametrize("players", range(2, 14))
def test_a_round_robin_meets_everybody_once_and_seats_differ_by_one(players: int) -> None:
    rounds = players - 1 + players % 2
    pairs = [pair for at in range(rounds) for pair in berger(players, at) if max(pair) < players]
    assert sorted(map(sorted, pairs)) == [[one, other] for one, other in combinations(range(players), 2)]
    first = Counter(one for one, _ in pairs)
    assert max(abs(2 * first[at] - (players - 1)) for at in range(players)) <= 1


def test_the_second_cycle_of_a_round_robin_turns_the_seats() -> None:
    assert {(other, one) for one, other in berger(6, 2)} == set(berger(6, 7))


@pytest.mark.parametrize(("players", "seats"), [(12, 4), (9, 3), (13, 4), (16, 4)])
def test_pairs_meet_about_as_often_in_a_round_robin_of_larger_tables(players: int, seats: int) -> None:
    luck = Random(1)
    asked = Settings(format="round-robin", seats=seats)
    record = event(entries_of(players, luck), asked, players - 1, luck, mishaps=False)
    met = PastRounds(record.entries, record.history(), record.settings).met
    times = [met[one].get(other, 0) for one, other in combinations(range(players), 2)]
    assert max(times) - min(times) <= 2


def test_the_better_chooses_the_seat_first_in_a_final() -> None:
    entries = tuple(Entry(letter, rating=at) for at, letter in enumerate("abcd"))
    final = Settings(format="pods", seats=4, seating="seeds")
    assert pair(entries, (), final, SEED).tables == (("d", "c", "b", "a"),)
    scored = tuple(structs.replace(entry, points=60) if entry.id == "a" else entry for entry in entries)
    assert pair(scored, (), final, SEED).tables == (("a", "d", "c", "b"),)

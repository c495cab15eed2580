"""The quality of pairings, by repeats, seats, short tables and gaps in points."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Settings
from ludarium_pairing.pair_costs import PairCosts
from ludarium_pairing.pods import pair_tables
from ludarium_pairing.random_draws import RandomDraws
from ludarium_pairing.record import TournamentRecord
from tests.tournaments.made import entries_of, event


def tournament(players: int, seats: int, rounds: int, seed: int, **more: str) -> TournamentRecord:
    luck = Random(seed)
    return event(entries_of(players, luck), Settings(seats=seats, **more), rounds, luck, mishaps=False)  # type: ignore[arg-type]


def repeats(record: TournamentRecord) -> list[int]:
    return [round.pairing.quality.repeats for round in record.rounds]


@pytest.mark.parametrize("seed", range(3))
def test_61_in_fours_meet_nobody_twice_in_five_rounds_and_share_the_short_tables(seed: int) -> None:
    record = tournament(61, 4, 7, seed)
    assert sum(repeats(record)[:5]) == 0 and sum(repeats(record)) <= 3
    short = PastRounds(record.entries, record.history(), record.settings).short
    assert max(short) - min(short) <= 1


@pytest.mark.parametrize("seed", range(2))
def test_200_in_fours_have_every_seat_about_as_often_after_five_rounds(seed: int) -> None:
    record = tournament(200, 4, 5, seed)
    assert sum(repeats(record)) == 0
    counts = [had[:4] for had in PastRounds(record.entries, record.history(), record.settings).seats]
    assert sum(max(had) - min(had) <= 1 for had in counts) >= 0.99 * len(counts)


def test_seats_never_widen_the_gaps_nor_add_repeats() -> None:
    record = tournament(120, 4, 5, 1)
    history = record.history()
    for at in range(1, 5):
        past = PastRounds(record.entries, history[:at], record.settings)
        order = sorted(RandomDraws(b"x", "order").shuffled(past.present), key=lambda number: -past.scores[number])
        links = PairCosts(past, past.scores, frozenset())
        (blind, _), (fair, _) = pair_tables(links, order, seated_evenly=False), pair_tables(links, order)
        assert total(links, fair) <= total(links, blind)


def total(links: PairCosts, tables: Sequence[Sequence[int]]) -> int:
    return sum(map(links.within, tables))


@pytest.mark.parametrize(("players", "seats", "expected"), [(12, 4, [0, 3, 6, 9]), (24, 6, [0, 8, 16, 24]), (60, 6, [0] * 4)])
def test_the_least_possible_is_told_and_reached(players: int, seats: int, expected: list[int]) -> None:
    luck = Random(1)
    asked = Settings(format="round-robin", seats=seats)
    record = event(entries_of(players, luck), asked, 4, luck, mishaps=False)
    qualities = [round.pairing.quality for round in record.rounds]
    assert [quality.repeats for quality in qualities] == [quality.least_possible for quality in qualities] == expected


def test_two_at_a_table_alternate_and_a_swiss_finds_the_best_in_few_rounds() -> None:
    record = tournament(64, 2, 6, 1)
    past = PastRounds(record.entries, record.history(), record.settings)
    assert sum(repeats(record)) == 0
    assert max(abs(had[0] - had[1]) for had in past.seats) <= 2
    best = sorted(range(64), key=lambda number: -past.scores[number])[:8]
    assert sum(number < 16 for number in best) >= 6

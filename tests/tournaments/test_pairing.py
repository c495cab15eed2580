"""Properties that every pairing has, after any earlier rounds."""
from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import Entries, Entry, Format, GameResult, Round, Settings, Table
from ludarium_pairing.pairing import pair, pair_by_hand, swap
from ludarium_pairing.record import TournamentRecord
from ludarium_pairing.sizes import table_sizes
from tests.tournaments.made import entries_of, event, with_changes

SEED = b"\7" * 32
EVERYBODY: list[Format] = ["swiss", "round-robin"]
FORMATS: list[Format] = ["swiss", "round-robin", "single-elimination", "double-elimination", "pods", "lives", "arena"]
quick = settings(max_examples=25)


@st.composite
def records(draw: Any, most: int = 24, formats: Sequence[Format] = EVERYBODY) -> TournamentRecord:
    """Generate a tournament in which players join late, leave and sit out rounds."""
    luck = Random(draw(st.integers(0, 1 << 32)))
    rounds, seats = draw(st.integers(1, 5)), draw(st.integers(2, 6))
    asked = Settings(
        format=draw(st.sampled_from(formats)), seats=seats, least=draw(st.sampled_from([None, 2])),
        short=draw(st.sampled_from(["low", "high"])), scheme=draw(st.sampled_from(["place", "5310", "share", "duplicate"])),
    )  # fmt: skip
    return event(with_changes(entries_of(draw(st.integers(1, most)), luck), rounds, luck), asked, rounds, luck)


@quick
@given(records())
def test_everybody_is_once_in_a_round_at_a_table_of_legal_size(record: TournamentRecord) -> None:
    for past, round in before_each(record):
        named = [id for table in round.pairing.tables for id in table] + list(round.pairing.byes)
        assert sorted(named) == sorted(past.ids(past.present))
        asked = record.settings
        assert all(asked.fewest <= len(table) <= asked.greatest for table in round.pairing.tables)


@quick
@given(records(formats=["swiss"]))
def test_nobody_has_a_second_bye_or_short_table_before_everybody_had_one(record: TournamentRecord) -> None:
    for past, round in before_each(record):
        numbers = [[past.number[id] for id in table] for table in round.pairing.tables]
        byes = [past.number[id] for id in round.pairing.byes]
        seated = [number for table in numbers for number in table]
        assert all(past.byes[one] <= past.byes[other] for one in byes for other in seated)
        short = [number for table in numbers if len(table) < record.settings.seats for number in table]
        full = [number for table in numbers if len(table) >= record.settings.seats for number in table]
        assert all(past.short[one] <= past.short[other] for one in short for other in full)


@quick
@given(records(formats=["swiss"]))
def test_no_more_have_a_bye_than_legal_sizes_leave_over(record: TournamentRecord) -> None:
    for past, round in before_each(record):
        present = len(past.present)
        assert len(round.pairing.byes) == present - sum(table_sizes(present, record.settings))
        assert len(round.pairing.byes) <= 1 or record.settings.fewest > 2


@quick
@given(records(most=10, formats=["swiss"]))
def test_up_to_ten_players_meet_again_only_if_every_way_to_seat_them_repeats_something(record: TournamentRecord) -> None:
    for past, round in before_each(record):
        quality = round.pairing.quality
        assert quality.least_possible <= quality.repeats
        if quality.repeats and len(past.present) <= 10:
            assert least_of_all(past, round.pairing.byes) == quality.repeats


def before_each(record: TournamentRecord) -> Iterator[tuple[PastRounds, Any]]:
    history = record.history()
    for at, round in enumerate(record.rounds):
        yield PastRounds(record.entries, history[:at], record.settings), round


def least_of_all(past: PastRounds, byes: Sequence[str]) -> int:
    """Return the smallest number of repeats with fair byes and short tables.

    All possible pairings are tried.
    """
    sizes = table_sizes(len(past.present), past.settings)
    fewest_byes = sorted(past.byes[number] for number in past.present)[:len(byes)]
    ways = [way for out in combinations(past.present, len(byes)) if sorted(past.byes[n] for n in out) == fewest_byes
            for way in partitions([number for number in past.present if number not in out], sizes)]
    if past.settings.seats > 2:
        ways = [way for way in partitions([n for n in past.present if past.entries[n].id not in byes], sizes)]
    turns = [sum(past.short[n] for table in way if len(table) < past.settings.seats for n in table) for way in ways]
    return min(sum(map(past.repeats, way)) for way, turn in zip(ways, turns, strict=True) if turn == min(turns))


def partitions(players: Sequence[int], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    if not players:
        yield []
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for mates in combinations(players[1:], size - 1):
            for others in partitions([p for p in players[1:] if p not in mates], rest):
                yield [(players[0], *mates), *others]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("players", [1, 2, 3])
def test_a_handful_of_players_is_always_answered(format: Format, players: int, seats: int) -> None:
    asked = Settings(format=format, seats=2 if format in ("single-elimination", "double-elimination", "arena") else seats)
    if format in ("pods", "lives") and seats == 2:
        return
    record = event(entries_of(players, Random(1)), asked, 5, Random(1))
    assert len(record.rounds) == 5 or format not in ("swiss", "round-robin", "arena")


SCRIPT = """
import hashlib, sys
from random import Random
import msgspec
from ludarium_pairing.model import Settings
from tests.tournaments.made import entries_of, event, with_changes
luck, told = Random(5), hashlib.sha256()
for players, seats in ((37, 2), (41, 4), (11, 3)):
    entries = with_changes(entries_of(players, luck), 4, luck)
    told.update(msgspec.json.encode(event(entries, Settings(seats=seats), 4, luck)))
print(told.hexdigest())
"""


def test_the_same_input_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    told = {output(SCRIPT, seed) for seed in ("0", "1", "4000000000")}
    assert len(told) == 1


def output(script: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run([sys.executable, "-c", script], env=environment, check=True, capture_output=True, text=True).stdout


def test_every_part_of_the_input_counts() -> None:
    entries = entries_of(40, Random(1))
    one = pair(entries, (), Settings(seats=4), SEED)
    assert pair(entries, (), Settings(seats=4), SEED) == one
    assert pair(entries, (), Settings(seats=4), b"\1" * 32) != one
    assert pair(entries[1:], (), Settings(seats=4), SEED) != one


def four(*forbidden: tuple[str, str], **changes: Any) -> Any:
    return pair(named("abcdefgh"), (), Settings(seats=4, forbidden=forbidden, **changes), SEED)


def named(letters: str) -> Entries:
    return tuple(Entry(letter) for letter in letters)


def test_forbidden_pairs_never_sit_together_and_nobody_else_is_hurt_for_it() -> None:
    apart = [("a", other) for other in "bcd"]
    pairing = four(*apart)
    assert pairing.byes == ()
    assert all(not {"a", other} <= set(table) for table in pairing.tables for _, other in apart)


def test_who_must_not_meet_anybody_has_a_bye() -> None:
    pairing = four(*(("a", other) for other in "bcdefgh"))
    assert pairing.byes == ("a",)
    assert pair(named("ab"), (), Settings(forbidden=(("a", "b"),)), SEED).byes == ("a", "b")


def test_many_players_of_clubs_that_must_not_meet_are_paired_across_them() -> None:
    clubs = tuple((f"p{one:05}", f"p{other:05}") for one, other in combinations(range(60), 2) if one % 3 == other % 3)
    pairing = pair(entries_of(60, Random(1)), (), Settings(seats=3, forbidden=clubs), SEED)
    assert pairing.byes == () and all(len({int(id[1:]) % 3 for id in table}) == 3 for table in pairing.tables)


def test_tables_set_by_hand_stay_and_the_others_are_paired_around_them() -> None:
    locked = (("c", "a", "e"),)
    pairing = pair(named("abcdefgh"), (), Settings(seats=4), SEED, locked=locked)
    assert ("c", "a", "e") in pairing.tables
    assert sorted([id for table in pairing.tables for id in table] + list(pairing.byes)) == sorted("abcdefgh")


@pytest.mark.parametrize("locked", [(("a", "b"),), (("a", "b", "c", "a"),), (("a", "b", "x"),), (("a", "b", "h"),)])
def test_tables_that_break_a_rule_are_refused(locked: tuple[tuple[str, ...], ...]) -> None:
    with pytest.raises(Refused, match="pairing-invalid"):
        pair(named("abcdefgh"), (), Settings(seats=4, forbidden=(("a", "h"),)), SEED, locked=locked)


def test_two_change_places_by_hand_and_the_round_is_judged_anew() -> None:
    entries, asked = named("abcdefghi"), Settings(seats=4, least=4)
    game = GameResult((1, 2, 3, 4))
    history = (Round((Table(tuple("abcd"), (game,)), Table(tuple("efgh"), (game,))), ("i",)),)
    pairing = pair(entries, history, asked, SEED)
    one, bye = pairing.tables[0][0], pairing.byes[0]
    tables, byes = swap(pairing, one, bye)
    again = pair_by_hand(entries, history, asked, tables, byes)
    assert again.byes == (one,) and bye in again.tables[0]
    assert again.quality.repeats >= again.quality.least_possible > 0
    for incomplete in ((), (*byes, "a"), (*byes, "z")):
        with pytest.raises(Refused, match="pairing-invalid"):
            pair_by_hand(entries, history, asked, tables, incomplete)


def test_reserves_fill_the_places_of_who_left() -> None:
    entries = (Entry("a"), Entry("b", left=1), Entry("c"), Entry("r", reserve=True), Entry("s", reserve=True))
    pairing = pair(entries, (), Settings(seats=3, places=3), SEED)
    assert sorted(pairing.tables[0]) == ["a", "c", "r"]
    assert pair(entries, (), Settings(places=None), SEED).tables in ((("a", "c"),), (("c", "a"),))


@pytest.mark.parametrize("change", [
    {"seats": 7}, {"least": 1}, {"most": 3}, {"format": "arena"}, {"format": "single-elimination"}, {"scheme": "own"},
    {"scheme": "arena"}, {"advance": 0}, {"lives": 0},
])  # fmt: skip
def test_settings_that_make_no_sense_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="settings-invalid"):
        pair(named("abcd"), (), Settings(**{"seats": 4, **change}), SEED)


def played(places: tuple[int, ...], **more: Any) -> Callable[[], Any]:
    table = Table(tuple("abcd"), (GameResult(places, **more),))
    return lambda: pair(named("abcd"), (Round((table,)),), Settings(seats=4), SEED)


@pytest.mark.parametrize("ask", [
    played((1, 2, 2, 3)), played((1, 2, 3)), played((1, 2, 3, 4), points=(1, 2)), played((1, 2, 3, 4), absent=(4,)),
    lambda: pair(named("ab"), (Round((), ("z",)),), Settings(), SEED),
    lambda: pair(named("ab"), (Round((Table(("a", "b")),), ("a",)),), Settings(), SEED),
    lambda: pair(named("ab"), (Round((Table(("a", "b"), (GameResult((1, 2)), GameResult((1, 2)))),)),), Settings(), SEED),
    lambda: pair(named("aa"), (), Settings(), SEED),
    lambda: pair(named("ab"), (), Settings(), b""),
    lambda: pair(named("ab"), (), Settings(), SEED, version=2),
])  # fmt: skip
def test_what_cannot_have_been_is_refused(ask: Callable[[], Any]) -> None:
    with pytest.raises(Refused) as refused:
        ask()
    assert refused.value.code in Refused.CODES


def test_pairings_are_told_as_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(four()))["quality"]["sizes"] == {"4": 2}

"""Standings, tie-breaks and the explanations of both."""
from __future__ import annotations

import string
from fractions import Fraction
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludarium.platform.locale import LOCALES
from ludarium_pairing import explanations
from ludarium_pairing.crosstable import Crosstable
from ludarium_pairing.errors import Refused
from ludarium_pairing.explanations import Reason, explain_place, explain_table, sentence, texts
from ludarium_pairing.model import Entry, Format, GameResult, History, Round, Scheme, Settings, Table, TieBreak
from ludarium_pairing.pairing import pair
from ludarium_pairing.standings import standings
from ludarium_pairing.tiebreaks import Amount, criterion
from tests.tournaments.made import entries_of, event, with_changes
from tests.tournaments.test_pairing import SEED, quick

ALL: tuple[TieBreak, ...] = get_args(TieBreak)
ENTRIES = tuple(Entry(id) for id in ("ada", "ben", "cleo", "dora"))
DRAW, WON, LOST = (GameResult((1, 1)),), (GameResult((1, 2)),), (GameResult((2, 1)),)
EXAMPLE: History = (
    Round((Table(("ada", "ben"), WON), Table(("cleo", "dora"), WON))),
    Round((Table(("ben", "dora"), WON),), ("ada", "cleo")),
    Round((Table(("ada", "cleo"), DRAW), Table(("ben", "dora"), WON))),
)
"""Points after these rounds, in units: Ada and Cleo 300, Ben 240, Dora 0."""


def amount(name: TieBreak, entries: tuple[Entry, ...] = ENTRIES, history: History = EXAMPLE, seats: int = 2) -> list[Amount]:
    table = Crosstable(entries, history, Settings(seats=seats))
    found = criterion(name, table, b"lot")(range(len(entries)))
    return [found[number] for number in range(len(entries))]


@pytest.mark.parametrize(("name", "ada"), [
    ("buchholz", 240 + 300 + 300), ("buchholz-cut-1", 300 + 300), ("buchholz-median", 300),
    ("sonneborn-berger", 240 + 300 + 150), ("wins", 2), ("seed", -1),
    ("opponents-win", (Fraction(240, 360) + Fraction(180, 240)) / 2), ("game-points", (120 + 60) // 2),
])  # fmt: skip
def test_tie_breaks_of_ada_as_worked_out_by_hand(name: TieBreak, ada: Fraction) -> None:
    assert amount(name)[0] == ada


def test_an_opponent_who_left_counts_as_even_in_the_rounds_it_missed() -> None:
    entries = (ENTRIES[0], Entry("ben", left=2), *ENTRIES[2:])
    second, third = Round((Table(("ada", "cleo"), DRAW),), ("dora",)), Round((Table(("ada", "dora"), WON),), ("cleo",))
    history: History = (EXAMPLE[0], second, third)
    table = Crosstable(entries, history, Settings())
    assert table.past.scores[1] == 0 and table.as_opponents[1] == 120


def test_opponents_share_has_a_floor_of_a_third() -> None:
    assert amount("opponents-win")[3] >= Fraction(1, 3)
    assert amount("opponents-win", history=(EXAMPLE[0],))[0] == Fraction(1, 3)
    assert amount("opponents-win", history=())[0] == Fraction(1, 3)


def test_head_to_head_counts_only_if_all_who_are_equal_have_met() -> None:
    assert amount("head-to-head")[0] == 0
    ring = tuple(Round((Table(two, WON),)) for two in (("ada", "ben"), ("ben", "cleo"), ("ada", "cleo")))
    assert amount("head-to-head", ENTRIES[:3], ring) == [2, 1, 0]


def test_at_larger_tables_opponents_count_by_their_mean() -> None:
    history: History = (Round((Table(("ada", "ben", "cleo", "dora"), (GameResult((1, 2, 3, 4), (30, 20, 10, 0)),)),)),)
    assert amount("buchholz", history=history, seats=4) == [40, Fraction(160, 3), Fraction(200, 3), 80]
    assert amount("sonneborn-berger", history=history, seats=4) == [40, Fraction(40, 3), 0, 0]
    assert amount("game-points", history=history, seats=4) == [120, 80, 40, 0]


def test_places_are_shared_by_those_whom_nothing_parts() -> None:
    rows = standings(ENTRIES, EXAMPLE, Settings(tie_breaks=("wins",)))
    assert [(row.place, row.id) for row in rows] == [(1, "ada"), (1, "cleo"), (3, "ben"), (4, "dora")]
    assert standings(ENTRIES, (), Settings(tie_breaks=()))[-1].place == 1
    with pytest.raises(Refused, match="settings-invalid"):
        standings(ENTRIES, EXAMPLE, Settings(tie_breaks=("lot",)))
    assert [row.place for row in standings(ENTRIES, (), Settings(tie_breaks=("lot",)), b"lot")] == [1, 2, 3, 4]


@quick
@given(st.integers(0, 1 << 32), st.integers(2, 20), st.integers(2, 5))
def test_standings_do_not_depend_on_the_order_of_results(seed: int, players: int, seats: int) -> None:
    luck = Random(seed)
    entries = with_changes(entries_of(players, luck), 4, luck)
    record = event(entries, Settings(seats=seats, tie_breaks=ALL), 4, luck)
    mixed = tuple(Round(tuple(luck.sample(round.tables, len(round.tables))), round.byes[::-1]) for round in record.history())
    rows = standings(entries, record.history(), record.settings, b"lot")
    assert standings(entries, mixed, record.settings, b"lot") == rows
    assert sorted(row.id for row in rows) == sorted(entry.id for entry in entries)
    assert all(row.by[0] == ("points", Fraction(row.points)) for row in rows)


@quick
@given(st.integers(0, 1 << 32), st.integers(4, 20), st.sampled_from(["place", "5310", "share", "duplicate", "arena"]))
def test_columns_that_are_known_are_those_that_would_be_made(seed: int, players: int, scheme: Scheme) -> None:
    """The columns of closed rounds are reused, and a late entry is added after them."""
    luck = Random(seed)
    entries, seats = entries_of(players, luck), 2 if scheme == "arena" else 3
    record = event(with_changes(entries, 2, luck), Settings(seats=seats, scheme=scheme), 3, luck)
    history, late = record.history(), Entry("late", joined=3, points=120)
    first = Crosstable(record.entries, history[:2], record.settings)
    longer = Crosstable((*record.entries, late), history, record.settings, first.columns)
    anew = Crosstable((*record.entries, late), history, record.settings)
    assert (longer.rows, longer.scores) == (anew.rows, anew.past.scores)


def test_everything_has_words_in_every_language_for_the_same_things() -> None:
    english = texts("en")
    for locale in LOCALES:
        assert texts(locale).keys() == english.keys()
        assert all(fields(texts(locale)[code]) == fields(english[code]) for code in english)
    assert {code[3:] for code in english if code.startswith("by-")} == {*ALL, "points", "reached"}
    assert {code[7:] for code in english if code.startswith("format-")} == set(get_args(Format))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("format", get_args(Format))
def test_everybody_is_told_why_in_every_format_and_language(format: Format, locale: str) -> None:
    luck = Random(2)
    seats = 2 if format in ("single-elimination", "double-elimination", "arena") else 4
    entries = with_changes(entries_of(13, luck), 4, luck)
    record = event(entries, Settings(format=format, seats=seats), 4, luck)
    history = record.history()
    rows = standings(entries, history, record.settings)
    for entry in entries:
        told = explain_place(rows, entry.id)
        for at, round in enumerate(record.rounds):
            told += explain_table(entries, history[:at], record.settings, round.pairing, entry.id)
        assert all(sentence(reason, locale) and "{" not in sentence(reason, locale) for reason in told)


def test_why_third_says_by_what_and_how_much() -> None:
    rows = standings(ENTRIES, EXAMPLE, Settings(tie_breaks=("wins",)))
    ben = explain_place(rows, "ben")
    assert [reason.code for reason in ben] == ["place", "place-behind", "place-before"]
    assert ben[1].about["own"] == "2" and ben[1].about["theirs"] == "2.5"
    assert sentence(ben[0], "en") == "You rank 3 with 2 points."
    assert sentence(ben[2], "es") == "Delante de dora por los puntos: 2 frente a 0."


def test_why_a_bye_and_why_again_the_same_opponent() -> None:
    entries, asked = ENTRIES[:3], Settings()
    history: History = (Round((Table(("ada", "ben"), WON),), ("cleo",)),)
    pairing = pair(entries, history, asked, SEED)
    (bye,) = pairing.byes
    assert [reason.code for reason in explain_table(entries, history, asked, pairing, bye)] == ["bye", "bye-turn"]
    rematch: History = (Round((Table(("ada", "ben"), WON),)),)
    told = explain_table(ENTRIES[:2], rematch, asked, pair(ENTRIES[:2], rematch, asked, SEED), "ada")
    assert Reason("met-before", {"other": "ben", "times": 1}) in told


def test_why_a_short_table_and_which_seat() -> None:
    entries = entries_of(7, Random(1))
    pairing = pair(entries, (), Settings(seats=4), SEED)
    (short,) = [table for table in pairing.tables if len(table) == 3]
    told = explain_table(entries, (), Settings(seats=4), pairing, short[0])
    assert [reason.code for reason in told] == ["format-swiss", "same-score", "new-opponents", "short-table", "seat-least-had"]
    assert explanations.format_points(90) == "0.75"

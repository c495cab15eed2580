"""Recorded rounds pass the second implementation, and edited ones do not."""
from __future__ import annotations

import copy
import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from ludarium_pairing.model import Entry, Scheme, Settings
from ludarium_pairing.record import TournamentRecord, sealed, wrong_rounds
from ludarium_pairing.standings import standings
from tests.tournaments.record_rounds import KEPT, ROUNDS
from tests.tournaments.second import faults
from tests.tournaments.second_formats import FORMATS
from tests.tournaments.second_standings import SINGLE, rows, shown_otherwise

EDITS = 200
SMALL = 17
"""The most entries of an edited tournament, which each edit computes again."""
TIE_BREAKS = ("head-to-head", *(name for name in SINGLE if name != "seed"), "seed")
SCHEMES: tuple[Scheme, ...] = ("place", "5310", "share", "duplicate")
Raw = dict[str, Any]


@pytest.fixture(scope="module")
def records() -> list[Raw]:
    return list(json.loads(gzip.decompress(KEPT.read_bytes())))


def test_500_recorded_rounds_of_all_formats_agree_with_the_second_implementation(records: list[Raw]) -> None:
    assert sum(len(record["rounds"]) for record in records) >= ROUNDS
    assert {record["settings"]["format"] for record in records} == FORMATS.keys()
    assert [list(faults(record, FORMATS)) for record in records] == [[] for _ in records]


def test_they_are_what_the_first_implementation_pairs_today(records: list[Raw]) -> None:
    for record in msgspec.convert(records, list[TournamentRecord], strict=False):
        assert wrong_rounds(record) == []


def test_the_standings_of_all_of_them_agree_by_every_tie_break(records: list[Raw]) -> None:
    """The point schemes take turns.

    Arenas are left out, because no plan has them.
    """
    held = [told for told in records if told["settings"]["format"] != "arena"]
    schemes = Counter[str]()
    for told, scheme in zip(held, cycle(SCHEMES), strict=False):
        record = msgspec.convert(told, TournamentRecord, strict=False)
        settings = structs.replace(record.settings, scheme=scheme, tie_breaks=TIE_BREAKS)
        first = standings(record.entries, tuple(round.played() for round in record.rounds), settings)
        second = rows({**told, "settings": msgspec.to_builtins(settings, str_keys=True)})
        assert [(row.place, row.id, row.points, [*row.by]) for row in first] == [*map(tuple, second)]
        schemes[scheme] += settings.format in ("swiss", "round-robin")
    assert min(schemes[scheme] for scheme in SCHEMES) > 0


def test_a_place_a_figure_and_a_group_that_are_shown_otherwise_are_told() -> None:
    entries = [msgspec.to_builtins(Entry(id)) for id in "12"]
    played = {"seed": "", "pairing": {"tables": [["1", "2"]], "byes": []},
              "results": [[{"places": [2, 1], "points": [], "absent": []}]]}
    record = {"entries": entries, "settings": msgspec.to_builtins(Settings(tie_breaks=("buchholz",))), "rounds": [played]}
    page = [
        {"group": None, "place": 1, "entry": 2, "points": 120, "by": figures("1", "0")},
        {"group": None, "place": 2, "entry": 1, "points": 0, "by": figures("0", "1")},
    ]  # fmt: skip
    assert [*shown_otherwise([record], page, grouped=False)] == []
    for wrong in (
        page[::-1], page[:1], [{**page[0], "place": 2}, page[1]], [{**page[0], "points": 60}, page[1]],
        [{**page[0], "by": figures("1", "0.01")}, page[1]], [{**page[0], "by": figures("1", "0")[:1]}, page[1]],
        [{**page[0], "group": 1}, page[1]],
    ):  # fmt: skip
        assert [*shown_otherwise([record], wrong, grouped=False)]


def figures(points: str, buchholz: str) -> list[Raw]:
    return [{"name": "points", "value": points}, {"name": "buchholz", "value": buchholz}]


def result(record: Raw, luck: Random) -> None:
    """Change the place of a table's first seat in a result."""
    _, tables = luck.choice([(at, tables) for at, tables in enumerate(rounds(record)) if any(tables["results"])])
    games = luck.choice([games for games in tables["results"] if games])
    places = games[0]["places"]
    games[0]["places"] = [places[0] % len(places) + 1, *places[1:]]


def entry(record: Raw, luck: Random) -> None:
    luck.choice(record["entries"])[luck.choice(["rating", "points"])] += 60


def seed(record: Raw, luck: Random) -> None:
    luck.choice(rounds(record))["seed"] = luck.randbytes(32).hex()


def swap(record: Raw, luck: Random) -> None:
    """Swap two players of different tables."""
    round = luck.choice([round for round in rounds(record) if len(round["pairing"]["tables"]) > 1])
    one, other = luck.sample(round["pairing"]["tables"], 2)
    one[0], other[-1] = other[-1], one[0]


def bye(record: Raw, luck: Random) -> None:
    """Exchange the player who has the bye with a player at a table."""
    round = luck.choice([round for round in rounds(record) if round["pairing"]["byes"] and round["pairing"]["tables"]])
    table, byes = luck.choice(round["pairing"]["tables"]), round["pairing"]["byes"]
    table[0], byes[0] = byes[0], table[0]


def rounds(record: Raw) -> list[Raw]:
    return list(record["rounds"])


def edited(records: list[Raw], edits: list[Callable[[Raw, Random], None]], count: int = EDITS) -> Iterator[Raw]:
    """Yield tournaments with one edit each, skipping those that an edit does not fit."""
    luck, made = Random(7), 0
    small = [record for record in records if len(record["entries"]) <= SMALL and record["rounds"]]
    while made < count:
        record, edit = copy.deepcopy(luck.choice(small)), edits[made % len(edits)]
        try:
            edit(record, luck)
        except IndexError:
            continue
        made += 1
        yield record


def test_200_edited_tournaments_are_all_found(records: list[Raw]) -> None:
    found = [next(faults(record, FORMATS), None) for record in edited(records, [result, entry, seed, swap, bye])]
    assert len(found) == EDITS and None not in found


def test_swaps_and_byes_are_found_even_if_the_seals_are_made_anew(records: list[Raw]) -> None:
    for record in edited(records, [swap, bye], 60):
        again = json.loads(msgspec.json.encode(sealed(msgspec.convert(record, TournamentRecord, strict=False))))
        found = [fault for _, fault in faults(again, FORMATS)]
        assert "pairing" in found and "seal" not in found

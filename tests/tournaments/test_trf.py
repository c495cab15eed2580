"""Another program reads the TRF report and gets the same results."""
from __future__ import annotations

from random import Random

import pytest
from caissify_pairings.trf import parse_trf  # type: ignore[import-untyped]

from ludarium_pairing.errors import Refused
from ludarium_pairing.history import PastRounds
from ludarium_pairing.model import WIN, Settings
from ludarium_pairing.trf import report
from tests.tournaments.made import entries_of, event, with_changes


@pytest.mark.parametrize("seed", range(5))
def test_a_report_is_read_back_as_it_was_played(seed: int) -> None:
    luck = Random(seed)
    record = event(with_changes(entries_of(15, luck), 5, luck), Settings(), 5, luck)
    history, past = record.history(), PastRounds(record.entries, record.history(), record.settings)
    read = parse_trf(report("Open", record.entries, history, record.settings))
    assert read["tournament"]["name"] == "Open" and read["tournament"]["total_rounds"] == 5
    assert [player["name"] for player in read["players"]] == [entry.id for entry in record.entries]
    assert [round(player["score"] * WIN) for player in read["players"]] == past.scores
    told = {(at, past.number[white] + 1, past.number[black] + 1) for at, played in enumerate(history, 1)
            for white, black in (table.seats for table in played.tables if table.games)}
    assert told == {(at, player["starting_number"], result["opponent"]) for player in read["players"]
                    for at, result in player["results"].items() if result["color"] == "w"}


def test_results_have_their_codes() -> None:
    luck = Random(1)
    record = event(entries_of(15, luck), Settings(), 6, luck)
    read = parse_trf(report("Open", record.entries, record.history(), record.settings))
    codes = {result["result"] for player in read["players"] for result in player["results"].values()}
    assert {"1", "0", "U"} <= codes <= {"1", "0", "=", "+", "-", "U", "H", "Z"}


@pytest.mark.parametrize("asked", [Settings(seats=4), Settings(scheme="5310")])
def test_larger_tables_and_other_points_have_no_such_report(asked: Settings) -> None:
    with pytest.raises(Refused, match="settings-invalid"):
        report("Open", entries_of(4, Random(1)), (), asked)

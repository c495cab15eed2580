"""The command `ludarium tournament simulate`."""
from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from ludarium.cli import main

KEYS = ["format", "players", "seats", "rounds", "repeats", "least_possible", "seat_spread", "short_table_spread",
        "rank_correlation", "seconds"]  # fmt: skip


def simulate(*words: str) -> Result:
    return CliRunner().invoke(main, ["tournament", "simulate", *words])


def test_it_tells_how_good_a_format_was_as_json() -> None:
    words = "swiss", "--players", "61", "--seats", "4", "--rounds", "5", "--drop-outs", "2", "--seed", "3", "--json"
    told = json.loads(simulate(*words).stdout)
    assert list(told) == KEYS
    assert (told["players"], told["seats"], told["rounds"], told["repeats"]) == (61, 4, 5, 0)
    assert told["short_table_spread"] <= 1 and 0.4 < told["rank_correlation"] <= 1
    again = json.loads(simulate(*words).stdout)
    assert {**again, "seconds": 0} == {**told, "seconds": 0}


def test_formats_are_compared_in_a_table_and_a_chart(tmp_path: Path) -> None:
    chart = tmp_path / "compare.svg"
    words = "--players", "16", "--seats", "4", "--rounds", "5", "--svg", str(chart)
    told = simulate("swiss", "lives", "single-elimination", *words)
    assert told.exit_code == 0 and "after round 4" in told.stdout
    lines = ElementTree.fromstring(chart.read_text()).findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [5, 5, 4]


@pytest.mark.parametrize("name, rounds", [("pods", 7), ("single-elimination", 8), ("swiss", 5)])
def test_a_format_that_knocks_players_out_runs_to_its_end_unless_a_number_of_rounds_is_given(name: str, rounds: int) -> None:
    words = name, "--players", "256", "--seats", "4", "--seed", "1", "--json"
    assert json.loads(simulate(*words).stdout)["rounds"] == rounds
    assert json.loads(simulate(*words, "--rounds", "3").stdout)["rounds"] == 3


@pytest.mark.parametrize("words", ["chess", "swiss --seats 7", "lives --seats 2", "swiss --players 0"])
def test_what_does_not_exist_is_refused(words: str) -> None:
    assert simulate(*words.split()).exit_code == 2

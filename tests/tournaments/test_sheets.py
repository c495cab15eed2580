"""Text in exported sheets never becomes a formula, and numbers stay numbers."""
from __future__ import annotations

import csv
import io

import pytest

from ludarium.tournaments.csv_export import to_csv
from ludarium.tournaments.csv_import import parsed_lines

PLAYER = "01an4z07by79ka1307sr9x4mv3"


def cell(value: object) -> str:
    ((read,),) = csv.reader(io.StringIO(to_csv([[value]])))
    return read


@pytest.mark.parametrize("formula", [
    "=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "=", "-",
    "\uff1d1+1", "\uff0b1+1", "\uff0d1+1", "\uff20SUM(1)", "\ufe661+1", "\u22121+1",
])  # fmt: skip
def test_a_formula_becomes_text(formula: str) -> None:
    assert cell(formula) == f"'{formula}"


@pytest.mark.parametrize("number", ["-8", "-8.5", "0", "12.25", "-0.5"])
def test_a_number_stays_a_number(number: str) -> None:
    assert cell(number) == number and cell(float(number)) == str(float(number))


@pytest.mark.parametrize("name", ["Ada", "Jean-Luc", "a=b", "'tis", "Ada; the first"])
def test_other_text_is_left_as_it_is(name: str) -> None:
    assert cell(name) == name


def test_a_formula_behind_another_separator_becomes_text() -> None:
    """Where the comma is a decimal sign, spreadsheets split cells at semicolons."""
    assert cell("Ada;=1+1") == "Ada;'=1+1" and cell("Ada; \uff1d1") == "Ada;' \uff1d1"


@pytest.mark.parametrize("name", ["=Ben", "\uff1dBen", "Ada;=1", "-8", "Ada"])
def test_a_name_of_a_sheet_is_imported_as_it_was(name: str) -> None:
    line = to_csv([[PLAYER, 1500, name]])
    assert parsed_lines(line)[1].name == name


def test_a_name_that_begins_with_an_apostrophe_keeps_it() -> None:
    assert parsed_lines(f"{PLAYER},1500,'t Hooft")[1].name == "'t Hooft"

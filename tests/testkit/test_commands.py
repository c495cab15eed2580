"""The commands of `ludarium-engine`, run as the author of a title types them."""
from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ludarium_engine.testkit.commands.app import app
from ludarium_engine.titles.game_of_kingdoms import rules
from ludarium_engine.titles.game_of_kingdoms.state import at

KINGDOMS = "game-of-kingdoms"


def command(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_the_command_prints_its_version() -> None:
    assert command("--version").stdout == f"{version('ludarium-engine')}\n"


def test_simulate_prints_who_won() -> None:
    result = command("simulate", "game_of_kingdoms", "--seats", "3", "--games", "4", "--seed", "7", "--bots", "simple,random")
    assert result.exit_code == 0 and "4 of 4 games finished" in result.stdout and "place 3" in result.stdout


def test_simulate_prints_how_many_games_a_limit_ended() -> None:
    words = "simulate", "kemet", "--games", "4", "--seed", "7", "--option", "max_days=1"
    assert "4 of them (100.0%) were ended by a limit" in command(*words).stdout
    assert json.loads(command(*words, "--json").stdout)["cut_short"] == 4


def test_simulate_as_data() -> None:
    words = "simulate", KINGDOMS, "--seats", "4", "--games", "5", "--seed", "7", "--option", "version=ruthless", "--json"
    result = json.loads(command(*words).stdout)
    assert set(result) >= {"ruleset", "options", "seats", "games", "finished", "actions", "seconds", "actions_per_second",
                         "lengths", "outcomes"}  # fmt: skip
    assert result["options"] == {"version": "ruthless"} and result["finished"] == result["games"] == 5
    assert [sum(row["places"]) for row in result["outcomes"]] == [5] * 4
    again = json.loads(command(*words).stdout)
    assert (again["actions"], again["outcomes"]) == (result["actions"], result["outcomes"])


def test_fuzz_plays_every_variant() -> None:
    result = command("fuzz", KINGDOMS, "--games", "3", "--seats", "2-4", "--seed", "1").stdout.splitlines()
    assert result[0] == "seed 1" and len(result) == 4 and all("3 games at 2, 3, 4 seats" in line for line in result[1:])


def test_fuzz_saves_a_game_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "clear_cards", lambda t, where: t.add(at.trump, -9))
    result = command("fuzz", KINGDOMS, "--games", "3", "--seats", "2", "--seed", "1", "--save", str(tmp_path))
    (saved,) = tmp_path.iterdir()
    assert result.exit_code == 1 and str(saved) in result.stderr.replace("\n", "")
    assert json.loads(saved.read_text())["events"]


def test_prove_saves_a_game_in_which_the_rules_break(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "clear_cards", lambda t, where: t.add(at.hand, 1))
    result = command("prove", KINGDOMS, "--games", "1", "--seats", "2", "--seed", "1", "--save", str(tmp_path))
    (saved,) = tmp_path.iterdir()
    assert result.exit_code == 1 and "again: ludarium-engine prove" in result.stderr
    assert str(saved) in result.stderr.replace("\n", "")
    assert json.loads(saved.read_text())["events"]


def test_prove_prints_what_was_opened() -> None:
    result = command("prove", KINGDOMS, "--games", "1", "--seats", "4", "--seed", "1")
    assert result.exit_code == 0 and "sealed answers" in result.stdout
    assert ": 9 noticed when opened, 0 not noticed" in result.stdout


@pytest.mark.parametrize("words", [
    ("simulate", "chess"), ("simulate", KINGDOMS, "--seats", "9"), ("simulate", KINGDOMS, "--bots", "genius"),
    ("simulate", KINGDOMS, "--option", "version"), ("simulate", KINGDOMS, "--option", "version=kind"),
    ("simulate", KINGDOMS, "--games", "0"), ("fuzz", KINGDOMS, "--seed", "-1"), ("fuzz", KINGDOMS, "--seats", "six"),
    ("fuzz", KINGDOMS, "--seats", "5-2"), ("prove", KINGDOMS, "--seats", "1-3"), ("new-title", "Kemet", "--in", "nowhere"),
])  # fmt: skip
def test_wrong_arguments_are_refused(words: tuple[str, ...]) -> None:
    result = command(*words)
    assert result.exit_code == 2 and "Traceback" not in result.output

"""The smallest `make load`, which plays games and compares them with the log.

It also reports costs.
"""
from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from tests.load import main

LOAD = [sys.executable, "-m", "tests.load"]


def options(given: dict[str, object]) -> list[str]:
    return [each for name, value in given.items() for each in (f"--{name}", str(value))]


def test_a_small_load_is_told_and_held_against_the_log() -> None:
    given = options({"players": 4, "spectators": 2, "seconds": 3, "title": "game-of-kingdoms"})
    ran = subprocess.run([*LOAD, *given], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]
    assert "CPU a command, and memory:" in ran.stdout and "p99 ms" in ran.stdout
    assert ran.stdout.index("Holding what was told against the log") > ran.stdout.index("CPU a command")


@pytest.mark.parametrize(("given", "told"), [
    ({"title": "chess"}, "chess"), ({"players": 100_000}, "players"), ({"spectators": -1}, "spectators"),
    ({"seconds": 100_000}, "seconds"),
])  # fmt: skip
def test_a_load_that_is_none_or_too_much_is_refused(given: dict[str, object], told: str) -> None:
    app = typer.Typer()
    app.command()(main)
    ran = CliRunner().invoke(app, options({"players": 4, "spectators": 0, "seconds": 1, "title": "kemet", **given}))
    assert ran.exit_code == 2 and told in ran.stderr

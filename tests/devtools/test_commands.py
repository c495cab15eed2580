"""The commands of `python -m devtools`, run as a developer types them."""
from __future__ import annotations

import pytest
from typer.testing import CliRunner, Result

from devtools.__main__ import app

KINGDOMS = "game-of-kingdoms"


def devtools(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_perft_counts_action_sequences() -> None:
    lines = devtools("perft", KINGDOMS, "--seats", "2", "--seed", "2", "--depth", "3").stdout.splitlines()
    assert [line.split() for line in lines[1:]] == [["1", "10"], ["2", "34"], ["3", "100"]]


def test_generated_files_are_compared() -> None:
    assert devtools("schema", "--check").exit_code == 0


@pytest.mark.parametrize("words", [
    ("perft", KINGDOMS, "--depth", "99"), ("perft", KINGDOMS, "--seed", "-1"), ("perft", "chess"),
])  # fmt: skip
def test_wrong_arguments_are_refused(words: tuple[str, ...]) -> None:
    result = devtools(*words)
    assert result.exit_code == 2 and "Traceback" not in result.output

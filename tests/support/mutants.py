"""Run mutants of the product against the tests that cover the mutated lines.

Usage: `python -m tests.support.mutants --help`. `tests/mutants.json` contains sixty mutants made by cosmic-ray's operators,
ten for each area, chosen from the covered lines by a seed. After a change of the suite, every mutant that was caught before
must still be caught.
"""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from coverage import CoverageData

PROJECT = Path(__file__).parents[2]
LIST = PROJECT / "tests/mutants.json"
FIRST = 40
"""Tests in the first run of a mutant: one of the quickest catches most mutants."""
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help=__doc__)


class Mutant(msgspec.Struct, frozen=True):
    """A change of one line of a file."""

    area: str
    path: str
    line: int
    operator: str
    before: str
    after: str


class Outcome(msgspec.Struct, frozen=True):
    """The result of running the tests of a mutant.

    Attributes:
        caught_by: The test that failed, or None if the mutant survived.
    """

    mutant: Mutant
    tests: int
    caught_by: str | None


@app.command()
def run(
    coverage: list[Path], outcomes: Annotated[Path, typer.Option()], root: Path = PROJECT, first: int = 0, last: int = 1000
) -> None:
    """Run each mutant, and append its outcome to `outcomes` as a line of JSON.

    Args:
        coverage: Files written by `tests.support.coverage_by_test` in a run without parallel tests.
        root: The checkout whose files are changed, and whose `.venv/` runs the tests.
        first: The number of the first mutant to run.
        last: The number of the last mutant to run.
    """
    covering = [CoverageData(str(path)) for path in coverage]
    for data in covering:
        data.read()
    for nth, mutant in enumerate(msgspec.json.decode(LIST.read_bytes(), type=list[Mutant])):
        if first <= nth <= last:
            tests = tests_of(covering, root, mutant)
            with applied(root, mutant):
                outcome = tried(root, mutant, tests)
            with outcomes.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")
            print(f"{nth} {mutant.path}:{mutant.line} {outcome.caught_by or 'SURVIVED'}", flush=True)


def tests_of(covering: Sequence[CoverageData], root: Path, mutant: Mutant) -> list[str]:
    """Return the names of the tests that run the mutated line."""
    where, line = str(root / mutant.path), position(root, mutant) + 1
    found = {test for data in covering for test in data.contexts_by_lineno(where).get(line, ()) if test}
    return sorted(found)


def tried(root: Path, mutant: Mutant, tests: list[str]) -> Outcome:
    for part in (tests[:: max(1, len(tests) // FIRST)], tests):
        if part and (failed := failing(root, part)):
            return Outcome(mutant, len(tests), failed)
    return Outcome(mutant, len(tests), None)


def failing(root: Path, tests: Sequence[str]) -> str | None:
    """Run these tests and return the first one that fails, or None."""
    command = [str(root / ".venv/bin/python"), "-m", "pytest", "-x", "--timeout=300", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED tests", "ERROR tests"))]
    return lines[0][:200] if lines else f"pytest ended with {done.returncode}"


@contextmanager
def applied(root: Path, mutant: Mutant) -> Iterator[None]:
    path = root / mutant.path
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    lines[position(root, mutant)] = mutant.after + "\n"
    path.write_text("".join(lines))
    try:
        yield
    finally:
        path.write_text(text)


def position(root: Path, mutant: Mutant) -> int:
    """Return the index of the mutated line, which may have moved in the file.

    Of several lines with the mutant's text, the nearest to the recorded number is taken.

    Raises:
        ValueError: No line has this text.
    """
    lines = (root / mutant.path).read_text().splitlines()
    return min((at for at, line in enumerate(lines) if line == mutant.before), key=lambda at: abs(at - mutant.line))


if __name__ == "__main__":
    sys.exit(app())

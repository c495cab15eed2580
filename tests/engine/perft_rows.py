"""Perft rows count the sequences of 1, 2, 3 ... actions from the start of a game.

`python -m tests.engine.perft_rows` adds missing titles to perft_rows/. A row is `seats | seed | options | counts`.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ludarium_engine.kernel import checked_options, new_game
from ludarium_engine.registry import AnyTitle, titles
from ludarium_engine.testkit.commands.arguments import options_of
from ludarium_engine.testkit.fuzz import Case, cases, chance_of
from ludarium_engine.testkit.perft import perft

FOLDER = Path(__file__).with_suffix("")
ENOUGH, DEEPEST = 1000, 8


class Row(NamedTuple):
    ruleset: str
    seats: int
    seed: int
    options: str
    counts: list[int]


def rows() -> list[Row]:
    return [row_of(path.stem, line) for path in sorted(FOLDER.glob("*.txt")) for line in path.read_text().splitlines()]


def row_of(ruleset: str, line: str) -> Row:
    seats, seed, options, counts = (cell.strip() for cell in line.split("|"))
    return Row(ruleset, int(seats), int(seed), options, [*map(int, counts.split())])


def count(title: AnyTitle, row: Row, depth: int) -> int:
    chance = chance_of(row.seed)
    s, _ = new_game(title, checked_options(title, options_of(row.options.split()), row.seats), row.seats, chance)
    return perft(title, s, chance, depth)


def path_of(title: AnyTitle) -> Path:
    return FOLDER / f"{title.id}.txt"


def counted(case: Case) -> str:
    """Return a row for the case, counted as deep as needed for enough sequences."""
    options = " ".join(f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in case.raw.items())
    row = Row(case.title.id, case.seats, case.seats, options, [*depths(case, options)])
    return f"{row.seats} | {row.seed} | {row.options} | {' '.join(map(str, row.counts))}"


def depths(case: Case, options: str) -> Iterator[int]:
    for depth in range(1, DEEPEST + 1):
        found = count(case.title, Row(case.title.id, case.seats, case.seats, options, []), depth)
        yield found
        if found > ENOUGH:
            return


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for title in titles().values():
        if not path_of(title).exists():
            path_of(title).write_text("".join(f"{counted(case)}\n" for case in cases(title)))

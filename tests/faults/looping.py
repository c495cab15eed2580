"""A release whose Game of Kingdoms loops forever in its first attack.

Run it with `python -m tests.faults.looping serve`.
"""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludarium.cli import main
from ludarium_engine.kernel.scripts import Ask
from ludarium_engine.registry import titles


def loops(*_: Any) -> None:
    while True:
        pass


def with_a_loop() -> None:
    script = titles()["game-of-kingdoms"].scripts["round"]
    script.rows = tuple(
        replace(row, handlers=loops) if isinstance(row, Ask) and row.name == "lead" else row for row in script.rows
    )


if __name__ == "__main__":
    with_a_loop()
    main()

"""Measure a player's command while another visitor runs forty tables of bots.

The result is its ratio to the same command without the bots.
"""
from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.http import Match, served
from benchmarks.rows import Row

TABLES, SEATS = 40, 5
COMMANDS = 200
RUNS = 3


def rows() -> Iterator[Row]:
    with (
        tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder,
        served(Path(folder), LUDARIUM_BOT_GAMES=str(TABLES)) as server,
    ):
        person, visitor = Match(server, Random(1)), Match(server, Random(2))
        person.play(COMMANDS)                   # warm-up
        alone = median(median_of(person) for _ in range(RUNS))
        tables = [table_of_bots(visitor) for _ in range(TABLES)]
        before = events(visitor, tables)
        beside = median(median_of(person) for _ in range(RUNS))
        moves = events(visitor, tables) - before
    yield Row(
        name=f"bots: a person's command beside {TABLES} tables of {SEATS} bots, p50", value=round(beside * 1e3, 2), unit="ms",
        beside=f"without them {alone * 1e3:.2f} ms; they moved {moves:,} times", ratio=beside / alone, goal="<= 2 x",
        holds=beside <= 2 * alone,
    )  # fmt: skip


def median_of(person: Match) -> float:
    return median(person.play(COMMANDS)[1])


def table_of_bots(visitor: Match) -> str:
    token = visitor.tokens[0]
    table: str = visitor.post("/tables", {"ruleset": "kemet", "seats": SEATS}, token)["id"]
    for _ in range(SEATS):
        visitor.post(f"/tables/{table}/seats", {"bot": "simple"}, token)
    visitor.post(f"/tables/{table}/start", {}, token)
    return table


def events(visitor: Match, tables: list[str]) -> int:
    return sum(visitor.view(table, "")["seq"] for table in tables)

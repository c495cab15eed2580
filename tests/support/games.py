"""A pytest plugin that records which games the tests of a run have played.

Use it with `-p tests.support.games --games=FILE`. For each database that tests used, it writes a line to FILE with the
tests, the number of tables, and a hash of the tables. The last line is a hash of all others. The hash of a table covers its
title, options, seats and deal seed, and the moves and facts of its game, but no times, ids or hashes. Two runs of the same
tests therefore write the same file, in whatever order they run.

Databases of servers that a test starts and drops by itself are not included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest

from ludarium.tables.model.event_types import UNDOS, decode
from ludarium.tables.model.events import Acted, GameStarted, TableEnded, TableOpened
from ludarium.tables.model.hash_chain import SEED

ROWS = """select e.partition, e.stream_id, e.type, e.schema, e.data, s.data as secret
          from es.events e left join es.secrets s using (partition, stream_id) order by 1, 2, e.version"""
ORDERED = msgspec.json.Encoder(order="deterministic")


class Games:
    """The games of this run, or nothing unless a file was requested."""

    file: Path | None = None
    lines: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--games", type=Path, help="write hashes of the games that were played into this file")


def pytest_configure(config: pytest.Config) -> None:
    Games.file = config.getoption("--games")


def pytest_unconfigure() -> None:
    if Games.file is not None:
        told = sorted(Games.lines)
        Games.file.write_text("\n".join([*told, f"all {len(told)} {digest(told)}", ""]))


async def record(url: str, tests: str) -> None:
    """Record the games of a database that is about to be dropped.

    Args:
        tests: The names of the tests that used the database.
    """
    if Games.file is None:
        return
    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("select to_regclass('es.events')") is None:
            return
        rows = await connection.fetch(ROWS)
    finally:
        await connection.close()
    tables = sorted(filter(None, (game(stored) for _, stored in streams(rows))))
    if tables:
        Games.lines.append(f"{tests} {len(tables)} {digest(tables)}")


def streams(rows: Sequence[asyncpg.Record]) -> Iterator[tuple[Any, list[asyncpg.Record]]]:
    for key, stored in groupby(rows, key=lambda row: row["stream_id"]):
        yield key, [*stored]


def game(stored: Sequence[asyncpg.Record]) -> str:
    """Return a hash of one stream, or "" if the stream is not a table."""
    first = decode(stored[0]["type"], stored[0]["schema"], stored[0]["data"])
    if not isinstance(first, TableOpened):
        return ""
    told: list[Any] = [first.ruleset, first.options, first.seats, (stored[0]["secret"] or b"")[SEED : 2 * SEED].hex()]
    for each in stored:
        row = decode(each["type"], each["schema"], each["data"])
        match row:
            case GameStarted():
                told.append(["started", row.nonces, row.facts])
            case Acted():
                told.append(["acted", row.seat, row.action, row.facts])
            case TableEnded():
                told.append(["ended", row.reason, row.outcome])
            case _ if type(row) in UNDOS:
                told.append(["undone"])
    return digest([ORDERED.encode(told).hex()])


def digest(lines: Sequence[str]) -> str:
    return blake2b("\n".join(lines).encode(), digest_size=16).hexdigest()

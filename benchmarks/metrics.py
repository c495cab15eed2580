"""Measure the CPU of metrics and log lines, compared with the CPU of a command."""
from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.http import COMMANDS, Match, served
from benchmarks.rows import Row, cpu_once
from ludarium.http import edge
from ludarium.live.encoded import time_of
from ludarium.platform import logs, metrics, traces
from ludarium.tables.routes.commands import TEMPLATE
from ludarium_eventstore import Ok

RUNS = 5
TIMES = 5_000
GOAL = 0.01
LOOKS = 3
"""The number of table look-ups in one command."""
EVENT = b'{"type":"acted","seq":7,"head":"0123456789abcdef","data":{"at":"2026-11-22T08:15:04.123Z","seat":0}}'
STORE, OK = metrics.StoreMetrics(), Ok(1, 1)


async def rows() -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder, served(Path(folder)) as server:
        command = median(Match(server, Random(n)).play(COMMANDS)[0] for n in range(RUNS))
    counting = cost(counted)
    yield row("metrics: counting what a command does", counting, command, GOAL)
    with written():
        yield row("log: the line of a request, as JSON", cost(counted) - counting, command)


def row(name: str, value: float, command: float, most: float | None = None) -> Row:
    holds = None if most is None else value <= most * command
    return Row(
        name=name, value=round(value, 1), unit="us", beside=f"CPU of a command over HTTP, with both: {command:.0f} us",
        ratio=value / command, goal="" if most is None else f"<= {most:.0%}", holds=holds,
    )  # fmt: skip


def counted() -> None:
    """Update all metrics that a command updates, from its first byte to its push.

    If logging is on, this also formats the command's log line.
    """
    line = edge.Line("POST")
    with metrics.answered(metrics.commands, metrics.command_time):
        for _ in range(LOOKS):
            metrics.tables_hit.inc()
        STORE.waited(0.001)
        STORE.sent(1, 0.001)
        STORE.appended(OK, 0.001)
    metrics.fan_out.observe(max(0.0, time.time() - (time_of(EVENT) or 0)))
    line.begins(200)
    line.ends(TEMPLATE, traces.NONE)


def cost(work: Callable[[], None]) -> float:
    """Return the microseconds of CPU per call."""

    def often() -> None:
        for _ in range(TIMES):
            work()

    return min(cpu_once(often) for _ in range(RUNS)) / TIMES * 1e6


@contextmanager
def written() -> Iterator[None]:
    """Format log lines in full while the context is open, and discard them."""
    root = logging.getLogger()
    with open(os.devnull, "w") as nowhere:
        handler = logging.StreamHandler(nowhere)
        handler.setFormatter(logs.formatter("json"))
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        try:
            yield
        finally:
            root.removeHandler(handler)
            root.setLevel(logging.WARNING)

"""One figure of a benchmark, and helpers to measure it."""
from __future__ import annotations

import platform
import sysconfig
from collections.abc import Callable
from statistics import median
from time import process_time

import msgspec

BUILT = sysconfig.get_config_var("CONFIG_ARGS") or ""
INTERPRETER = f"CPython {platform.python_version()}, {'with' if '--enable-optimizations' in BUILT else 'without'} PGO"
"""A build without PGO is up to 1.5 times slower: do not compare rows of the two."""


class Row(msgspec.Struct, kw_only=True):
    """A figure.

    Attributes:
        beside: What the value is compared with, as text.
        ratio: The value divided by that, if both were measured in the same run.
        goal: What is wanted, as text.
        holds: Whether the goal was reached; None without a goal.
        interpreter: The interpreter that ran the benchmark.
    """

    name: str
    value: float
    unit: str
    beside: str = ""
    ratio: float | None = None
    goal: str = ""
    holds: bool | None = None
    interpreter: str = INTERPRETER


def cpu_seconds(work: Callable[[], object], runs: int = 5) -> float:
    """The median process time of several runs."""
    return median(cpu_once(work) for _ in range(runs))


def cpu_once(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start

"""Define the result rows of benchmarks, and helpers to measure them."""
from __future__ import annotations

import platform
import sysconfig
from collections.abc import Callable
from statistics import median
from time import process_time

import msgspec

BUILT = sysconfig.get_config_var("CONFIG_ARGS") or ""
INTERPRETER = f"CPython {platform.python_version()}, {'with' if '--enable-optimizations' in BUILT else 'without'} PGO"
"""A build without PGO is up to 1.5 times slower, so do not compare its rows with those of a build with PGO."""


class Row(msgspec.Struct, kw_only=True):
    """A measured figure.

    Attributes:
        beside: a text that says with what the value is compared.
        ratio: the value divided by the compared value, if both were measured in the same run.
        goal: a text that says which value or ratio is wanted.
        holds: whether the goal was reached; None without a goal.
        interpreter: the interpreter that ran the benchmark.
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
    """Return the median process time of several runs, in seconds."""
    return median(cpu_once(work) for _ in range(runs))


def cpu_once(work: Callable[[], object]) -> float:
    start = process_time()
    work()
    return process_time() - start

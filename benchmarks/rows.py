"""One figure of a benchmark, and how it is taken."""
from __future__ import annotations

import platform
import sysconfig
from collections.abc import Callable
from statistics import median
from time import process_time

import msgspec

BUILT = sysconfig.get_config_var("CONFIG_ARGS") or ""
INTERPRETER = f"CPython {platform.python_version()}, {'with' if '--enable-optimizations' in BUILT else 'without'} PGO"
"""One without is up to 1.5 times slower: rows of two are not to be compared."""


class Row(msgspec.Struct, kw_only=True):
    """beside: what the value is compared with, as text; ratio: value divided by it where it was measured in the same run.

    goal: what is wanted, as text; holds: whether it was reached, None where no goal is set. interpreter: that ran it.
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

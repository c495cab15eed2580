"""Measure the recorder of the library `eventsourcing`, for comparison.

The library has a virtual environment of its own.
"""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PACKAGES = ("eventsourcing==9.5.6", "psycopg[binary,pool]>=3.2")
PLACE = Path(sys.prefix) / "peers" / "eventsourcing"
SCRIPT = Path(__file__).with_name("recorder.py")
THREADS = (1, 2, 4, 8, 16, 32)


def recorded(dsn: str, tables: int, payload: int) -> float:
    """Return the appends per second with the best number of threads.

    The appends are single ones, to a number of tables.
    """
    return max(append(dsn, tables, payload, threads) for threads in THREADS)


def append(dsn: str, tables: int, payload: int, threads: int) -> float:
    parts = urlsplit(dsn)
    where = [parse_qs(parts.query)["host"][0], parts.username or "", parts.path[1:]]
    command = [str(python()), str(SCRIPT), *where, *map(str, (tables, payload, threads))]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def python() -> Path:
    """Return the interpreter of the library's environment.

    The first call creates the environment.
    """
    found, complete = PLACE / "bin" / "python", PLACE / "complete"
    if not complete.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", PLACE], check=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        complete.touch()
    return found

"""A peer: the recorder of the library `eventsourcing`, in its own environment."""
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
    """Single appends per second to that many tables, with the best number of threads."""
    return max(append(dsn, tables, payload, threads) for threads in THREADS)


def append(dsn: str, tables: int, payload: int, threads: int) -> float:
    parts = urlsplit(dsn)
    where = [parse_qs(parts.query)["host"][0], parts.username or "", parts.path[1:]]
    command = [str(python()), str(SCRIPT), *where, *map(str, (tables, payload, threads))]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def python() -> Path:
    """The interpreter of the environment, which is made on first use."""
    found, complete = PLACE / "bin" / "python", PLACE / "complete"
    if not complete.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", PLACE], check=True)
        subprocess.run([found, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        complete.touch()
    return found

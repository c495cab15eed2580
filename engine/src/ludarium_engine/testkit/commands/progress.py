"""Show progress on stderr, so that stdout contains only data."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from rich.console import Console
from rich.progress import track

Item = TypeVar("Item")
ERRORS = Console(stderr=True)


def with_progress(items: Iterable[Item], description: str, total: int) -> Iterable[Item]:
    return track(items, description, total, console=ERRORS, transient=True)

"""Progress bars on the error stream, so that the output stays data."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Item = TypeVar("Item")
ERRORS = Console(stderr=True)


def followed(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=ERRORS, transient=True) as progress:
        yield from progress.track(items, total, description=what)

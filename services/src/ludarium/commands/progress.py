"""Progress bars on the error stream, so that the output stays data."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Item = TypeVar("Item")
ERRORS = Console(stderr=True)


def followed(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    with shown() as progress:
        yield from progress.track(items, total, description=what)


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """To be told how much is done, and of how much, which may grow."""
    with shown() as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def shown() -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=ERRORS, transient=True)

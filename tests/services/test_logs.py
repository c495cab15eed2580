"""Log lines of failures have a reason, and libraries cannot flood the log."""
from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from ludarium.platform import logs
from ludarium.platform.problems import Problem
from ludarium_eventstore import StoreUnavailable
from ludarium_eventstore.reconnect import again

LIBRARY = "asyncpg.pool"


class Stepped:
    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Stepped:
    return Stepped()


@pytest.fixture
def written(clock: Stepped) -> Iterator[io.StringIO]:
    """Yield the output of a process that has set up its log."""
    text, root = io.StringIO(), logging.getLogger()
    handler = logging.StreamHandler(text)
    handler.setFormatter(logs.formatter("text"))
    for wanted in logs.filters(clock):
        handler.addFilter(wanted)
    root.addHandler(handler)
    yield text
    root.removeHandler(handler)


def lines(written: io.StringIO) -> list[str]:
    return written.getvalue().splitlines()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "deadlines wait: TimeoutError"),
        (OSError("no way"), "deadlines wait: OSError: no way"),
        (Problem("unavailable", retry_after=5), "deadlines wait: Problem: unavailable"),
    ],
)
def test_a_warning_has_a_reason(written: io.StringIO, error: Exception, said: str) -> None:
    logging.getLogger("ludarium.tables.deadlines").warning("deadlines wait: %s", error)
    assert f" {said} " in written.getvalue()


async def test_a_store_that_is_unavailable_says_why() -> None:
    async def run() -> None:
        raise TimeoutError

    with pytest.raises(StoreUnavailable, match="TimeoutError"):
        await again(run, patience=-1)


def test_a_library_writes_a_warning_a_minute(written: io.StringIO, clock: Stepped) -> None:
    """The database driver warns several times a second while PostgreSQL is away."""
    for clock.at in (0, 0.2, 30, 59, 60, 61):
        try:
            raise ConnectionRefusedError
        except ConnectionRefusedError:
            logging.getLogger(LIBRARY).warning("Failed to restore the pool %s", "floor", exc_info=True)
    first, second = lines(written)
    assert "Failed to restore the pool floor: ConnectionRefusedError" in first
    assert "(3 more since the last line)" in second


def test_other_loggers_are_written_meanwhile_and_an_error_keeps_its_traceback(written: io.StringIO) -> None:
    for name in (LIBRARY, "asyncio", "ludarium.api", "ludarium.api"):
        try:
            raise ValueError(name)
        except ValueError:
            logging.getLogger(name).exception("failed")
    assert written.getvalue().count("Traceback") == 4

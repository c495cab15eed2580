"""Background work of a process."""

import asyncio
import logging

import pytest

from ludarium.platform import background, metrics
from tests.support.waiting import in_time


async def test_endless_work_that_fails_is_logged_counted_and_starts_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE", 0.0)
    before, runs, goes_on = metrics.work_failed._value.get(), 0, asyncio.Event()

    async def work() -> None:
        nonlocal runs
        runs += 1
        if runs < 3:
            raise ZeroDivisionError
        goes_on.set()
        await asyncio.Event().wait()

    with caplog.at_level(logging.ERROR):
        async with background.background(background.endless(work)):
            await in_time(goes_on.wait())
    assert (runs, metrics.work_failed._value.get() - before) == (3, 2)
    assert len([record for record in caplog.records if record.exc_info and "starts again" in record.getMessage()]) == 2


async def test_endless_work_ends_when_it_is_cancelled_or_returns() -> None:
    began = asyncio.Event()

    async def work() -> None:
        began.set()
        await asyncio.Event().wait()

    task = background.started(background.endless(work))
    await in_time(began.wait())
    await background.ended(task)
    assert task.cancelled()

    async def done() -> None:
        pass

    await in_time(background.endless(done))

"""Worker processes, and the limits that end their work."""
from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ludarium.platform import processes
from ludarium.platform.problems import Problem
from ludarium.platform.processes import Processes, WorkerDied
from ludarium.platform.worker_process import packed
from tests.services.busy import burn, niceness, stop_and_burn, wait_for
from tests.support.waiting import eventually, in_time


def stopped(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_STOPPED


async def test_work_that_uses_too_much_cpu_time_ends_and_does_not_block_the_loop() -> None:
    workers, checks = Processes(1, 0.5, 1), 0
    work = asyncio.create_task(workers.run(burn, 600))

    def done() -> bool:
        nonlocal checks
        checks += 1
        return work.done()

    await eventually(done)
    assert checks > 5 and isinstance(work.exception(), TimeoutError)
    assert await workers.run(len, b"the next process") == 16


async def test_a_process_that_gets_no_cpu_finishes_its_work_later() -> None:
    workers = Processes(1, 0.5, 1)
    pid = await workers.run(os.getpid)
    work = asyncio.create_task(workers.run(stop_and_burn, 0.1))
    began = time.monotonic()
    await eventually(lambda: stopped(pid) and time.monotonic() - began > 1)     # twice its limit
    os.kill(pid, signal.SIGCONT)
    assert await in_time(work) == 0.1


async def test_each_piece_of_work_has_the_whole_limit() -> None:
    workers = Processes(1, 0.5, 1)
    assert [await workers.run(burn, 0.3) for _ in range(3)] == [0.3] * 3


async def test_a_process_that_stands_still_ends_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LEAST_WALL", 0.5)
    with pytest.raises(TimeoutError):
        await in_time(Processes(1, 0.01, 1).run(signal.pause))


async def test_a_process_that_dies_is_replaced() -> None:
    workers = Processes(1, 5, 1)
    with pytest.raises(WorkerDied, match="ended with 3"):
        await workers.run(os._exit, 3)
    assert await workers.run(len, b"") == 0


async def test_an_error_of_the_work_is_raised_here_and_its_process_goes_on() -> None:
    workers = Processes(1, 5, 1)
    pid = await workers.run(os.getpid)
    with pytest.raises(ValueError, match="invalid literal"):
        await workers.run(int, "x")
    assert await workers.run(os.getpid) == pid


async def test_waiting_for_another_piece_of_work_does_not_count(tmp_path: Path) -> None:
    workers, pipe = Processes(1, 0.5, 2), tmp_path / "pipe"
    os.mkfifo(pipe)
    first = asyncio.create_task(workers.run(wait_for, str(pipe)))
    second = asyncio.create_task(workers.run(burn, 0.3))
    await eventually(lambda: workers.waiting)
    await asyncio.to_thread(pipe.write_text, "done")
    assert (await in_time(first), await in_time(second)) == ("done", 0.3)


async def test_work_beyond_the_limit_of_waiting_is_refused(tmp_path: Path) -> None:
    workers, pipe = Processes(1, 5, 1), tmp_path / "pipe"
    os.mkfifo(pipe)
    waiting = [asyncio.create_task(workers.run(wait_for, str(pipe))), asyncio.create_task(workers.run(len, b""))]
    await eventually(lambda: workers.waiting)
    with pytest.raises(Problem) as refused:
        await workers.run(len, b"")
    assert refused.value.code == "unavailable"
    await asyncio.to_thread(pipe.write_text, "done")
    assert await in_time(asyncio.gather(*waiting)) == ["done", 0]


async def test_processes_of_low_priority_do_only_their_own_work() -> None:
    usual, low = Processes(1, 5, 1), Processes(1, 5, 1, nice=3)
    ours = niceness()
    assert await low.run(niceness) == min(ours + 3, 19)
    assert await usual.run(niceness) == ours
    assert await low.run(os.getpid) != await usual.run(os.getpid)


def test_processes_end_with_their_event_loop() -> None:
    workers = Processes(1, 5, 1)
    pid = asyncio.run(workers.run(os.getpid))
    assert not psutil.pid_exists(pid)


def test_a_worker_process_ends_without_a_traceback_if_its_caller_was_killed() -> None:
    read, write = os.pipe()
    os.close(read)                              # nothing reads its results any more
    program, call = (sys.executable, "-m", "ludarium.platform.worker_process", *sys.path), pickle.dumps((len, 1.0, 0, ("",)))
    done = subprocess.run(program, input=packed(call), stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")

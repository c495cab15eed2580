"""Run long computations in processes, so that they do not block the event loop.

Threads would not help, since they share the interpreter with the event loop. The limit of a computation is CPU time, so
a busy machine slows the computation down but does not make it fail. Starting a process, importing modules and waiting
for a free process do not count.

See docs/decisions/083.
"""
from __future__ import annotations

import asyncio
import pickle
import signal
import sys
from asyncio import AbstractEventLoop
from asyncio.subprocess import PIPE, Process
from collections import defaultdict
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar, TypeVarTuple, Unpack
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter

from ludarium.platform.metering import spend
from ludarium.platform.problems import Problem
from ludarium.platform.worker_process import SIZE, packed

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")
SLOWDOWN = 20
"""How many times its CPU limit a piece of work may take in real time. On a machine with two cores and a load of 40, each
process gets a twentieth of a core; only a stopped process takes longer than this limit."""
LEAST_WALL = 300.0
"""Seconds in real time that every piece of work may take, since starting a process alone takes 0.7 s of CPU time."""
MOST_IDLE = 2
"""Maximum number of idle processes; further processes end when they become idle."""


class WorkerDied(Exception):
    """Raised when a process ends during its work, for example for lack of memory."""


class Processes:
    """Runs functions in worker processes.

    To save memory, idle processes are shared between all instances with the same niceness.
    """

    def __init__(self, at_once: int, seconds: float, most_waiting: int, nice: int = 0) -> None:
        """Set the limits. No process is started yet.

        Args:
            at_once: the maximum number of pieces of work that run at the same time, each in a process.
            seconds: the CPU seconds that a piece of work may take before its process is killed.
            most_waiting: the maximum number of pieces of work that wait for a process; further ones are refused.
            nice: the niceness of the processes, from 0 to 19.
        """
        self._room, self._seconds, self._most_waiting, self._nice = CapacityLimiter(at_once), seconds, most_waiting, nice
        self._wall = max(LEAST_WALL, SLOWDOWN * seconds)

    @property
    def waiting(self) -> int:
        """Number of pieces of work that wait for a free process."""
        return self._room.statistics().tasks_waiting

    async def run(self, work: Callable[[Unpack[Arguments]], T], *arguments: *Arguments) -> T:
        """Call a function of a module in a worker process and return its result.

        Args:
            work: a function that can be pickled.
            arguments: values that can be pickled.

        Raises:
            TimeoutError: the work took too much CPU time, or the process was stopped.
            WorkerDied: the process ended unexpectedly.
            Problem: `unavailable`, if too much work is waiting already.
            Exception: what the function raises.
        """
        if self.waiting >= self._most_waiting:
            raise Problem("unavailable", "Too many wait for this.", retry_after=1)
        async with self._room:
            result: T = await self._worked(pickle.dumps((work, self._seconds, self._nice, arguments)))
            return result

    async def _worked(self, call: bytes) -> Any:
        async with asyncio.timeout(self._wall):
            worker = idle_worker(self._nice) or await Worker.start(self._nice)
            began = monotonic()
            try:
                returned, outcome, took = await worker.call(call)
            except BaseException:
                spend(min(monotonic() - began, self._seconds))      # no process reports the time of aborted work
                await worker.end()
                raise
            worker.rest()
        spend(took)
        if returned:
            return outcome
        raise outcome


class Worker:
    """A process that does one piece of work at a time."""

    def __init__(self, process: Process, nice: int) -> None:
        self._process, self._nice = process, nice
        self._watch = asyncio.create_task(self._watched())

    @classmethod
    async def start(cls, nice: int) -> Worker:
        return cls(await asyncio.create_subprocess_exec(
            sys.executable, "-m", "ludarium.platform.worker_process", *sys.path, stdin=PIPE, stdout=PIPE
        ), nice)  # fmt: skip

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def call(self, call: bytes) -> tuple[bool, Any, float]:
        """Send a pickled call and wait for its outcome.

        Returns:
            Whether the function returned, its result or exception, and its CPU time in seconds.

        Raises:
            TimeoutError: the kernel killed the process because it exceeded its CPU limit.
            WorkerDied: the process ended for another reason.
        """
        assert self._process.stdin and self._process.stdout
        try:
            self._process.stdin.write(packed(call))
            await self._process.stdin.drain()
            size = int.from_bytes(await self._process.stdout.readexactly(SIZE))
            answer = await self._process.stdout.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            code = await self._process.wait()
            if code == -signal.SIGPROF:
                raise TimeoutError("the work took too much CPU time") from error
            raise WorkerDied(f"the worker process ended with {code}") from error
        outcome: tuple[bool, Any, float] = pickle.loads(answer)
        return outcome

    def rest(self) -> None:
        """Make the process available for other work, or end it if enough are idle."""
        others = idle_workers()[self._nice]
        if len(others) < MOST_IDLE:
            others.append(self)
        else:
            self._watch.cancel()

    async def end(self) -> None:
        self._watch.cancel()
        await asyncio.wait([self._watch])

    async def _watched(self) -> None:
        """Wait for the process to end, and end it if this task is cancelled.

        When an event loop closes, it cancels all its tasks, so no process is left.
        """
        try:
            await self._process.wait()
        finally:
            if self.alive:
                self._process.kill()
            await self._process.wait()
            others = idle_workers()[self._nice]
            if self in others:
                others.remove(self)


Idle = defaultdict[int, list[Worker]]
_idle: WeakKeyDictionary[AbstractEventLoop, Idle] = WeakKeyDictionary()


def idle_workers() -> Idle:
    """Return the idle workers of this event loop, by niceness."""
    return _idle.setdefault(asyncio.get_running_loop(), defaultdict(list))


def idle_worker(nice: int) -> Worker | None:
    """Take the idle worker that was used last, None if there is none."""
    workers = idle_workers()[nice]
    while workers:
        if (worker := workers.pop()).alive:
            return worker
    return None

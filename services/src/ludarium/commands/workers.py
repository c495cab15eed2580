"""Worker processes that share ports.

Workers are restarted when they die, and stopped together.
"""
from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from signal import Signals
from socket import socket
from time import monotonic

from ludarium.platform.config import Config
from ludarium.platform.sockets import INHERITED, listening

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a dead worker is restarted, doubled after each run shorter than STABLE_AFTER."""
STABLE_AFTER = 30.0
"""Seconds after which a worker counts as stable."""
RUNNING_LINE = "Ctrl-C"
"""Beginning of the last line that a running process prints."""
PROGRAM = (sys.executable, "-c", "from ludarium.cli import main; main()")
"""The command line that runs `ludarium` in a worker."""
log = logging.getLogger(__name__)


class WorkersFailed(Exception):
    """A worker never reached the running state."""


@contextmanager
def bind_ports(config: Config) -> Iterator[Mapping[str, socket]]:
    """Bind the shared ports, and yield the sockets by the names of their settings.

    The sockets stay open while a worker restarts, so that clients wait instead of failing.
    """
    with ExitStack() as stack:
        ports = {"LUDARIUM_PORT": config.port} if config.roles.answers_http else {}
        ports |= {"LUDARIUM_WS_PORT": config.ws_port} if "live" in config.roles else {}
        yield {name: stack.enter_context(listening(config.host, port)) for name, port in ports.items()}


def worker_environment(config: Config, nth: int) -> dict[str, str]:
    """Return a worker's environment, in which each worker has a separate metrics port."""
    variables = dict(os.environ)
    if config.metrics_port:
        variables["LUDARIUM_METRICS_PORT"] = str(config.metrics_port + nth)
    return variables


def join_command(inherit: str) -> None:
    """Take over the parent command's sockets, given as FD=PORT, and exit when it dies.

    The parent holds the other end of this process's standard input, which the kernel closes in whatever way the parent ends.
    The worker then exits without a graceful shutdown, because an embedded database is gone too, and the next start needs the
    ports.
    """
    for pair in inherit.split(","):
        handle, _, port = pair.partition("=")
        INHERITED[int(port)] = int(handle)
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), exit_at_once)


def exit_at_once() -> None:
    """End this process at once, without notice to clients or database."""
    log.warning("the command that ran this worker is gone; leaving at once")
    os._exit(1)


class Worker:
    """A worker process.

    Attributes:
        startup_lines: lines that the process printed before it was running.
        has_run: set once the process has been running.
        failed: whether the process could not start.
    """

    def __init__(
        self, nth: int, sockets: Mapping[str, socket], environment: Mapping[str, str], program: Sequence[str] = PROGRAM
    ) -> None:
        self.nth, self.startup_lines, self.has_run, self.failed = nth, list[str](), asyncio.Event(), False
        ports = {name: str(s.getsockname()[1]) for name, s in sockets.items()}
        self._handles = [s.fileno() for s in sockets.values()]
        self._inherit = ",".join(map("{}={}".format, self._handles, ports.values()))
        self._environment, self._program = {**environment, **ports}, program

    async def run(self, stop: asyncio.Event) -> None:
        """Run and restart the process until `stop` is set.

        If the process ends before it has ever run, `stop` is set, unless a signal killed the process.
        """
        pause = FIRST_PAUSE
        while not stop.is_set():
            began = monotonic()
            status = await self._run(stop)
            if stop.is_set():
                return
            if not self.has_run.is_set() and status >= 0:
                self.failed = True
                stop.set()
                return
            pause = FIRST_PAUSE if monotonic() - began > STABLE_AFTER else min(2 * pause, LONGEST_PAUSE)
            log.warning("worker %d %s; starting it again in %.1f s", self.nth, describe_exit(status), pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)

    async def _run(self, stop: asyncio.Event) -> int:
        """Run the process once.

        The process has a session of its own, so that Ctrl-C reaches only the parent, which stops all workers.
        """
        process = await asyncio.create_subprocess_exec(
            *self._program, "serve", "--inherit", self._inherit,
            stdin=PIPE, stdout=PIPE, env=self._environment, pass_fds=self._handles, start_new_session=True,
        )  # fmt: skip
        ending = asyncio.create_task(terminate_on(process, stop))
        try:
            await self._listen(process)
            return await process.wait()
        finally:
            ending.cancel()
            if process.returncode is None:
                process.kill()

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        while line := (await process.stdout.readline()).decode().rstrip("\n"):
            if line.startswith(RUNNING_LINE):
                self.has_run.set()
            elif not self.has_run.is_set():
                self.startup_lines.append(line)


def describe_exit(status: int) -> str:
    """Return a description of how a process ended, for the log."""
    return f"was killed by {Signals(-status).name}" if status < 0 else f"ended with status {status}"


async def terminate_on(process: Process, stop: asyncio.Event) -> None:
    await stop.wait()
    if process.returncode is None:
        process.terminate()


async def run_all(workers: Sequence[Worker], stop: asyncio.Event, print_lines: Callable[..., None]) -> bool:
    """Run all workers until `stop` is set, and return whether all could start."""
    async with asyncio.TaskGroup() as group:
        for worker in workers:
            group.create_task(worker.run(stop))
        group.create_task(print_status(workers, stop, print_lines))
    return not any(worker.failed for worker in workers)


async def print_status(workers: Sequence[Worker], stop: asyncio.Event, print_lines: Callable[..., None]) -> None:
    """Print the addresses once all workers run, and later print that they stop."""
    up, stopped = asyncio.create_task(all_running(workers)), asyncio.create_task(stop.wait())
    await asyncio.wait((up, stopped), return_when=asyncio.FIRST_COMPLETED)
    if up.done():
        metrics = [line for worker in workers[1:] for line in worker.startup_lines if line.split()[0] == "metrics"]
        print_lines(*workers[0].startup_lines, *metrics, f"{RUNNING_LINE} stops all {len(workers)} workers.")
    up.cancel()
    await stopped
    print_lines("Stopping …")


async def all_running(workers: Sequence[Worker]) -> bool:
    for worker in workers:
        await worker.has_run.wait()
    return True

"""Processes that serve side by side on the same ports: bound once, started again when they die, stopped together."""
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
"""Seconds until one that died is started again: twice as long each time that it did not last."""
LASTED = 30.0
"""Seconds after which a worker counts as well."""
LAST_LINE = "Ctrl-C"
"""How the last line begins that a process says when it runs."""
PROGRAM = (sys.executable, "-c", "from ludarium.cli import main; main()")
"""What runs the command `ludarium` in a worker."""
log = logging.getLogger(__name__)


class WorkersFailed(Exception):
    """One of them never ran."""


@contextmanager
def bound(config: Config) -> Iterator[Mapping[str, socket]]:
    """By the variable of its port what all of them listen on. It stays open while one is started again: whoever comes waits."""
    with ExitStack() as stack:
        ports = {"LUDARIUM_PORT": config.port} if config.roles.answers_http else {}
        ports |= {"LUDARIUM_WS_PORT": config.ws_port} if "live" in config.roles else {}
        yield {name: stack.enter_context(listening(config.host, port)) for name, port in ports.items()}


def environment(config: Config, nth: int) -> dict[str, str]:
    """Each has its own metrics: those of the second are a port further."""
    told = dict(os.environ)
    if config.metrics_port:
        told["LUDARIUM_METRICS_PORT"] = str(config.metrics_port + nth)
    return told


def take_part(inherit: str) -> None:
    """Take over the sockets of the command that runs this worker, given as FD=PORT, and leave when that command dies.

    The command holds the other end of this process's input, which the kernel closes however the command ends. Nothing is
    drained then: an embedded database is gone too, and the next start needs the ports.
    """
    for pair in inherit.split(","):
        handle, _, port = pair.partition("=")
        INHERITED[int(port)] = int(handle)
    asyncio.get_running_loop().add_reader(sys.stdin.fileno(), leave)


def leave() -> None:
    """End this process at once, without a word to clients or database."""
    log.warning("the command that ran this worker is gone; leaving at once")
    os._exit(1)


class Worker:
    """One of them. said: what it tells of where it is; ran: whether it ever did, failed: whether it cannot."""

    def __init__(
        self, nth: int, sockets: Mapping[str, socket], environment: Mapping[str, str], program: Sequence[str] = PROGRAM
    ) -> None:
        self.nth, self.said, self.ran, self.failed = nth, list[str](), asyncio.Event(), False
        ports = {name: str(s.getsockname()[1]) for name, s in sockets.items()}
        self._handles = [s.fileno() for s in sockets.values()]
        self._inherit = ",".join(map("{}={}".format, self._handles, ports.values()))
        self._environment, self._program = {**environment, **ports}, program

    async def keep(self, stop: asyncio.Event) -> None:
        """Run it until `stop` is set.

        Set `stop` if the process ends before it has ever run, unless a signal killed it.
        """
        pause = FIRST_PAUSE
        while not stop.is_set():
            began = monotonic()
            status = await self._run(stop)
            if stop.is_set():
                return
            if not self.ran.is_set() and status >= 0:
                self.failed = True
                stop.set()
                return
            pause = FIRST_PAUSE if monotonic() - began > LASTED else min(2 * pause, LONGEST_PAUSE)
            log.warning("worker %d %s; starting it again in %.1f s", self.nth, how_ended(status), pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)

    async def _run(self, stop: asyncio.Event) -> int:
        """Its own session: Ctrl-C at the terminal is for us, who stop all of them."""
        process = await asyncio.create_subprocess_exec(
            *self._program, "serve", "--inherit", self._inherit,
            stdin=PIPE, stdout=PIPE, env=self._environment, pass_fds=self._handles, start_new_session=True,
        )  # fmt: skip
        ending = asyncio.create_task(told(process, stop))
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
            if line.startswith(LAST_LINE):
                self.ran.set()
            elif not self.ran.is_set():
                self.said.append(line)


def how_ended(status: int) -> str:
    """Say how a process ended, for the log: by a signal, which has a name, or with an exit status."""
    return f"was killed by {Signals(-status).name}" if status < 0 else f"ended with status {status}"


async def told(process: Process, stop: asyncio.Event) -> None:
    await stop.wait()
    if process.returncode is None:
        process.terminate()


async def together(workers: Sequence[Worker], stop: asyncio.Event, say: Callable[..., None]) -> bool:
    """Runs all of them until `stop`; whether none has failed to begin."""
    async with asyncio.TaskGroup() as group:
        for worker in workers:
            group.create_task(worker.keep(stop))
        group.create_task(announced(workers, stop, say))
    return not any(worker.failed for worker in workers)


async def announced(workers: Sequence[Worker], stop: asyncio.Event, say: Callable[..., None]) -> None:
    """Says where they are when all of them run, and that they stop."""
    up, stopped = asyncio.create_task(running(workers)), asyncio.create_task(stop.wait())
    await asyncio.wait((up, stopped), return_when=asyncio.FIRST_COMPLETED)
    if up.done():
        metrics = [line for worker in workers[1:] for line in worker.said if line.split()[0] == "metrics"]
        say(*workers[0].said, *metrics, f"{LAST_LINE} stops all {len(workers)} workers.")
    up.cancel()
    await stopped
    say("Stopping …")


async def running(workers: Sequence[Worker]) -> bool:
    for worker in workers:
        await worker.ran.wait()
    return True

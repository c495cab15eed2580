"""Supervision of a server: starting, waiting, restarting and stopping."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludarium.embedded.account import SERVER_ENVIRONMENT
from ludarium.embedded.data_directory import explain_full_disk
from ludarium.embedded.errors import EmbeddedError
from ludarium.platform.background import ended, started

logger = logging.getLogger(__name__)

START_TIMEOUT = 300.0  # seconds; crash recovery can take minutes
STOP_TIMEOUT = 60.0  # seconds
MAX_RETRY_DELAY = 5.0  # seconds between attempts to restart a server
LOG_TAIL = 2000  # bytes of a server's log in an error message


@dataclass(frozen=True)
class Server:
    """The configuration of a supervised server.

    Attributes:
        prepare: a coroutine function that is awaited before each start.
        probe: a coroutine function that raises an error while the server does not respond.
        stop: the signal for a clean stop.
        start_timeout: seconds until the server must respond.
    """

    name: str
    command: Sequence[str]
    log: Path
    prepare: Callable[[], Awaitable[None]]
    probe: Callable[[], Awaitable[object]]
    stop: signal.Signals
    start_timeout: float = START_TIMEOUT


class Supervisor:
    """A supervised server.

    `restarts` counts how often the server died and was started again.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.restarts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._last_probe_error: Exception | None = None
        self._watcher: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start the server, and return when it responds.

        Raises:
            EmbeddedError: the server did not start; the message contains the end of its log.
        """
        rotate_log(self.server.log)
        await self._launch()
        self._watcher = started(self._restart_when_it_ends())

    async def stop(self) -> None:
        """Stop the server cleanly, or kill it after a minute."""
        if self._watcher is not None:
            await ended(self._watcher)
        await self._end_process()

    async def answers(self) -> bool:
        """Return whether the server responds to the probe.

        Any error counts as no response, because a starting server fails in many ways.
        """
        try:
            await self.server.probe()
        except Exception as problem:
            self._last_probe_error = problem
            return False
        return True

    async def _launch(self) -> None:
        with explain_full_disk(self.server.log.parent):
            await self._run()

    async def _run(self) -> None:
        await self.server.prepare()
        with self.server.log.open("ab") as log:
            # In its own session, Ctrl-C at the terminal reaches only us, and we stop the servers last.
            self._process = await asyncio.create_subprocess_exec(
                *self.server.command, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                env=SERVER_ENVIRONMENT, cwd="/", start_new_session=True,
            )
        try:
            await self._wait_for_answer(self._process)
        except BaseException:
            await self._end_process()
            raise

    async def _wait_for_answer(self, process: asyncio.subprocess.Process) -> None:
        try:
            async with asyncio.timeout(self.server.start_timeout):
                while not await self.answers():
                    if process.returncode is not None:
                        raise EmbeddedError(f"{self.server.name} did not start:\n{_tail(self.server.log)}")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise EmbeddedError(f"{self.server.name} does not answer:\n{_tail(self.server.log)}") from self._last_probe_error

    async def _restart_when_it_ends(self) -> None:
        while True:
            assert self._process is not None
            status = await self._process.wait()
            logger.warning("%s ended with status %s; starting it again", self.server.name, status)
            await self._start_again()
            self.restarts += 1

    async def _start_again(self) -> None:
        """Start the server, with growing pauses after failures, until it runs.

        Each failure is logged.
        """
        pause = 0.1
        while True:
            try:
                return await self._launch()
            except Exception as problem:
                unforeseen = not isinstance(problem, (EmbeddedError, OSError))
                logger.error("%s; trying again in %.1f s", problem, pause, exc_info=unforeseen)
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_DELAY)

    async def _end_process(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(self.server.stop)
        try:
            await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
        except TimeoutError:
            logger.error("%s does not stop; killing it", self.server.name)
            process.kill()
            await process.wait()


def rotate_log(log: Path) -> None:
    """Rename the log of the previous run to `.old.log`, so that each run has its own."""
    if log.exists():
        os.replace(log, log.with_suffix(".old.log"))


def _tail(log: Path) -> str:
    return log.read_bytes()[-LOG_TAIL:].decode(errors="replace").strip()

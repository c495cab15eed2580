"""Keeps one server running: starts it, sees it answer, starts it again when it dies, stops it when told to."""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludarium.embedded.account import ENVIRONMENT
from ludarium.embedded.data_directory import room_in
from ludarium.embedded.errors import EmbeddedError
from ludarium.platform.background import ended, started

logger = logging.getLogger(__name__)

ANSWERS_WITHIN = 300.0  # seconds; a crash recovery may take long
STOPS_WITHIN = 60.0  # seconds
LONGEST_PAUSE = 5.0  # seconds between attempts to start a server that does not start
LOG_TAIL = 2000  # bytes of a server's log that a problem shows


@dataclass(frozen=True)
class Server:
    """What the supervisor must know of a server. probe: raises anything at all as long as the server does not answer."""

    name: str
    command: Sequence[str]
    log: Path
    prepare: Callable[[], Awaitable[None]]
    probe: Callable[[], Awaitable[object]]
    stop: signal.Signals
    answers_within: float = ANSWERS_WITHIN


class Supervisor:
    """One server under supervision. `restarts` counts how often it died and was started again."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.restarts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._unanswered: Exception | None = None
        self._watch: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id of the server as it runs now."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        """Start the server and return when it answers. Raises EmbeddedError with the end of its log."""
        keep_one_old_log(self.server.log)
        await self._launch()
        self._watch = started(self._keep())

    async def stop(self) -> None:
        """Stop the server cleanly; kill it if it takes longer than a minute."""
        if self._watch is not None:
            await ended(self._watch)
        await self._end()

    async def answers(self) -> bool:
        """A server that dies or starts just now fails in more ways than anybody could list: each means "not yet"."""
        try:
            await self.server.probe()
        except Exception as problem:
            self._unanswered = problem
            return False
        return True

    async def _launch(self) -> None:
        with room_in(self.server.log.parent):
            await self._run()

    async def _run(self) -> None:
        await self.server.prepare()
        with self.server.log.open("ab") as log:
            # A session of its own: Ctrl-C at the terminal is for us, who stop the servers last.
            self._process = await asyncio.create_subprocess_exec(
                *self.server.command, stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                env=ENVIRONMENT, cwd="/", start_new_session=True,
            )
        try:
            await self._until_it_answers(self._process)
        except BaseException:
            await self._end()
            raise

    async def _until_it_answers(self, process: asyncio.subprocess.Process) -> None:
        try:
            async with asyncio.timeout(self.server.answers_within):
                while not await self.answers():
                    if process.returncode is not None:
                        raise EmbeddedError(f"{self.server.name} did not start:\n{_tail(self.server.log)}")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise EmbeddedError(f"{self.server.name} does not answer:\n{_tail(self.server.log)}") from self._unanswered

    async def _keep(self) -> None:
        while True:
            assert self._process is not None
            status = await self._process.wait()
            logger.warning("%s ended with status %s; starting it again", self.server.name, status)
            await self._start_again()
            self.restarts += 1

    async def _start_again(self) -> None:
        """However often it takes: whatever goes wrong is said, and tried again."""
        pause = 0.1
        while True:
            try:
                return await self._launch()
            except Exception as problem:
                unforeseen = not isinstance(problem, (EmbeddedError, OSError))
                logger.error("%s; trying again in %.1f s", problem, pause, exc_info=unforeseen)
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _end(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(self.server.stop)
        try:
            await asyncio.wait_for(process.wait(), STOPS_WITHIN)
        except TimeoutError:
            logger.error("%s does not stop; killing it", self.server.name)
            process.kill()
            await process.wait()


def keep_one_old_log(log: Path) -> None:
    """Each run has a log of its own; that of the run before is kept beside it."""
    if log.exists():
        os.replace(log, log.with_suffix(".old.log"))


def _tail(log: Path) -> str:
    return log.read_bytes()[-LOG_TAIL:].decode(errors="replace").strip()

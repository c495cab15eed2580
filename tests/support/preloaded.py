"""Start servers as forks of a process that has already imported their modules.

This saves most of the CPU time of a start. `python -m tests.support.preloaded SOCKET` imports the service. For each
connection to the socket, that process forks. The fork runs `tests.support.serve` with the arguments, environment and output
of the request, as if it had been started by exec. The first process sends back the fork's process id and, once the fork has
ended, its exit code. It ends when its standard input is closed.
"""

import asyncio
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from atexit import register
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from time import monotonic
from typing import Self

from tests.support.waiting import eventually_blocking

SIZE = 4
"""Bytes of the length of a request."""


# --- for tests --------------------------------------------------------------------------------------------------------
class PreloadedProcess:
    """A forked server with those parts of `asyncio.subprocess.Process` that tests use."""

    def __init__(
        self, pid: int, stdout: StreamReader, stderr: StreamReader | None, reader: StreamReader, writer: StreamWriter
    ) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None
        self._ended = asyncio.create_task(self._read_exit_code(reader, writer))

    @classmethod
    async def start(cls, arguments: Sequence[str], environment: Mapping[str, str], *, reads_errors: bool = False) -> Self:
        """Run `tests.support.serve` with these arguments and exactly this environment.

        Args:
            reads_errors: Whether to read standard error as a stream. Otherwise it goes to the standard error of this
                process.
        """
        output, written = os.pipe()
        errors, noted = os.pipe() if reads_errors else (None, os.dup(2))
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(preloaded())
        request = json.dumps([arguments, dict(environment), os.getcwd()]).encode()
        socket.send_fds(connection, [len(request).to_bytes(SIZE)], [written, noted])
        connection.sendall(request)
        os.close(written)
        os.close(noted)
        reader, writer = await asyncio.open_unix_connection(sock=connection)
        pid, stderr = int(await reader.readline()), None if errors is None else await readable(errors)
        return cls(pid, await readable(output), stderr, reader, writer)

    def send_signal(self, signum: int) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signum)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    async def _read_exit_code(self, reader: StreamReader, writer: StreamWriter) -> int:
        self.returncode = int(await reader.readline())
        writer.close()
        return self.returncode


async def readable(descriptor: int) -> StreamReader:
    reader = StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0))
    return reader


@cache
def preloaded() -> str:
    """Start the process that imports the service, if necessary, and return its socket."""
    folder = tempfile.TemporaryDirectory(prefix="lud-")
    path = Path(folder.name) / "socket"
    process = subprocess.Popen([sys.executable, "-m", "tests.support.preloaded", str(path)], stdin=subprocess.PIPE)

    def end() -> None:
        process.communicate()
        folder.cleanup()

    register(end)
    assert eventually_blocking(lambda: path.exists() or process.poll() is not None) and path.exists()
    return str(path)


# --- the process that imports and forks -------------------------------------------------------------------------------
class Forking:
    """A server that forks for each request, until its standard input ends.

    In each fork, `serve` returns the arguments to run with.
    """

    def __init__(self, path: str) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{path}.new")
        self._listener.listen()
        os.rename(f"{path}.new", path)                  # once the path exists, clients can connect
        self._running: dict[int, socket.socket] = {}

    def serve(self) -> list[str]:
        awake, wakes = os.pipe()
        os.set_blocking(wakes, False)
        signal.set_wakeup_fd(wakes)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        with DefaultSelector() as selector:
            for each in (self._listener, awake, sys.stdin):
                selector.register(each, EVENT_READ)
            while True:
                for key, _ in selector.select():
                    if key.fileobj is sys.stdin:
                        os._exit(0)
                    elif key.fileobj == awake:
                        os.read(awake, 1 << 10)
                        self._report_ended()
                    elif arguments := self._fork():
                        return arguments

    def _report_ended(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with self._running.pop(ended[0]) as connection, suppress(OSError):
                    connection.sendall(b"%d\n" % os.waitstatus_to_exitcode(ended[1]))

    def _fork(self) -> list[str]:
        connection, _ = self._listener.accept()
        size, descriptors, _, _ = socket.recv_fds(connection, SIZE, 2)
        request = connection.recv(int.from_bytes(size), socket.MSG_WAITALL)
        if pid := os.fork():
            for each in descriptors:
                os.close(each)
            self._running[pid] = connection
            connection.sendall(b"%d\n" % pid)
            return []
        for other in (connection, self._listener, *self._running.values()):
            other.close()
        return become(request, descriptors)


def become(request: bytes, descriptors: list[int]) -> list[str]:
    """Adopt a request's environment, folder and output, and return its arguments."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    arguments, environment, folder = json.loads(request)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    for target, descriptor in enumerate([os.open(os.devnull, os.O_RDONLY), *descriptors]):
        os.dup2(descriptor, target)
        os.close(descriptor)
    return list(arguments)


def main(path: str) -> None:
    gc.disable()                                        # as in `ludarium`
    import litestar.plugins.pydantic  # litestar imports it with the first application

    from ludarium.commands import serving
    from ludarium.platform import complaints
    from ludarium_engine.registry import titles

    titles()
    assert litestar.plugins.pydantic and serving
    arguments = Forking(path).serve()
    complaints.STARTED = monotonic()
    from tests.support.serve import app  # reads its environment when it is imported

    app(arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])

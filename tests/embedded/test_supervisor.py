"""The supervisor survives any crash of its server, and reports a full disk."""

import asyncio
import logging
import os
import shutil
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from ludarium.embedded import EmbeddedError, Services, embedded
from ludarium.embedded.postgres import probe
from ludarium.embedded.supervisor import Server, Supervisor
from tests.embedded.clients import ping, query
from tests.faults.disk import filled, may_mount, small_disk
from tests.support.waiting import eventually

KILLS = 12


async def test_killed_again_and_again_while_they_start(filled_home: Path) -> None:
    """The supervisor survives kills of its server at any stage of the start.

    The server is killed when its process runs, when its socket exists, when it responds, or earlier.
    """
    luck = Random(7)
    async with embedded(filled_home) as services:
        for supervisor in services.supervisors.values():
            killed = 0
            for _ in range(KILLS):
                moment = luck.choice(MOMENTS)
                await eventually(lambda now=moment, kept=supervisor, last=killed: now(kept, last))     # type: ignore[misc]
                killed = supervisor.pid
                with suppress(ProcessLookupError):                       # dead already, and not yet started again
                    os.kill(supervisor.pid, signal.SIGKILL)
        await eventually(lambda: all_answer(services))
        assert await query(services.database_url, "SELECT n FROM kept") == 1
        assert await ping(services.redis_url)


async def all_answer(services: Services) -> bool:
    return all([await supervisor.answers() for supervisor in services.supervisors.values()])


async def at_once(supervisor: Supervisor, killed: int) -> bool:
    return True


async def started(supervisor: Supervisor, killed: int) -> bool:
    """Check whether the killed process has been replaced."""
    return supervisor.pid != killed


async def answering(supervisor: Supervisor, killed: int) -> bool:
    return supervisor.pid != killed and await supervisor.answers()


MOMENTS = (at_once, started, answering)


def idler(folder: Path, prepare: Callable[[], None] = lambda: None) -> Server:
    """Return a server that does nothing, with a socket that accepts and disconnects."""
    async def prepared() -> None:
        prepare()

    return Server("idler", [str(shutil.which("sleep")), "60"], folder / "log", prepared, lambda: probe(folder), signal.SIGTERM)


async def test_a_server_that_hangs_up_does_not_answer_yet(folder: Path) -> None:
    async with await asyncio.start_unix_server(lambda _, writer: writer.close(), folder / ".s.PGSQL.5432"):
        assert not await Supervisor(idler(folder)).answers()


async def test_whatever_fails_at_a_start_is_said_at_once_and_the_start_tried_again(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[Exception] = []

    def prepare() -> None:
        if faults:
            raise faults.pop()

    server = idler(folder, prepare)
    supervisor = Supervisor(Server(**{**vars(server), "probe": server.prepare}))
    await supervisor.start()
    faults += [RuntimeError("nobody has thought of this"), EmbeddedError("but of this")]
    os.kill(supervisor.pid, signal.SIGKILL)
    await eventually(lambda: supervisor.restarts)
    await supervisor.stop()
    errors = [record.message for record in caplog.records if record.levelno == logging.ERROR]
    assert [error.partition(";")[0] for error in errors] == ["but of this", "nobody has thought of this"]


if may_mount():

    async def test_a_disk_that_is_full_is_named_at_the_start() -> None:
        with small_disk() as disk:
            (disk / "home").mkdir()
            with filled(disk), pytest.raises(EmbeddedError, match=f"no space left in {disk}/home/data"):
                async with embedded(disk / "home"):
                    pass
            async with embedded(disk / "home") as services:
                assert await query(services.database_url, "select 1") == 1
            with filled(disk), pytest.raises(EmbeddedError, match=f"no space left in {disk}/home/data"):
                async with embedded(disk / "home"):
                    pass

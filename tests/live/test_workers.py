"""`ludarium serve --workers 2` shares its ports between processes.

One of the processes dies.
"""
from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from pathlib import Path

import httpx
import psutil
import pytest

from ludarium.commands.workers import Worker, run_all
from ludarium.platform.schema_check import migrated
from ludarium.platform.sockets import listening
from tests.live.game import game_at
from tests.support.entropy import seed_variables
from tests.support.preloaded import PreloadedProcess
from tests.support.servers import LUDARIUM, ServerProcess, reserved_ports, stopped
from tests.support.waiting import LIMIT, eventually, in_time


async def test_workers_share_the_ports_and_one_that_dies_is_started_again(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with ServerProcess(database_url, redis_url, workers="2") as server:
        first, second = sorted(workers(server.pid))
        async with game_at([server], random.Random(1)) as game:
            for _ in range(6):
                await game.move()
            os.kill(first, signal.SIGKILL)
            await eventually(lambda: len(workers(server.pid) - {first}) == 2)
            assert second in workers(server.pid)
            os.kill(second, signal.SIGSEGV)
            await eventually(lambda: len(workers(server.pid) - {first, second}) == 2)
        async with game_at([server], random.Random(2)) as game:
            for _ in range(6):
                await game.move()
        left = workers(server.pid)
        assert await server.stop() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in left)


async def test_workers_leave_at_once_when_their_command_is_killed(database_url: str, redis_url: str) -> None:
    await migrated(database_url)
    async with ServerProcess(database_url, redis_url, workers="2") as server:
        orphans = [psutil.Process(pid) for pid in workers(server.pid)]
        async with httpx.AsyncClient(timeout=LIMIT) as client, client.stream("GET", f"{server.api}/lobby/stream") as stream:
            assert stream.status_code == 200
            await server.kill()
            with pytest.raises(httpx.RemoteProtocolError):      # a worker that drains would end the stream first
                await stream.aread()
        await eventually(lambda: not any(orphan.is_running() for orphan in orphans))


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_start_waits_for_the_ports_of_a_run_that_is_still_ending(
    workers: str, database_url: str, redis_url: str
) -> None:
    await migrated(database_url)
    server = ServerProcess(database_url, redis_url, **reserved_ports())
    port = int(server.environment["LUDARIUM_PORT"])
    with listening("127.0.0.1", port):
        process = await PreloadedProcess.start(
            ["serve", f"--workers={workers}"], server.environment | seed_variables(), reads_errors=True
        )
        assert process.stderr
        await in_time(process.stderr.readuntil(f"127.0.0.1:{port} is in use; waiting".encode()))
    try:
        await in_time(process.stdout.readuntil(b"Ctrl-C stops"))
    finally:
        assert await stopped(process) == 0


async def test_workers_that_cannot_begin_say_so(database_url: str, redis_url: str) -> None:
    server = ServerProcess(database_url, redis_url, data_dir="/nowhere")
    process = await asyncio.create_subprocess_exec(
        LUDARIUM, "serve", "--workers=2", env=server.environment, stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"A worker did not start" in said


CRASHES_ONCE = """
import os, pathlib, signal, sys
if not pathlib.Path({0!r}).exists():
    pathlib.Path({0!r}).touch()
    os.kill(os.getpid(), signal.{1})
print("Ctrl-C stops it.", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL"])
async def test_a_worker_that_a_signal_kills_at_its_start_is_started_again_and_the_log_names_the_signal(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()
    worker = Worker(0, {}, {**os.environ}, (sys.executable, "-c", CRASHES_ONCE.format(str(tmp_path / "crashed"), name)))
    kept = asyncio.create_task(run_all([worker], stop, lambda *lines: None))
    await in_time(worker.has_run.wait())
    stop.set()
    assert await in_time(kept)
    assert f"worker 0 was killed by {name}; starting it again" in caplog.text


def workers(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


async def test_a_server_starts_its_replay_worker(database_url: str, redis_url: str) -> None:
    server = await ServerProcess(database_url, redis_url).start(str(LUDARIUM))
    try:
        await eventually(lambda: any(makes_replays(pid) for pid in workers(server.pid)))
    finally:
        await server.stop()


def makes_replays(pid: int) -> bool:
    return b"ludarium.platform.worker_process" in Path(f"/proc/{pid}/cmdline").read_bytes()

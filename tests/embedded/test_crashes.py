"""The state after a crash, and the next start."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from ludarium.embedded import embedded
from ludarium.embedded.account import SERVER_ENVIRONMENT, choose_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium.embedded.postgres import server_pids
from tests.embedded.clients import ludarium_services, query
from tests.support.waiting import eventually


async def the_row_is_there(home: Path) -> bool:
    async with embedded(home) as services:
        return await query(services.database_url, "SELECT n FROM kept") == 1


@contextmanager
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that has the servers' account but no relation to the servers."""
    with subprocess.Popen(choose_account(None).command("sleep", "60"), env=SERVER_ENVIRONMENT) as process:
        yield process
        assert process.poll() is None, "it was ended"
        process.kill()


async def test_a_stale_pid_file_whose_number_is_another_processes(filled_home: Path) -> None:
    pid_file = filled_home / "data/postgres/postmaster.pid"
    with bystander() as process:
        pid_file.write_text(f"{process.pid}\n{filled_home}\n1\n5432\n/tmp\n\n  1 1\nready\n")
        assert await the_row_is_there(filled_home)


async def test_a_postgresql_that_nobody_supervises_any_more(filled_home: Path, folder: Path) -> None:
    account = choose_account(None)
    cluster = filled_home / "data/postgres"
    sockets = folder / "sockets"
    sockets.mkdir()
    account.own(sockets)
    command = account.command(postgres_binaries(account) / "postgres", "-D", cluster, "-h", "", "-k", sockets)
    command.remove("--pdeathsig=INT")
    with subprocess.Popen(command, env=SERVER_ENVIRONMENT, stderr=subprocess.DEVNULL) as orphan:
        await until(lambda: (sockets / ".s.PGSQL.5432").exists())
        assert orphan.pid in server_pids(cluster)
        assert await the_row_is_there(filled_home)
        assert orphan.poll() is not None


async def test_a_half_made_cluster_is_made_afresh(home: Path) -> None:
    (home / "data/postgres.new/base").mkdir(parents=True)
    async with embedded(home) as services:
        assert await query(services.database_url, "SELECT 1") == 1


async def test_a_start_that_is_broken_off_leaves_nothing_running(home: Path) -> None:
    async def stay() -> None:
        async with embedded(home):
            await asyncio.Event().wait()

    made, whole = home / "data/postgres.new", home / "data/postgres"
    for reached in (home.exists, made.exists, lambda: server_pids(made), whole.exists, lambda: server_pids(whole)):
        staying = asyncio.create_task(stay())
        await until(lambda reached=reached: bool(reached()))      # type: ignore[misc]
        staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying
        await until(lambda: not server_pids(home / "data/postgres") + server_pids(home / "data/postgres.new"))
        assert not (home / "data/run").is_symlink()
    async with embedded(home) as services:
        assert await query(services.database_url, "SELECT 1") == 1


async def test_killing_the_supervisor_ends_the_servers_and_loses_nothing(filled_home: Path) -> None:
    with ludarium_services(filled_home) as running:
        await query(running.database_url, "UPDATE kept SET n = n")
        running.end(signal.SIGKILL)
    left_sockets = (filled_home / "data/run").readlink()
    assert await the_row_is_there(filled_home)
    assert not left_sockets.exists()


async def test_the_servers_go_when_no_next_start_comes(filled_home: Path) -> None:
    with ludarium_services(filled_home) as running:
        running.end(signal.SIGKILL)
    await until(lambda: not server_pids(filled_home / "data/postgres"))
    await until(lambda: refuses(running.redis_url.removeprefix("unix://")))
    shutil.rmtree((filled_home / "data/run").readlink())


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_stops_everything_cleanly(filled_home: Path, signum: signal.Signals) -> None:
    with ludarium_services(filled_home) as running:
        assert running.end(signum) == 0
        assert running.process.stderr and running.process.stderr.read() == ""
    assert (filled_home / "data/postgres.log").read_text().rstrip().endswith("database system is shut down")
    assert not server_pids(filled_home / "data/postgres")
    assert not (filled_home / "data/run").is_symlink()


async def test_ctrl_c_reaches_us_and_not_the_servers(filled_home: Path) -> None:
    with ludarium_services(filled_home) as running:
        assert await query(running.database_url, "SELECT 1") == 1
        for pid in server_pids(filled_home / "data/postgres"):
            assert os.getpgid(pid) != os.getpgid(running.process.pid)


def refuses(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(path) != 0


async def until(happened: Callable[[], bool]) -> None:
    await eventually(happened)

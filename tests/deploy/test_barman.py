"""barman with the configuration of deploy/barman makes sealed backups.

It seals them with the public key alone, and restores to a moment with the secret key.
"""
from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest

from ludarium.accounts.accounts import Accounts
from ludarium.commands.ledger import apply_to_restored, ship_ledger
from ludarium.embedded import embedded
from ludarium.embedded.account import choose_account, own_account
from ludarium.embedded.binaries import postgres_binaries
from ludarium.platform.config import read_config
from ludarium.platform.database import ACCOUNTS, database
from ludarium.platform.problems import Problem
from ludarium.platform.schema_check import migrated
from tests.backups.conftest import new_keys, started
from tests.backups.test_moments import query
from tests.embedded.conftest import open_folder
from tests.support.entropy import ENTROPY
from tests.support.waiting import eventually

OURS = (Path(__file__).parents[2] / "deploy/barman/ludarium.conf").read_text()
SECRET = "a passphrase"
PROGRAMS = ("barman", "gpg", "rsync")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"there is no {', '.join(MISSING)} here: pip install barman; sudo apt-get install gpg rsync"
)


class Barman(NamedTuple):
    """A barman installation, where `gpg` is the key ring of its machine."""

    folder: Path
    gpg: Path

    def configure(self, host: str, user: str, *further: str) -> None:
        url = f"host={host} user={user}"
        binaries = str(postgres_binaries(own_account()))
        given = re.sub(r"host=\S+ user=\S+", url, OURS).replace("/usr/lib/postgresql/18/bin", binaries)
        (self.folder / "barman.d").mkdir(exist_ok=True)
        (self.folder / "barman.d/ludarium.conf").write_text(given + "\n".join(further))
        (self.folder / "barman.conf").write_text(
            f"[barman]\nbarman_user = root\nbarman_home = {self.folder}/kept\nlog_file = {self.folder}/log\n"
            f"configuration_files_directory = {self.folder}/barman.d\n"
        )
        (self.folder / "kept").mkdir(exist_ok=True)

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": "/usr/bin:/bin", "GNUPGHOME": str(self.gpg), "LANG": "C.UTF-8"}

    def command(self, *args: str) -> list[str]:
        return [str(shutil.which("barman")), "-c", str(self.folder / "barman.conf"), *args]

    async def run(self, *args: str) -> None:
        ran = await asyncio.to_thread(
            subprocess.run, self.command(*args), env=self.environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        process = await asyncio.create_subprocess_exec(
            *self.command("receive-wal", "ludarium"), env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


def keys(folder: Path) -> tuple[Path, Path]:
    """Create two key rings, one with the whole key and one with only the public half."""
    whole, public = folder / "whole", folder / "public"
    for ring in (whole, public):
        ring.mkdir(mode=0o700)

    def gpg(ring: Path, *args: str, given: bytes = b"") -> bytes:
        return subprocess.run(["gpg", "--batch", "--homedir", ring, *args], input=given, capture_output=True, check=True).stdout

    gpg(whole, "--passphrase", SECRET, "--quick-gen-key", "backups@ludarium.example", "default", "default", "never")
    gpg(public, "--import", given=gpg(whole, "--export"))
    gpg(public, "--import-ownertrust", given=gpg(whole, "--export-ownertrust"))
    return whole, public


async def test_back_to_a_moment_by_barman_and_the_ledger() -> None:
    ours = new_keys()
    with open_folder() as folder:
        whole, public = keys(folder)
        making = Barman(folder, public)
        async with embedded(folder / "home", durable=False) as servers:
            await migrated(servers.database_url)
            url = urlsplit(servers.database_url)
            host, user = parse_qs(url.query)["host"][0], url.username or "ludarium"
            making.configure(host, user)
            elsewhere = {"LUDARIUM_DATABASE_URL": servers.database_url, "LUDARIUM_REDIS_URL": "redis://nowhere"}
            sealing = {"LUDARIUM_BACKUP_RECIPIENT": str(ours.recipient)}
            await ship_ledger(read_config(elsewhere | sealing), str(folder / "ledger"), follow=False)
            await making.run("receive-wal", "--create-slot", "ludarium")
            async with making.receiving(), database(servers.database_url, ACCOUNTS) as people:
                early = await Accounts(people, ENTROPY).new_guest()
                await eventually(lambda: query(servers.database_url, "select from pg_stat_replication"))
                await making.run("switch-wal", "--force", "--archive", "ludarium")
                backing = asyncio.create_task(making.run("backup", "--wait", "ludarium"))

                async def switched_until_done() -> bool:        # without new log the backup would never become whole
                    await query(servers.database_url, "select pg_switch_wal()")
                    return backing.done()

                await eventually(switched_until_done)
                await backing
                await making.run("check", "ludarium")
                kept = await Accounts(people, ENTROPY).new_guest()
                moment = datetime.now(UTC)
                await eventually(lambda: datetime.now(UTC) > moment)
                await query(servers.database_url, "update accounts.tokens set revoked_at = now()")
                late = await Accounts(people, ENTROPY).new_guest()
                await ship_ledger(read_config(elsewhere | sealing), str(folder / "ledger"), follow=False)
                await making.run("switch-wal", "--force", "--archive", "ludarium")
        sealed = [path for path in (folder / "kept/ludarium").rglob("*") if path.name.endswith(".gpg") or len(path.name) == 24]
        assert len(sealed) >= 3 and not [path for path in sealed if b"ludarium" in path.read_bytes()]
        opening = Barman(folder, whole)
        opening.configure(host, user, f"encryption_passphrase_command = echo {SECRET}")
        home = folder / "back"
        home.mkdir(mode=0o711)
        await opening.run(
            "restore", "--staging-location", "local", "--staging-path", str(folder / "staging"), "--target-time",
            moment.isoformat(), "--target-action", "promote", "ludarium", "latest", str(home / "postgres"),
        )  # fmt: skip
        subprocess.run(["chown", "-R", choose_account(None).name or "root", home / "postgres"], check=True)
        async with started(home) as back, database(back, ACCOUNTS) as people:
            await eventually(lambda: query(back, "select where not pg_is_in_recovery()"))
            opened = {"LUDARIUM_DATABASE_URL": back, "LUDARIUM_BACKUP_KEY": str(ours.identity)}
            await apply_to_restored(read_config(elsewhere | sealing | opened), str(folder / "ledger"))
            named = await Accounts(people, ENTROPY).named([early.player.id, kept.player.id, late.player.id])
            assert {*named} == {early.player.id, kept.player.id}
            with pytest.raises(Problem, match="invalid-token"):
                await Accounts(people, ENTROPY).tokens.access(kept.token)

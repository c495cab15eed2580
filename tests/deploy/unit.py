"""Run a systemd unit as a process, without systemd.

The process gets the command, the rights and the limits of the unit.
"""
from __future__ import annotations

import asyncio
import os
import pwd
import resource
import shlex
from pathlib import Path
from typing import NamedTuple

from tests.support.servers import LUDARIUM

STAND_IN = "nobody"
"""Replaces the account of the unit, which this machine may not have."""
FOLDERS = {"StateDirectory": "/var/lib", "RuntimeDirectory": "/run"}


class Unit(NamedTuple):
    service: dict[str, str]
    root: Path
    """Replaces /: the unit's folders are below it."""

    @classmethod
    def read(cls, path: Path, root: Path) -> Unit:
        """Read a unit, and join the values of a repeated key by spaces."""
        found: dict[str, str] = {}
        for line in path.read_text().partition("[Service]")[2].partition("\n[")[0].splitlines():
            key, is_given, value = line.partition("=")
            if is_given and not line.startswith("#"):
                found[key] = f"{found[key]} {value}" if key in found else value
        return cls(found, root)

    def folders(self) -> None:
        """Create the unit's folders for its account, as systemd does before the start."""
        for key, place in FOLDERS.items():
            folder = self.root / place.lstrip("/") / self.service[key]
            folder.mkdir(parents=True)
            folder.chmod(int(self.service[f"{key}Mode"], 8))
            if os.geteuid() == 0:
                os.chown(folder, *account())

    def environment(self, **more: str) -> dict[str, str]:
        """Return the environment variables of the unit.

        Args:
            more: The variables from the unit's EnvironmentFile.
        """
        given = dict(pair.split("=", 1) for pair in shlex.split(self.service["Environment"]))
        places = {name: str(self.root / value.lstrip("/")) if value.startswith("/") else value for name, value in given.items()}
        return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"} | places | more

    def command(self) -> list[str]:
        program, *words = shlex.split(self.service["ExecStart"])
        assert program == "/opt/ludarium/bin/ludarium"
        limits = ["prlimit", f"--nofile={self.descriptors}", f"--core={self.service['LimitCORE']}", "--"]
        masked = ["sh", "-c", f'umask {self.service["UMask"]}; exec "$@"', "-"]
        return [*limits, *self.rights(), "--", *masked, str(LUDARIUM), *words]

    @property
    def descriptors(self) -> int:
        """The unit's limit on open files, or this machine's if that is lower."""
        return min(int(self.service["LimitNOFILE"]), resource.getrlimit(resource.RLIMIT_NOFILE)[1])

    def rights(self) -> list[str]:
        """Return a command prefix that drops all rights.

        The process may still read a Python interpreter in a private folder such as /root.
        """
        assert (self.service["NoNewPrivileges"], self.service["CapabilityBoundingSet"]) == ("yes", "")
        if os.geteuid() != 0:
            return ["setpriv", "--no-new-privs"]
        user, group = account()
        to_read = [f"--{caps}=-all,+dac_read_search" for caps in ("inh-caps", "ambient-caps", "bounding-set")]
        return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs", *to_read]

    async def start(self, **more: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self.command(), env=self.environment(**more), cwd="/", stdout=asyncio.subprocess.DEVNULL
        )


def account() -> tuple[int, int]:
    entry = pwd.getpwnam(STAND_IN)
    return entry.pw_uid, entry.pw_gid

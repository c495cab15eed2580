"""A unit of systemd as a process of its own: its command with its user's rights, environment and limits, where no systemd runs."""
from __future__ import annotations

import asyncio
import os
import pwd
import resource
import shlex
from configparser import RawConfigParser
from pathlib import Path
from typing import NamedTuple

from tests.api.test_crash import LUDARIUM

STAND_IN = "nobody"
"""For the account of the unit, which a machine of ours need not have."""
FOLDERS = {"StateDirectory": "/var/lib", "RuntimeDirectory": "/run"}


class Several(RawConfigParser):
    """Keys that stand more than once are joined, and case is kept, as systemd does."""

    def __init__(self) -> None:
        super().__init__(strict=False, dict_type=Joined, interpolation=None)

    def optionxform(self, optionstr: str) -> str:
        return optionstr


class Joined(dict[str, list[str]]):
    def __setitem__(self, key: str, value: list[str]) -> None:
        if isinstance(value, list) and key in self:
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


class Unit(NamedTuple):
    service: dict[str, str]
    root: Path
    """Stands for /: its folders are below it."""

    @classmethod
    def read(cls, path: Path, root: Path) -> Unit:
        parser = Several()
        parser.read(path)
        return cls(dict(parser["Service"]), root)

    def folders(self) -> None:
        """As systemd makes them before the start, each for the account of the unit."""
        for key, place in FOLDERS.items():
            folder = self.root / place.lstrip("/") / self.service[key]
            folder.mkdir(parents=True)
            folder.chmod(int(self.service[f"{key}Mode"], 8))
            if os.geteuid() == 0:
                os.chown(folder, *account())

    def environment(self, **more: str) -> dict[str, str]:
        """more: what stands in its EnvironmentFile."""
        given = dict(pair.split("=", 1) for pair in shlex.split(self.service["Environment"].replace("\n", " ")))
        places = {name: str(self.root / value.lstrip("/")) if value.startswith("/") else value for name, value in given.items()}
        return {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"} | places | more

    def command(self) -> list[str]:
        program, *words = shlex.split(self.service["ExecStart"])
        assert program == "/opt/ludarium/bin/ludarium"
        limits = ["prlimit", f"--nofile={self.descriptors}", f"--core={self.service['LimitCORE']}", "--"]
        return [*limits, *self.rights(), "--", "sh", "-c", f'umask {self.service["UMask"]}; exec "$@"', "-", str(LUDARIUM), *words]

    @property
    def descriptors(self) -> int:
        """As far as this machine lets anybody have so many."""
        return min(int(self.service["LimitNOFILE"]), resource.getrlimit(resource.RLIMIT_NOFILE)[1])

    def rights(self) -> list[str]:
        """None at all; but to come to an interpreter that lies where the stand-in may not go, as below /root."""
        assert (self.service["NoNewPrivileges"], self.service["CapabilityBoundingSet"]) == ("yes", "")
        if os.geteuid() != 0:
            return ["setpriv", "--no-new-privs"]
        user, group = account()
        to_read = ["--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search", "--bounding-set=-all,+dac_read_search"]
        return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs", *to_read]

    async def start(self, **more: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *self.command(), env=self.environment(**more), cwd="/", stdout=asyncio.subprocess.DEVNULL
        )


def account() -> tuple[int, int]:
    entry = pwd.getpwnam(STAND_IN)
    return entry.pw_uid, entry.pw_gid

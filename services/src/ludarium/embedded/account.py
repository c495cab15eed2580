"""Who the servers run as. PostgreSQL refuses to run as root, so root hands them to another account."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ludarium.embedded.errors import EmbeddedError

DEFAULT = "nobody"

# All that the servers are given of our environment: nothing of it may change how they behave.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True)
class Account:
    """A system account, and whether we have to change to it."""

    name: str
    uid: int
    gid: int
    foreign: bool

    def command(self, *command: str | Path) -> list[str]:
        """`command` as this account, in a process that ends when ours dies, however it dies."""
        change = [f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups"] if self.foreign else []
        return ["setpriv", *change, "--no-new-privs", "--pdeathsig=INT", "--", *map(str, command)]

    def can(self, *test: str | Path) -> bool:
        """Does the `test` command (`-x`, path …) hold for this account?"""
        return subprocess.run(self.command("test", *test), env=ENVIRONMENT, check=False).returncode == 0

    def own(self, path: Path) -> None:
        """Give `path` to this account."""
        if self.foreign:
            os.chown(path, self.uid, self.gid)


def choose_account(wanted: str | None) -> Account:
    """The account that the servers run as: ours, or for root `wanted` or else `nobody`.

    Raises:
        EmbeddedError: there is no such account, or only root could change to it.
    """
    uid = os.geteuid()
    account = _named(wanted or DEFAULT) if wanted or uid == 0 else _numbered(uid)
    if account.pw_uid == 0:
        raise EmbeddedError("PostgreSQL does not run as root: LUDARIUM_PG_USER must name another account.")
    if uid not in (0, account.pw_uid):
        raise EmbeddedError(f"Only root can run PostgreSQL as {account.pw_name} (LUDARIUM_PG_USER).")
    return Account(account.pw_name, account.pw_uid, account.pw_gid, foreign=uid == 0)


def own_account() -> Account:
    """That of this process, for programs that only talk to the servers."""
    own = _numbered(os.geteuid())
    return Account(own.pw_name, own.pw_uid, own.pw_gid, foreign=False)


def own_name() -> str:
    """The name of the account that this process runs as."""
    return _numbered(os.geteuid()).pw_name


def _named(name: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        raise EmbeddedError(f"There is no account {name}; LUDARIUM_PG_USER can name another one.") from None


def _numbered(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedError(f"User id {uid} has no account on this machine, and PostgreSQL needs one.") from None

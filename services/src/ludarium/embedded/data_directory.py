"""Where the servers keep their data and their sockets, and that only one Ludarium uses them at a time."""

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

# For data that belongs below a folder which the servers' account cannot enter, such as root's home.
ELSEWHERE = Path("/var/lib/ludarium")

HINT = "LUDARIUM_HOME can name another place."
CLUSTER, FORMAT_FILE, FORMAT = "postgres", "ludarium-format", 1
"""The format of the data is in a file of the cluster, so base backups have it too."""

# Bytes of a segment of PostgreSQL's log, which is taken as a whole: with less there is no start.
ROOM = 16 << 20

# A Unix socket's path has at most 107 bytes; PostgreSQL adds "/.s.PGSQL.5432".
SOCKET_FOLDER_BYTES = 85
SOCKET_FOLDER_PREFIX = "ludarium-"


def data_folder(home: Path, account: Account) -> Path:
    """The folder `data` of `home`, made if need be, which `account` can enter.

    If it cannot enter `home`, then `data` is a link to a folder of its own below /var/lib/ludarium.
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
    """Compare the format of the data with ours; nothing is written, and no server is started.

    Raises:
        OldHome: a release before 0.1.0 made the data.
        EmbeddedError: a later release made it.
    """
    cluster = home / "data" / CLUSTER
    try:
        made = int((cluster / FORMAT_FILE).read_text()) if cluster.exists() else FORMAT
    except PermissionError:                     # another account's, which is refused later
        return
    except (FileNotFoundError, ValueError):
        made = 0
    if made < FORMAT:
        raise OldHome(
            f"The data in {cluster} was made by a release before 0.1.0, and no later one can use it. Nothing was changed. "
            "Keep it for the release that made it. To start with an empty home, move it away, or name another one by "
            "LUDARIUM_HOME."
        )
    if made > FORMAT:
        raise EmbeddedError(f"The data in {cluster} has format {made}, which a later release of Ludarium made. Use that one.")


def write_format(cluster: Path, account: Account) -> None:
    path = cluster / FORMAT_FILE
    path.write_text(f"{FORMAT}\n")
    path.chmod(0o600)
    account.own(path)


@contextmanager
def new_data_folder(home: Path, account: Account) -> Iterator[Path]:
    """Give `data_folder`, and remove what this has made if the block fails.

    Only empty folders go, and the lock: the block removes its own files.
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
        with suppress(OSError):                 # something else is in there by now
            if not had_data:
                data.rmdir()
                link.unlink(missing_ok=True)    # where the data lies elsewhere
            for path in missing:
                path.rmdir()
        raise


def _make_data_folder(data: Path, account: Account) -> None:
    _make_open_folder(data)
    if account.foreign and not account.can("-x", data):
        data.rmdir()
        _make_open_folder(ELSEWHERE)
        elsewhere = Path(tempfile.mkdtemp(prefix=f"{data.parent.parent.name}-", dir=ELSEWHERE))
        elsewhere.chmod(0o711)
        data.symlink_to(elsewhere)


def _make_open_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o711)


@contextmanager
def room_in(folder: Path) -> Iterator[None]:
    """Says so if what happens within fails for want of room: a server's log on the same disk cannot.

    Raises:
        EmbeddedError: naming the place.
    """
    try:
        yield
    except (EmbeddedError, OSError) as problem:
        if shutil.disk_usage(folder).free >= ROOM:
            raise
        raise EmbeddedError(f"There is no space left in {folder}. {problem}") from problem


@contextmanager
def locked(data: Path) -> Iterator[None]:
    """Hold `data` for this process. The kernel lets go of it when the process dies, however it dies.

    Raises:
        AlreadyRunning: naming the process that holds it.
        EmbeddedError: the data belongs to another account.
    """
    with _open_lock(data / "lock") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise AlreadyRunning(f"Ludarium is running on {data} already, as process {file.read().strip()}.") from None
        with room_in(data):
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
    """A fresh folder that only `account` can enter, reached through the link `run` in `data` too."""
    _remove_left_over(data / "run")
    folder = Path(tempfile.mkdtemp(prefix=SOCKET_FOLDER_PREFIX, dir=_base(account)))
    handle = os.open(folder, os.O_RDONLY)
    try:
        # It tells others that the folder is in use; systemd-tmpfiles, which removes old files below /tmp, heeds it too.
        fcntl.flock(handle, fcntl.LOCK_SH)
        account.own(folder)
        (data / "run").symlink_to(folder)
        yield folder
    finally:
        os.close(handle)
        _remove_left_over(data / "run")


def _base(account: Account) -> str:
    candidates = [tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"]
    for base in candidates:
        if len(os.fsencode(base)) + 20 < SOCKET_FOLDER_BYTES and account.can("-x", base) and os.access(base, os.W_OK):
            return base
    raise EmbeddedError(f"There is no place for sockets: {', '.join(candidates)} are too long or closed to us.")


def _remove_left_over(link: Path) -> None:
    """Remove a link `run` and the folder that it leads to, if that is a folder of ours which nobody uses."""
    if link.is_symlink():
        folder = link.readlink()
        if _is_ours(folder) and not _in_use(folder):
            shutil.rmtree(folder)
        link.unlink()


def _is_ours(folder: Path) -> bool:
    return folder.name.startswith(SOCKET_FOLDER_PREFIX) and folder.is_dir() and not folder.is_symlink()


def _in_use(folder: Path) -> bool:
    # The link may have been copied with its home, while the original runs.
    handle = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False

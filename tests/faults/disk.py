"""A small disk that a test can fill and empty."""
from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = "64m"


class NotPermitted(Exception):
    """An error for machines on which mounting is not permitted."""


@contextmanager
def small_disk() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ludarium-disk-") as name:
        folder = Path(name)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "none", folder], capture_output=True)
        if mounted.returncode:
            raise NotPermitted(mounted.stderr.decode())
        try:
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def may_mount() -> bool:
    """Check whether disks can be mounted, since in some containers even root cannot."""
    try:
        with small_disk():
            return True
    except NotPermitted:
        return False


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Fill the disk to the last byte."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 12)):
            pass
    try:
        yield
    finally:
        os.unlink(ballast)

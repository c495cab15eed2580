"""A small disk of a test's own, which can be filled and emptied."""
from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = "64m"


class NotPermitted(Exception):
    """We may not mount anything here."""


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
    """Root may, but not in every container."""
    try:
        with small_disk():
            return True
    except NotPermitted:
        return False


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Not a byte is left on it."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(1 << 12)):
            pass
    try:
        yield
    finally:
        os.unlink(ballast)

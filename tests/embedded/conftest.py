"""Places for servers of a test's own: these tests kill and damage them."""

import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludarium.embedded import embedded
from tests.embedded.clients import query


@contextmanager
def open_folder() -> Iterator[Path]:
    """An empty folder that every account can enter, unlike pytest's own temporary ones.

    A server whose keeper was killed may still be writing there when the test is over.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-test-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder that every account can enter."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a test's servers keep their data; nothing is left in /var."""
    monkeypatch.setattr("ludarium.embedded.data_directory.FALLBACK_FOLDER", folder / "elsewhere")
    monkeypatch.setattr("ludarium.embedded.binaries.COPY_FOLDER", folder / "copies")
    return folder / "home"


@pytest.fixture(scope="module")
async def stopped_home() -> AsyncIterator[Path]:
    """A home whose servers ran, wrote one row and were stopped. To be copied: making a cluster takes a second."""
    with open_folder() as folder:
        async with embedded(folder / "home") as services:
            await query(services.database_url, "CREATE TABLE kept AS SELECT 1 AS n")
        yield folder / "home"


@pytest.fixture
def filled_home(stopped_home: Path, home: Path) -> Path:
    """A copy of `stopped_home` for one test."""
    subprocess.run(["cp", "--archive", stopped_home, home], check=True)
    return home

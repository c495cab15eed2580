"""Fixtures for folders with servers that a test may kill and damage."""

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
    """Create an empty folder that every account can enter, unlike pytest's folders.

    A server whose supervisor was killed may still write there after the test.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-test-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield an empty folder that every account can enter."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for the servers' data, and keep other files out of /var."""
    monkeypatch.setattr("ludarium.embedded.data_directory.FALLBACK_FOLDER", folder / "elsewhere")
    monkeypatch.setattr("ludarium.embedded.binaries.COPY_FOLDER", folder / "copies")
    return folder / "home"


@pytest.fixture(scope="module")
async def stopped_home() -> AsyncIterator[Path]:
    """Yield a stopped data folder with one row, since a new cluster takes a second.

    Tests copy the folder.
    """
    with open_folder() as folder:
        async with embedded(folder / "home") as services:
            await query(services.database_url, "CREATE TABLE kept AS SELECT 1 AS n")
        yield folder / "home"


@pytest.fixture
def filled_home(stopped_home: Path, home: Path) -> Path:
    """Return a copy of `stopped_home` for one test."""
    subprocess.run(["cp", "--archive", stopped_home, home], check=True)
    return home

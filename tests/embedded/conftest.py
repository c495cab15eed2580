"""Places for servers of a test's own: these tests kill and damage them."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder that every account can enter, unlike pytest's own temporary ones."""
    with tempfile.TemporaryDirectory(prefix="ludarium-test-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.fixture
def home(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a test's servers keep their data; nothing is left in /var."""
    monkeypatch.setattr("services.embedded.place.ELSEWHERE", folder / "elsewhere")
    monkeypatch.setattr("services.embedded.binaries.COPIES", folder / "copies")
    return folder / "home"

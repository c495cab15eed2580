"""`scripts/image-check` looks for each tool that it needs.

The check itself, which is run by `make image-check`, takes minutes.
"""
from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/image-check"
NEEDED = ("bash", "env", "dirname", "mkdir")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder to use as PATH, with an `id` for root and an apt-get that fails."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(str(shutil.which(name)))
    program(folder, "id", "echo 0")
    program(folder, "apt-get", f'echo "$*" >> {tmp_path}/asked; exit 1')
    return folder


def program(folder: Path, name: str, body: str) -> None:
    (folder / name).write_text(f"#!/bin/bash\n{body}\n")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize("there", [[], ["buildah"], ["debootstrap"]], ids=["neither", "buildah", "debootstrap"])
def test_a_missing_tool_is_installed_or_the_check_is_left_out(tools: Path, tmp_path: Path, there: list[str]) -> None:
    for name in there:
        program(tools, name, "exit 99")
    environment = {"PATH": str(tools), "IMAGE_CACHE": str(tmp_path / "cache")}
    done = subprocess.run([SCRIPT], env=environment, capture_output=True, text=True, check=False)
    assert (tmp_path / "asked").read_text().startswith("update")
    assert done.returncode == 0 and "The image is not checked" in done.stderr, done.stderr

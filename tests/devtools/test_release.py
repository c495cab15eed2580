"""A release is made from a clean checkout with a changelog and an upgrade page, and from no other."""
from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from devtools.release import NotReady, make_release, version_of
from tests.support import node

ROOT = Path(__file__).parents[2]
CONTEXT = ROOT / "deploy" / "context.py"


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """As committed, with a heading for this version and a web client."""
    folder = tmp_path / "checkout"
    git(ROOT, "clone", "--quiet", "--shared", str(ROOT), str(folder))
    log = folder / "CHANGELOG.md"
    log.write_text(log.read_text().replace("## Unreleased", f"## {version_of(folder)}", 1))
    git(folder, "commit", "--quiet", "--all", "--message", "Release it", "--allow-empty")
    (folder / "services/src/ludarium/web").mkdir()
    (folder / "services/src/ludarium/web/index.html").write_text("a page")
    return folder


def test_what_is_released_is_whole(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", node.environment()["PATH"])
    version, out = version_of(checkout), tmp_path / "out"
    assert {path.name for path in make_release(checkout, out)} == {path.name for path in out.iterdir()}
    with zipfile.ZipFile(out / f"ludarium-{version}-py3-none-any.whl") as wheel:
        assert {"ludarium/web/index.html", "ludarium/cli.py"} <= {*wheel.namelist()}
    with tarfile.open(out / f"ludarium-source-{version}.tar.gz") as source:
        files = [name.partition("/")[2] for name in source.getnames()]
    checked = subprocess.run(
        [sys.executable, CONTEXT, "deploy/Dockerfile"], cwd=checkout, input="\n".join(files), text=True, check=False
    )
    assert checked.returncode == 0, "the image can be built of it"
    parts = {kind: json.loads((out / f"ludarium-{version}.{kind}.cdx.json").read_text()) for kind in ("python", "web")}
    assert {"asyncpg", "litestar"} <= {part["name"] for part in parts["python"]["components"]}
    assert "preact" in {part["name"] for part in parts["web"]["components"]}
    assert "## Before you change to it" in (out / f"ludarium-{version}.md").read_text()
    for line in (out / "SHA256SUMS").read_text().splitlines():
        checksum, name = line.split()
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == checksum


@pytest.mark.parametrize(("change", "message"), [
    (lambda folder: (folder / "README.md").write_text("other"), "README.md"),
    (lambda folder: (folder / "new.py").write_text("x = 1"), "new.py"),
    (lambda folder: (folder / "CHANGELOG.md").write_text("# Changelog"), "has no section"),
    (lambda folder: shutil.rmtree(folder / "docs/operations/upgrades"), "say what operators have to do"),
    (lambda folder: shutil.rmtree(folder / "services/src/ludarium/web"), "make web"),
    (lambda folder: (folder.parent / "out").mkdir(), "exists already"),
])  # fmt: skip
def test_what_is_not_ready_is_not_make_release(checkout: Path, change: Callable[[Path], object], message: str) -> None:
    change(checkout)
    out = checkout.parent / "out"
    with pytest.raises(NotReady, match=message):
        make_release(checkout, out)
    assert not out.exists() or not [*out.iterdir()]

"""A release needs a clean checkout with a changelog entry and an upgrade page."""
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

from devtools.release import PYTHON, NotReady, make_release, version_of
from devtools.version import set_version
from tests.support import node

ROOT = Path(__file__).parents[2]
CONTEXT = ROOT / "deploy" / "context.py"
VERIFIER = "clients/verify-js/dist"
PACKAGES = ["ludarium", "ludarium-client", "ludarium-engine", "ludarium-eventstore", "ludarium-pairing"]


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def clone(folder: Path) -> Path:
    """Clone the commit, and add a changelog heading, a web client and the verifier."""
    git(ROOT, "clone", "--quiet", "--shared", str(ROOT), str(folder))
    log = folder / "CHANGELOG.md"
    log.write_text(log.read_text().replace("## [Unreleased]", f"## [{version_of(folder)}] - 2026-12-01", 1))
    git(folder, "commit", "--quiet", "--all", "--message", "Release it", "--allow-empty")
    (folder / "services/src/ludarium/web").mkdir()
    (folder / "services/src/ludarium/web/index.html").write_text("a page")
    node.require(ROOT / VERIFIER / "index.js", target="prepare")
    shutil.copytree(ROOT / VERIFIER, folder / VERIFIER)
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    return clone(tmp_path / "checkout")


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a checkout and the folder of the release made from it."""
    folder = tmp_path_factory.mktemp("release")
    checkout, out = clone(folder / "checkout"), folder / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", node.environment()["PATH"])
        assert {path.name for path in make_release(checkout, out)} == {path.name for path in out.iterdir()}
    return checkout, out


def test_a_release_contains_each_package_and_its_checksums(released: tuple[Path, Path]) -> None:
    checkout, out = released
    version = version_of(checkout)
    names = {path.name for path in out.iterdir()}
    for package in PACKAGES:
        distribution = f"{package.replace('-', '_')}-{version}"
        assert {f"{distribution}-py3-none-any.whl", f"{distribution}.tar.gz", f"{package}-{version}.cdx.json"} <= names
    with zipfile.ZipFile(out / f"ludarium-{version}-py3-none-any.whl") as wheel:
        assert {"ludarium/web/index.html", "ludarium/cli.py"} <= {*wheel.namelist()}
    assert "## Before you upgrade" in (out / f"ludarium-{version}.md").read_text()
    sums = sorted(f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}" for name in names - {"SHA256SUMS"})
    assert sorted((out / "SHA256SUMS").read_text().splitlines()) == sums


def test_the_source_is_the_context_of_the_image(released: tuple[Path, Path]) -> None:
    checkout, out = released
    with tarfile.open(out / f"ludarium-source-{version_of(checkout)}.tar.gz") as source:
        files = [name.partition("/")[2] for name in source.getnames()]
    subprocess.run([sys.executable, CONTEXT, "deploy/Dockerfile"], cwd=checkout, input="\n".join(files), text=True, check=True)


def test_a_source_distribution_builds_the_wheel_of_the_tree(released: tuple[Path, Path], tmp_path: Path) -> None:
    out = released[1]
    sources = sorted(path for path in out.glob("*.tar.gz") if not path.name.startswith("ludarium-source-"))
    assert len(sources) == len(PYTHON)
    for path in sources:
        with tarfile.open(path) as source:
            source.extractall(tmp_path, filter="data")
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
        subprocess.run(command, cwd=tmp_path / path.name.removesuffix(".tar.gz"), check=True, capture_output=True)
    wheels = {path.name: path.read_bytes() for path in out.glob("*.whl")}
    assert {path.name for path in tmp_path.glob("*.whl")} == wheels.keys()
    assert [name for name, content in wheels.items() if (tmp_path / name).read_bytes() != content] == []


def test_the_npm_package_has_code_types_readme_and_licence(released: tuple[Path, Path]) -> None:
    (package,) = released[1].glob("ludarium-verify-*.tgz")
    with tarfile.open(package) as files:
        names = {*files.getnames()}
    assert {f"package/{name}" for name in ("dist/index.js", "dist/index.d.ts", "package.json", "README.md", "LICENSE")} <= names


def test_an_sbom_lists_what_each_package_needs_and_no_more(released: tuple[Path, Path]) -> None:
    checkout, out = released
    parts = {path.name.rpartition("-")[0]: components(path) for path in out.glob("*.cdx.json")}
    assert parts.keys() == {*PACKAGES, "ludarium-verify", "ludarium-web"}
    ours = {f"ludarium-{name}=={version_of(checkout)}" for name in ("engine", "eventstore", "pairing")}
    assert ours <= {f"{name}=={version}" for name, version in parts["ludarium"]}
    needed = {package: {name for name, _ in found} for package, found in parts.items()}
    assert needed["ludarium-engine"] == {"msgspec", "icu4py", "typing-extensions"}
    assert needed["ludarium-eventstore"] == {"msgspec", "asyncpg"}
    assert {"openskill", "rustworkx", "numpy"} <= needed["ludarium-pairing"] < needed["ludarium"]
    assert {"httpx", "httpcore", "websockets"} <= needed["ludarium-client"] < needed["ludarium"]
    assert {"litestar", "asyncpg", "opentelemetry-sdk"} <= needed["ludarium"] and "hatchling" not in needed["ludarium"]
    assert needed["ludarium-verify"] == {"@noble/ed25519", "@noble/hashes"} and "preact" in needed["ludarium-web"]


def components(sbom: Path) -> set[tuple[str, str]]:
    return {(part["name"], part["version"]) for part in json.loads(sbom.read_text())["components"]}


def test_no_file_keeps_the_old_version(checkout: Path) -> None:
    """The changelog, the page on releases and generated schemas are exceptions."""
    old, elsewhere = version_of(checkout), [":!CHANGELOG.md", ":!docs/release.md", ":!api-schema"]
    set_version(checkout, "7.8.9.dev0")
    assert version_of(checkout) == "7.8.9.dev0"
    assert output(checkout, "git", "grep", "-lF", old, "--", *elsewhere) == ""
    assert json.loads((checkout / "clients/web/package-lock.json").read_text())["packages"][""]["version"] == "7.8.9"
    changed = output(checkout, "git", "diff", "-U0", "--", "clients/*/package*.json").splitlines()
    added = [line for line in changed if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == 6 and all('"version": "7.8.9"' in line for line in added), "and no version of another package"


def output(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(("change", "message"), [
    (lambda folder: (folder / "README.md").write_text("other"), "README.md"),
    (lambda folder: (folder / "new.py").write_text("x = 1"), "new.py"),
    (lambda folder: (folder / "CHANGELOG.md").write_text("# Changelog"), "has no section"),
    (lambda folder: shutil.rmtree(folder / "docs/operations/upgrades"), "write what operators must do"),
    (lambda folder: shutil.rmtree(folder / "services/src/ludarium/web"), "make web"),
    (lambda folder: shutil.rmtree(folder / VERIFIER), "scripts/web verifier"),
    (lambda folder: (folder.parent / "out").mkdir(), "exists already"),
])  # fmt: skip
def test_a_checkout_that_is_not_ready_is_refused(checkout: Path, change: Callable[[Path], object], message: str) -> None:
    change(checkout)
    out = checkout.parent / "out"
    with pytest.raises(NotReady, match=message):
        make_release(checkout, out)
    assert not out.exists() or not [*out.iterdir()]

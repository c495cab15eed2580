"""`python -m devtools release`: make everything that a release publishes, from a clean checkout."""
from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Annotated

import typer
from packaging.version import Version

PROJECT = Path(__file__).parents[1]
DISTRIBUTIONS = "engine", "eventstore", "pairing", "services", "clients/python"
NOTES = """# Ludarium {version}

{changes}

## Before you change to it

{upgrade}

## The image

The source is its whole context: `tar xf ludarium-source-{version}.tar.gz && cd ludarium-source-{version}`, then
`docker build -f deploy/Dockerfile -t ludarium:{version} .`. It runs as the account 10001, and needs no capability and no place
to write but /tmp. What is in it: `ludarium-{version}.python.cdx.json` and `ludarium-{version}.web.cdx.json` (CycloneDX), and
docs/licences.md of the source.
"""


class NotReady(Exception):
    """This checkout cannot be released; the message says what to do."""


def release(out: Annotated[Path, typer.Argument(help="a new folder")] = Path("dist")) -> None:
    """Make wheels, sources, bills of materials, notes and checksums of the version in pyproject.toml."""
    try:
        for path in make_release(PROJECT, out):
            typer.echo(path)
    except NotReady as problem:
        sys.exit(str(problem))
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(map(str, error.cmd[:4]))} failed:\n{error.stderr}")


def make_release(project: Path, out: Path) -> list[Path]:
    """Write all files of a release into `out` and return their paths.

    Raises:
        NotReady: the checkout is not ready; nothing was written.
        CalledProcessError: a tool failed.
    """
    version = version_of(project)
    notes = NOTES.format(version=version, changes=changelog_section(project, version), upgrade=upgrade_notes(project, version))
    check_clean(project)
    if not (project / "services/src/ludarium/web/index.html").exists():
        raise NotReady("The web client is not built: make web.")
    try:
        out.mkdir(parents=True)
    except FileExistsError:
        raise NotReady(f"{out} exists already: name another folder, or remove it.") from None
    source = f"ludarium-source-{version}"
    run(project, "git", "archive", f"--prefix={source}/", f"--output={out.resolve() / source}.tar.gz", "HEAD")
    for each in DISTRIBUTIONS:
        run(project / each, sys.executable, "-m", "hatchling", "build", "-d", str(out.resolve()))
    (out / f"ludarium-{version}.md").write_text(notes)
    (out / f"ludarium-{version}.python.cdx.json").write_text(python_bill(project))
    (out / f"ludarium-{version}.web.cdx.json").write_text(web_bill(project))
    files = sorted(out.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(sums))
    return [*files, out / "SHA256SUMS"]


def version_of(project: Path) -> str:
    version: str = tomllib.loads((project / "services/pyproject.toml").read_text())["project"]["version"]
    return version


def changelog_section(project: Path, version: str) -> str:
    """Return the section of this version of the changelog."""
    section = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", (project / "CHANGELOG.md").read_text(), re.DOTALL | re.MULTILINE
    )
    if section is None:
        raise NotReady(f"CHANGELOG.md has no section {version}: rename the heading Unreleased.")
    return section[1].strip()


def upgrade_notes(project: Path, version: str) -> str:
    page = project / "docs/operations/upgrades" / f"{Version(version).base_version}.md"
    if not page.exists():
        raise NotReady(f"There is no {page.relative_to(project)}: say what operators have to do for {version}.")
    return page.read_text().partition("\n")[2].strip()


def check_clean(project: Path) -> None:
    if changed := run(project, "git", "status", "--porcelain"):
        raise NotReady(f"A release has what was committed. Not committed:\n{changed.rstrip()}")


def python_bill(project: Path) -> str:
    """List the locked packages of the image."""
    return run(project, sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", "--of", "JSON",
               "--pyproject", "services/pyproject.toml", "locks/core.txt")  # fmt: skip


def web_bill(project: Path) -> str:
    """List the packages that are sent to browsers."""
    return run(project / "clients/web", "npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev")


def run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

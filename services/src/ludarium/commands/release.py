"""`ludarium release`: what is published of a version, from a clean checkout."""
from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from ludarium.commands.running import fail

PROJECT = Path(__file__).parents[4]
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


class NotYet(Exception):
    """Why this checkout cannot be released, and what to do."""


def register(app: typer.Typer) -> None:
    app.command()(release)


def release(out: Annotated[Path, typer.Argument(help="a folder that is not there yet")] = Path("dist")) -> None:
    """Make wheels, sources, bills of material, notes and sums of the version in pyproject.toml."""
    try:
        for path in released(PROJECT, out):
            typer.echo(path)
    except NotYet as why:
        fail(why)
    except subprocess.CalledProcessError as error:
        fail(f"{' '.join(map(str, error.cmd[:4]))} has failed:\n{error.stderr}")


def released(project: Path, out: Path) -> list[Path]:
    """The files. Raises NotYet, which leaves nothing, and CalledProcessError."""
    version = version_of(project)
    notes = NOTES.format(version=version, changes=changes(project, version), upgrade=upgrade(project, version))
    check_clean(project)
    if not (project / "services/src/ludarium/web/index.html").exists():
        raise NotYet("The web client is not built: make web.")
    try:
        out.mkdir(parents=True)
    except FileExistsError:
        raise NotYet(f"{out} is there already: name another folder, or remove it.") from None
    source = f"ludarium-source-{version}"
    run(project, "git", "archive", f"--prefix={source}/", f"--output={out.resolve() / source}.tar.gz", "HEAD")
    for each in DISTRIBUTIONS:
        run(project / each, sys.executable, "-m", "hatchling", "build", "-d", str(out.resolve()))
    (out / f"ludarium-{version}.md").write_text(notes)
    (out / f"ludarium-{version}.python.cdx.json").write_text(of_python(project))
    (out / f"ludarium-{version}.web.cdx.json").write_text(of_the_web(project))
    made = sorted(out.iterdir())
    (out / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made))
    return [*made, out / "SHA256SUMS"]


def version_of(project: Path) -> str:
    version: str = tomllib.loads((project / "services/pyproject.toml").read_text())["project"]["version"]
    return version


def changes(project: Path, version: str) -> str:
    """Its section of the changelog."""
    found = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", (project / "CHANGELOG.md").read_text(), re.DOTALL | re.MULTILINE
    )
    if found is None:
        raise NotYet(f"CHANGELOG.md has no section {version}: give what is unreleased this heading.")
    return found[1].strip()


def upgrade(project: Path, version: str) -> str:
    page = project / "docs/operations/upgrades" / f"{version}.md"
    if not page.exists():
        raise NotYet(f"There is no {page.relative_to(project)}: say what operators have to do for {version}.")
    return page.read_text().partition("\n")[2].strip()


def check_clean(project: Path) -> None:
    if changed := run(project, "git", "status", "--porcelain"):
        raise NotYet(f"What is released is what was committed, and this is not:\n{changed.rstrip()}")


def of_python(project: Path) -> str:
    """Of what the image has, as it is locked."""
    return run(project, sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", "--of", "JSON",
               "--pyproject", "services/pyproject.toml", "locks/core.txt")  # fmt: skip


def of_the_web(project: Path) -> str:
    """Of what browsers are sent."""
    return run(project / "clients/web", "npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev")


def run(folder: Path, *command: str) -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout

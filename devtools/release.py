"""`python -m devtools release`: build all files of a release.

The checkout must be clean.
"""
from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer
from packaging.version import Version

from devtools.sbom import metadata_of, npm_sbom, python_sbom, run

PROJECT = Path(__file__).parents[1]
PYTHON = "engine", "eventstore", "pairing", "services", "clients/python"
VERIFIER = "clients/verify-js"
NPM = VERIFIER, "clients/web"
BUILT = {"services/src/ludarium/web/index.html": "make web", f"{VERIFIER}/dist/index.js": "scripts/web verifier"}
"""Each file that a release packs although Git does not track it -> the command that builds it."""
NOTES = """# Ludarium {version}

{changes}

## Before you upgrade

{upgrade}

## Files

- `SHA256SUMS`: the checksum of each file
- `ludarium-source-{version}.tar.gz`: the source, which is also the whole build context of the image
- `*.whl`, `*.tar.gz`: the wheel and the source distribution of each Python package
- `ludarium-verify-*.tgz`: the npm package that verifies records in browsers and Node
- `*.cdx.json`: the bill of materials (SBOM, CycloneDX) of each package. Those of `ludarium`, `ludarium-web` and
  `ludarium-verify` cover the image; `docs/licences.md` of the source lists the licences.

## The image

```sh
tar xf ludarium-source-{version}.tar.gz
docker build -f ludarium-source-{version}/deploy/Dockerfile -t ludarium:{version} ludarium-source-{version}
```

The image runs as user 10001, needs no capability and writes to /tmp only.
"""


class NotReady(Exception):
    """This checkout cannot be released; the message says what to do."""


def release(out: Annotated[Path, typer.Argument(help="a new folder")] = Path("dist")) -> None:
    """Make all files of a release: packages for Python and npm, source, SBOMs, notes and checksums."""
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
    check_built(project)
    try:
        out.mkdir(parents=True)
    except FileExistsError:
        raise NotReady(f"{out} exists already: name another folder, or remove it.") from None
    (out / f"ludarium-{version}.md").write_text(notes)
    pack(project, out.resolve(), version)
    write_sboms(project, out)
    files = sorted(out.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(sums))
    return [*files, out / "SHA256SUMS"]


def pack(project: Path, out: Path, version: str) -> None:
    """Write the source archive, the Python packages and the npm package into `out`."""
    source = f"ludarium-source-{version}"
    run(project, ["git", "archive", f"--prefix={source}/", f"--output={out / source}.tar.gz", "HEAD"])
    for folder in PYTHON:
        run(project / folder, [sys.executable, "-m", "hatchling", "build", "-d", str(out)])
    run(project / VERIFIER, ["npm", "pack", "--pack-destination", str(out)])


def write_sboms(project: Path, out: Path) -> None:
    for folder in PYTHON:
        metadata = metadata_of(project / folder / "pyproject.toml")
        (out / f"{metadata['name']}-{metadata['version']}.cdx.json").write_text(python_sbom(project, folder))
    for folder in NPM:
        package = json.loads((project / folder / "package.json").read_text())
        (out / f"{package['name']}-{package['version']}.cdx.json").write_text(npm_sbom(project / folder))


def version_of(project: Path) -> str:
    version: str = metadata_of(project / "services/pyproject.toml")["version"]
    return version


def changelog_section(project: Path, version: str) -> str:
    """Return the changelog section of a version.

    Raises:
        NotReady: the changelog has no such section.
    """
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$"
    changelog = (project / "CHANGELOG.md").read_text()
    section = re.search(rf"{heading}(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if section is None:
        raise NotReady(f"CHANGELOG.md has no section {version}: rename [Unreleased] to `## [{version}] - YYYY-MM-DD`.")
    return section[1].strip()


def upgrade_notes(project: Path, version: str) -> str:
    page = project / "docs/operations/upgrades" / f"{Version(version).base_version}.md"
    if not page.exists():
        raise NotReady(f"There is no {page.relative_to(project)}: write what operators must do to upgrade to {version}.")
    return page.read_text().partition("\n")[2].strip()


def check_clean(project: Path) -> None:
    if changed := run(project, ["git", "status", "--porcelain"]):
        raise NotReady(f"A release contains only what is committed. Not committed:\n{changed.rstrip()}")


def check_built(project: Path) -> None:
    for file, command in BUILT.items():
        if not (project / file).exists():
            raise NotReady(f"{file} is not built: run `{command}`.")

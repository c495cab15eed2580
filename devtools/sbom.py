"""Write software bills of materials (SBOMs) in CycloneDX format."""
from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

LOCK = "locks/core.txt"
PINNED = re.compile(r"^([a-z0-9.-]+)(?:\[\S+\])?==", re.MULTILINE)


def python_sbom(project: Path, folder: str) -> str:
    """Return the SBOM of the Python distribution in `folder`.

    It has our own packages and all locked packages that the distribution needs.

    Raises:
        CalledProcessError: cyclonedx-py failed.
    """
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--output-reproducible", "--of", "JSON",
               "--pyproject", f"{folder}/pyproject.toml", "-"]  # fmt: skip
    return run(project, command, given=requirements(project, folder))


def npm_sbom(folder: Path) -> str:
    """Return the SBOM of an npm package, without development dependencies."""
    return run(folder, ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev"])


def requirements(project: Path, folder: str) -> str:
    """Return the requirements of a distribution, as lines of a requirements file.

    Our own packages are pinned by version; all others are copied from the lock.
    """
    ours = {metadata["name"]: metadata for metadata in map(metadata_of, project.glob("*/pyproject.toml"))}
    sisters, wanted = set[str](), names(metadata_of(project / folder / "pyproject.toml"))
    while found := (wanted & ours.keys()) - sisters:
        sisters |= found
        wanted |= {name for sister in found for name in names(ours[sister])}
    locked = locked_packages((project / LOCK).read_text())
    pinned = [f"{name}=={ours[name]['version']}\n" for name in sorted(sisters)]
    return "".join([*pinned, *(locked[name] for name in sorted(needed(wanted - sisters, locked)))])


def metadata_of(file: Path) -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads(file.read_text())["project"]
    return project


def names(metadata: dict[str, Any]) -> set[str]:
    """Return the names of the packages that a distribution requires.

    Of its extras, only `traces` is included, because the image has only that one.
    """
    extras = metadata.get("optional-dependencies", {})
    return {Requirement(each).name.lower() for each in [*metadata["dependencies"], *extras.get("traces", [])]}


def locked_packages(lock: str) -> dict[str, str]:
    """Return the lines of each package in a lock file, by package name."""
    starts = [*PINNED.finditer(lock)]
    ends = [start.start() for start in starts[1:]] + [len(lock)]
    return {start[1]: lock[start.start() : end] for start, end in zip(starts, ends, strict=True)}


def needed(wanted: Iterable[str], locked: dict[str, str]) -> set[str]:
    """Return these packages with all their direct and indirect dependencies.

    The lock names for each package those that require it (`via`).

    Raises:
        KeyError: the lock lacks one of the packages.
    """
    found = {name for name in wanted if locked[name]}
    parents = {name: {*re.findall(r"^ +#(?: via)? +([a-z0-9.-]+)$", text, re.MULTILINE)} for name, text in locked.items()}
    while more := {name for name, by in parents.items() if by & found} - found:
        found |= more
    return found


def run(folder: Path, command: list[str], given: str | None = None) -> str:
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, input=given)
    return done.stdout

"""`python -m devtools version NEW`: change the version wherever the project states it."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from packaging.version import Version

from devtools.release import NPM, PROJECT, PYTHON, version_of

FILES = (*(f"{folder}/pyproject.toml" for folder in PYTHON),
         *(f"k8s/{overlay}/kustomization.yaml" for overlay in ("base", "single", "prod")), "docs/kubernetes.md")  # fmt: skip
IN_LOCK = 2
"""How often package-lock.json states the version of its own package; these are its first versions."""


def version(new: Annotated[str, typer.Argument(help="such as 0.1.0 or 0.2.0.dev0")]) -> None:
    """Change the version of all packages and of the image. Run `make setup schema` afterwards."""
    set_version(PROJECT, str(Version(new)))


def set_version(project: Path, new: str) -> None:
    """Replace the version in all files that are not generated.

    The versions of npm packages are without a suffix such as `.dev0`.
    """
    old = version_of(project)
    for file in FILES:
        replace(project / file, old, new)
    for folder in NPM:
        before, after = (f'"version": "{Version(each).base_version}"' for each in (old, new))
        replace(project / folder / "package.json", before, after, 1)
        replace(project / folder / "package-lock.json", before, after, IN_LOCK)


def replace(file: Path, old: str, new: str, most: int = -1) -> None:
    """Replace a text in a file.

    Args:
        file: the file.
        old: the text to replace.
        new: its replacement.
        most: the number of occurrences to replace, from the start; -1 for all.

    Raises:
        ValueError: the file does not contain `old`.
    """
    text = file.read_text()
    if old not in text:
        raise ValueError(f"{file} does not contain {old}")
    file.write_text(text.replace(old, new, most))

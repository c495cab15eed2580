"""Find the packages of titles.

They are in `titles/`, or other distributions declare them as entry points.

A distribution declares each of its titles in its `pyproject.toml`, under the title's id:

    [project.entry-points."ludarium_engine.titles"]
    court-whispers = "court_whispers"
"""
from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files

GROUP = "ludarium_engine.titles"
"""The package that contains the built-in titles, and the name of the entry point group for all others."""


@cache
def title_packages() -> Mapping[str, str]:
    """Return the package names of all titles by id.

    Raises:
        ValueError: two packages declare the same id.
    """
    found = {folder.name.replace("_", "-"): f"{GROUP}.{folder.name}" for folder in pkgutil.iter_modules([str(files(GROUP))])}
    for entry in entry_points(group=GROUP):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ValueError(f"Two packages are the title {entry.name}: {found[entry.name]} and {entry.value}.")
    return found

"""Find the packages of titles: those in `titles/`, and those of other distributions by their entry points.

A distribution with titles of its own names each in its `pyproject.toml`, by its id:

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
"""The package of our own titles, and the group of entry points of all others."""


@cache
def title_packages() -> Mapping[str, str]:
    """Return the package of every title by the title's id.

    Raises:
        ValueError: two distributions have a title of this id.
    """
    found = {folder.name.replace("_", "-"): f"{GROUP}.{folder.name}" for folder in pkgutil.iter_modules([str(files(GROUP))])}
    for entry in entry_points(group=GROUP):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ValueError(f"Two packages are the title {entry.name}: {found[entry.name]} and {entry.value}.")
    return found

"""Find the packages of titles.

Built-in titles are packages in `titles/`; other distributions declare their titles as entry points. Such a distribution lists
each title in `pyproject.toml` under the title's id:

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
    """Return the package names of all titles, keyed by title id.

    Raises:
        ValueError: two packages declare the same id.
    """
    found = {folder.name.replace("_", "-"): f"{GROUP}.{folder.name}" for folder in pkgutil.iter_modules([str(files(GROUP))])}
    for entry in entry_points(group=GROUP):
        if found.setdefault(entry.name, entry.value) != entry.value:
            raise ValueError(f"Two packages are the title {entry.name}: {found[entry.name]} and {entry.value}.")
    return found

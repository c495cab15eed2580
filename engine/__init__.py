"""The rules: pure, deterministic, no I/O, no clock, no randomness of its own."""
from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from engine.kernel.title import Title


@cache
def titles() -> Mapping[str, Title[Any, Any]]:
    """Every title by its id: a folder here whose package has a TITLE."""
    packages = [import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__) if m.ispkg]
    found = [package.TITLE for package in packages if hasattr(package, "TITLE")]
    return {title.id: title for title in found}

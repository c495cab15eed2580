"""The rules: pure, deterministic, no I/O, no clock, no randomness of its own."""
from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Any

import msgspec

from engine.kernel.data import replaced_by
from engine.kernel.layout import fields_of
from engine.kernel.title import Title

AnyTitle = Title[Any, Any]


def titles() -> Mapping[str, AnyTitle]:
    """Every title by its id, with the data that new games start with."""
    return MappingProxyType(current())


def title_of(title_id: str, data_hash: bytes) -> AnyTitle:
    """The title with the data of this hash; with those of new games where nobody has provided these."""
    return known().get((title_id, data_hash), current()[title_id])


def provided(title_id: str, data_hash: bytes) -> bool:
    return (title_id, data_hash) in known()


def provide(title_id: str, data: bytes) -> AnyTitle:
    """Have the title with these data as well: games that began with them go on. The data are known to fit."""
    title = imported_with(shipped_titles()[title_id].package, data)
    return known().setdefault((title_id, title.data_hash), title)


def install(title_id: str, data: bytes) -> None:
    """New games start with these data."""
    current()[title_id] = provide(title_id, data)


@cache
def shipped_titles() -> Mapping[str, AnyTitle]:
    """A title is a folder here whose package has a TITLE."""
    packages = [import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__) if m.ispkg]
    found = [package.TITLE for package in packages if hasattr(package, "TITLE")]
    return {title.id: title for title in found}


@cache
def current() -> dict[str, AnyTitle]:
    return {**shipped_titles()}


@cache
def known() -> dict[tuple[str, bytes], AnyTitle]:
    """By the hash of their data."""
    return {(title.id, title.data_hash): title for title in shipped_titles().values()}


def imported_with(package: str, data: bytes) -> AnyTitle:
    """The title's modules imported once more, beside those that stay: all that its data decide stands in them."""
    with set_aside(package), replaced_by(data):
        title: AnyTitle = import_module(package).TITLE
        # Types are looked up by the names of their modules when they are first needed: now, while these are the title's.
        msgspec.convert({}, title.options)
        list(fields_of(title.state))
    return title


@contextmanager
def set_aside(package: str) -> Iterator[None]:
    """Within, the package counts as not imported."""
    ours = modules_of(package)
    for name in ours:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in modules_of(package):
            del sys.modules[name]
        sys.modules.update(ours)
        setattr(sys.modules[__name__], package.rpartition(".")[2], ours[package])


def modules_of(package: str) -> dict[str, ModuleType]:
    return {name: module for name, module in sys.modules.items() if f"{name}.".startswith(f"{package}.")}

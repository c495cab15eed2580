"""The data file of a title, and the title's package once more for another file.

A title's modules keep their tables of cards at the top, made from the file when they are imported. So a title with other data
is its package under a name of its own, `engine.kemet@3fa9…`: a package like any other, beside the first one.
"""
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.util import find_spec, spec_from_file_location
from types import ModuleType
from typing import Any

import msgspec

from engine.kernel.published import hash_of
from engine.kernel.title import DataFile, Flaw, Title

_data: dict[str, bytes] = {}                    # by package, where it is not the file in its folder


def data_of(package: str) -> bytes:
    """What the title is made from."""
    return _data[package] if package in _data else (files(package) / "data.json").read_bytes()


def with_data(package: str, data: bytes) -> ModuleType:
    """The package, imported under another name for these data; the same module whenever it is asked for again."""
    name = f"{package}@{hash_of(data).hex()}"
    _data[name] = data
    return import_module(name)


class Finder:
    """Python asks it for modules that nobody else knows: the package of a name is what stands before the @."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        ours = find_spec(name.partition("@")[0]) if name in _data else None
        return ours and spec_from_file_location(name, ours.origin, submodule_search_locations=ours.submodule_search_locations)


sys.meta_path.append(Finder)


# --- what is wrong ------------------------------------------------------------------------------------------------------
def flaws(title: Title[Any, Any], data: bytes) -> list[Flaw]:
    """Why the title cannot be made from a file, and its own remarks on it. Whether it can be played is tried by playing."""
    try:
        found = msgspec.json.decode(data, type=title.file)
    except (msgspec.DecodeError, RecursionError) as error:
        return [located("", error)]
    options = [(f"/rulings/{i}/option", ruling.option) for i, ruling in enumerate(found.rulings) if ruling.option]
    unknown = [Flaw(at, f"there is no option {name}") for at, name in options if name not in title.options.__struct_fields__]
    return [*rows_wrong(found, msgspec.json.decode(title.data, type=title.file)), *unknown] or [*title.wrong(found)]


def located(at: str, error: Exception) -> Flaw:
    """msgspec ends its messages with ` - at `$.spaces[3].x``; a pointer is /spaces/3/x. It names no keys: they become *."""
    detail, _, path = str(error).partition(" - at `$")
    return Flaw(at + path.replace("[...]", "/*").rstrip("`").replace("[", "/").replace("]", "").replace(".", "/"), detail)


def rows_wrong(found: DataFile, own: DataFile) -> Iterator[Flaw]:
    """An id stands in one row and its row has an English name; the ids that the rules know are there."""
    rows = rows_of(found)
    seen = Counter(row.id for _, row in rows)
    for at, row in rows:
        if seen[row.id] > 1:
            yield Flaw(f"{at}/id", f"{row.id} stands here {seen[row.id]} times")
        if not getattr(row, "name", {"en": row.id}).get("en"):
            yield Flaw(f"{at}/name", "there is no English name")
    known = [(at, row.id) for at, row in rows_of(own) if at.split("/")[1] in found.known]
    yield from (Flaw(at.rpartition("/")[0], f"{name} is missing") for at, name in known if name not in seen)


def rows_of(file: DataFile) -> list[tuple[str, Any]]:
    """Each row that has an id, with its pointer; rulings have ids of their own."""
    lists = {name: getattr(file, name) for name in file.__struct_fields__ if name != "rulings"}
    rows = [(f"/{name}/{i}", row) for name, rows in lists.items() if isinstance(rows, list) for i, row in enumerate(rows)]
    return [(at, row) for at, row in rows if hasattr(row, "id")]

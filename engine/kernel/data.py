"""The data file of a title, and the title's package once more for another file.

A title's modules keep their tables of cards at the top, made from the file when they are imported. So a title with other data
is its package under a name of its own, `engine.kemet@3fa9…`: a package like any other, beside the first one.
"""
from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.util import find_spec, spec_from_file_location
from types import ModuleType

from engine.kernel.published import hash_of

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

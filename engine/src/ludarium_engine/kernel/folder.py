"""What stands in a title's folder beside its modules: its data file, its texts, its icons; and the package for another file.

A title's modules keep their tables of cards at the top, made from the file when they are imported. So a title with other data
is its package under a name of its own, `ludarium_engine.titles.kemet@3fa9…`: a package like any other, beside the first one.

Facts, labels and prompts are message ids with parameters; each title brings a catalogue per locale. What the data file says in
words (names of cards, English rules on them, rulings) is taken from there and stands in no catalogue a second time.
`card.<kind>` is a card's name, `card.<kind>.text` what it does.

See docs/decisions/023.
"""
from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.util import find_spec, spec_from_file_location
from types import ModuleType
from typing import Any

from ludarium_engine.kernel.published import document_hash

Words = Mapping[str, str]                       # locale -> text
Catalogue = Mapping[str, str]                   # message id -> text with {0}, {1}, ... for the parameters
ENGLISH = "en"
SHARED_TEXTS = "ludarium_engine"                               # its texts are every title's, which may say them otherwise
_data: dict[str, bytes] = {}                    # by package, where it is not the file in its folder


def data_of(package: str) -> bytes:
    """What the title is made from."""
    return _data[package] if package in _data else (files(package) / "data.json").read_bytes()


def import_with_data(package: str, data: bytes) -> ModuleType:
    """The package, imported under another name for these data; the same module whenever it is asked for again."""
    name = f"{package}@{document_hash(data).hex()}"
    _data[name] = data
    return import_module(name)


class Finder:
    """Python asks it for modules that nobody else knows: the package of a name is what stands before the @."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        ours = find_spec(name.partition("@")[0]) if name in _data else None
        return ours and spec_from_file_location(name, ours.origin, submodule_search_locations=ours.submodule_search_locations)


sys.meta_path.append(Finder)


def read_json_files(package: str, folder: str) -> dict[str, Any]:
    """What the files of one of its folders say, by their names; nothing where there is no such folder."""
    found = files(package) / folder
    named = {f.name.removesuffix(".json"): f for f in found.iterdir() if f.name.endswith(".json")} if found.is_dir() else {}
    return {name: json.loads(named[name].read_bytes()) for name in sorted(named)}


def texts_of(package: str, printed: Mapping[str, Words], *more: Callable[[Catalogue], Catalogue]) -> Mapping[str, Catalogue]:
    """By locale: the folder `texts`, a file each; what is printed: by message id, what the data file says; and what is composed
    of messages of the same locale, each with those before it.

    A data file that replaces ours may name what no catalogue knows: that is said in English everywhere.
    """
    catalogues, of_all = read_json_files(package, "texts"), read_json_files(SHARED_TEXTS, "texts")
    english = {**of_all[ENGLISH], **catalogues[ENGLISH], **translations(printed, ENGLISH)}
    texts: dict[str, dict[str, str]] = {}
    for locale, found in catalogues.items():
        texts[locale] = {**english, **of_all.get(locale, {}), **found, **translations(printed, locale)}
        for compose in more:
            texts[locale] |= compose(texts[locale])
    return texts


def translations(texts: Mapping[str, Words], of: str) -> dict[str, str]:
    """By locale what it says for a message; or by message what it is in a locale, where texts go by message."""
    return {name: words[of] for name, words in texts.items() if of in words}


def printed_on(rows: Iterable[Any]) -> dict[str, Words]:
    """Names of rows of the data, by locale, and the English rules on them."""
    names = {f"card.{row.id}": row.name for row in rows}
    return names | {f"card.{row.id}.text": {"en": row.text} for row in rows if hasattr(row, "text")}


def printed_rulings(file: Any) -> dict[str, Words]:
    """Rulings of a data file in English, and by locale the names of the sources that they follow."""
    texts: dict[str, Words] = {f"ruling.{ruling.id}": {"en": ruling.text} for ruling in file.rulings}
    return texts | {f"source.{source.id}": source.name for source in file.sources}

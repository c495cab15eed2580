"""Read a title's folder, and import titles with replacement data files.

The folder has a data file, texts and icons. The modules of a title build their tables of cards from the data file when they
are imported. A title with other data is therefore imported as a second package with a name of its own, for example
`ludarium_engine.titles.kemet@3fa9…`.

Facts, labels and prompts are message ids with parameters, and each title has a catalogue of texts for each locale. Some texts
are in the data file: names of cards, English rules on cards, rulings. `texts_of` adds them to the catalogues. `card.<kind>`
is the name of a card, `card.<kind>.text` its effect.

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
SHARED_TEXTS = "ludarium_engine"                               # the package with fallback texts; a title can override them
_data: dict[str, bytes] = {}                    # package -> replacement data file


def data_of(package: str) -> bytes:
    """Return the data file of a title's package."""
    return _data[package] if package in _data else (files(package) / "data.json").read_bytes()


def import_with_data(package: str, data: bytes) -> ModuleType:
    """Import a title's package with another data file.

    A second call with the same data returns the same module.
    """
    name = f"{package}@{document_hash(data).hex()}"
    _data[name] = data
    return import_module(name)


class Finder:
    """An import finder for `package@hash`, which loads the package before the @."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        ours = find_spec(name.partition("@")[0]) if name in _data else None
        return ours and spec_from_file_location(name, ours.origin, submodule_search_locations=ours.submodule_search_locations)


sys.meta_path.append(Finder)


def read_json_files(package: str, folder: str) -> dict[str, Any]:
    """Return the content of a folder's JSON files, by name without suffix.

    Empty if there is no folder.
    """
    found = files(package) / folder
    named = {f.name.removesuffix(".json"): f for f in found.iterdir() if f.name.endswith(".json")} if found.is_dir() else {}
    return {name: json.loads(named[name].read_bytes()) for name in sorted(named)}


def texts_of(package: str, printed: Mapping[str, Words], *more: Callable[[Catalogue], Catalogue]) -> Mapping[str, Catalogue]:
    """Build the catalogues of a title, by locale.

    Texts missing in a locale are in English.

    Args:
        package: the title's package, with a file for each locale in its folder `texts`.
        printed: texts of the data file: message id -> locale -> text.
        more: functions that derive further texts from a catalogue, applied in order.
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
    """Select the entry `of` from each mapping in `texts`, where it exists.

    If `texts` is by message id and then by locale, `of` is a locale, and the result has all messages of that locale. If
    `texts` is by locale, `of` is a message id, and the result has that message in all locales.
    """
    return {name: words[of] for name, words in texts.items() if of in words}


def printed_on(rows: Iterable[Any]) -> dict[str, Words]:
    """Return the names and English effects of cards, by message id and locale.

    Args:
        rows: rows of a data file, with an id, a name by locale and often a text.
    """
    names = {f"card.{row.id}": row.name for row in rows}
    return names | {f"card.{row.id}.text": {"en": row.text} for row in rows if hasattr(row, "text")}


def printed_rulings(file: Any) -> dict[str, Words]:
    """Return a data file's rulings in English, and the names of its sources."""
    texts: dict[str, Words] = {f"ruling.{ruling.id}": {"en": ruling.text} for ruling in file.rulings}
    return texts | {f"source.{source.id}": source.name for source in file.sources}

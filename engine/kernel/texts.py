"""Messages: facts, labels and prompts are message ids with parameters; each title brings a catalogue per locale.

What the data file says in words (names of cards, English rules on them, rulings) is taken from there and stands in no
catalogue a second time. `card.<kind>` is a card's name, `card.<kind>.text` what it does.
"""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from typing import Any

Words = Mapping[str, str]                       # locale -> text
Catalogue = Mapping[str, str]                   # message id -> text with {0}, {1}, ... for the parameters
Catalogues = Mapping[str, Catalogue]            # by locale
ENGLISH = "en"
OF_ALL = "engine"                               # its texts are every title's, which may say them otherwise


def texts_of(package: str, printed: Mapping[str, Words]) -> Catalogues:
    """The package's folder `texts`, a file a locale, and what is printed: by message id, what the data file says.

    A data file that replaces ours may name what no catalogue knows: that is said in English everywhere.
    """
    catalogues, of_all = written(package), written(OF_ALL)
    english = {**of_all[ENGLISH], **catalogues[ENGLISH], **in_locale(printed, ENGLISH)}
    return {
        locale: {**english, **of_all.get(locale, {}), **found, **in_locale(printed, locale)}
        for locale, found in catalogues.items()
    }


def written(package: str) -> Catalogues:
    """What the files say, by locale."""
    found = [f for f in files(package).joinpath("texts").iterdir() if f.name.endswith(".json")]
    return {f.name.removesuffix(".json"): json.loads(f.read_bytes()) for f in sorted(found, key=lambda f: f.name)}


def in_locale(printed: Mapping[str, Words], locale: str) -> Catalogue:
    return {message: words[locale] for message, words in printed.items() if locale in words}


def composed(texts: Catalogues, more: Callable[[Catalogue], Catalogue]) -> Catalogues:
    """With what can be made of other messages of the same locale."""
    return {locale: {**found, **more(found)} for locale, found in texts.items()}


def translations(texts: Catalogues, message: str) -> dict[str, str]:
    """The message in each locale."""
    return {locale: found[message] for locale, found in texts.items() if message in found}


def printed_on(rows: Iterable[Any]) -> dict[str, Words]:
    """Names of rows of the data, by locale, and the English rules on them."""
    names = {f"card.{row.id}": row.name for row in rows}
    return names | {f"card.{row.id}.text": {"en": row.text} for row in rows if hasattr(row, "text")}


def printed_rulings(rulings: Iterable[Any]) -> dict[str, Words]:
    return {f"ruling.{ruling.id}": {"en": ruling.text} for ruling in rulings}

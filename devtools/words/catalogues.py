"""All texts that Ludarium shows, read the way the product reads them."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ludarium.platform import locale as service
from ludarium_engine.registry import titles
from ludarium_pairing import explanations

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients/web/src/i18n/catalogues.ts"
FEWEST = 1998
"""Texts of a language. With fewer, a catalogue was not found."""
LOCALES = service.LOCALES
IMPORTED = re.compile(r'import\("([^"]+/(\w+)\.json)"\)')


class Text(NamedTuple):
    """A text with the catalogue and the id that it has there."""

    catalogue: str
    id: str
    text: str


class TooFew(Exception):
    """Fewer texts than the product has."""


def texts(locale: str) -> list[Text]:
    """Return each text of this language once.

    Raises:
        TooFew: a catalogue is missing or empty.
    """
    found = {(each.id, each.text): each for each in reversed(list(every_text(locale)))}
    if len(found) < FEWEST:
        raise TooFew(f"{len(found)} texts in {locale}, fewer than {FEWEST}")
    return list(reversed(found.values()))


def every_text(locale: str) -> Iterator[Text]:
    """Yield the texts of titles, of pairing, of phrases and of the web client."""
    for title in titles().values():
        yield from entries(title.id, title.texts[locale])
    yield from entries("pairing", explanations.texts(locale))
    yield from entries("phrases", {id: said[locale] for id, said in service.phrases().items()})
    yield from client_texts(locale)


def client_texts(locale: str) -> Iterator[Text]:
    """Yield the texts of the files that the web client imports for this language."""
    for path, language in IMPORTED.findall(CLIENT.read_text()):
        if language == locale:
            file = (CLIENT.parent / path).resolve()
            yield from entries(f"web {file.parent.name}", json.loads(file.read_text()))


def entries(catalogue: str, found: Mapping[str, str]) -> Iterator[Text]:
    return (Text(catalogue, id, text) for id, text in found.items())

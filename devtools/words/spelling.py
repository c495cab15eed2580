"""Spelling of the texts that Ludarium shows, by Hunspell with Debian's dictionaries."""
from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import which

from devtools.words.catalogues import Text

DICTIONARIES = {"en": "en_GB", "es": "es_ES", "hu": "hu_HU"}
PACKAGES = "hunspell hunspell-en-gb hunspell-es hunspell-hu"
FOLDER = Path("/usr/share/hunspell")
KNOWN = Path(__file__).parent / "known"
"""Words that the dictionaries lack, a file for each language: names in games, technical terms, forms of both."""
SYNTAX = re.compile(
    r"\{n?\w+, (?:plural|select|selectordinal),"
    r"|(?:=\d+|\b(?:zero|one|two|few|many|other|e)) (?=\{)"
    r"|\{n?\w+\}(?:st|nd|rd|th)?|[{}]|https?://\S+|\b\w+(?:\.\w+)+\b|\b[A-Z][a-z]?\d\b"
)  # fmt: skip
"""Parts of a message that are not words: arguments, ordinals and cases, addresses, spaces on a map such as "C2"."""


class NotInstalled(Exception):
    """Hunspell or one of its dictionaries is missing."""


def require() -> None:
    """Raise NotInstalled unless Hunspell and all dictionaries are there."""
    if which("hunspell") is None or not all((FOLDER / f"{name}.dic").exists() for name in DICTIONARIES.values()):
        raise NotInstalled(f"sudo apt-get install {PACKAGES}")


def misspelt(locale: str, texts: Iterable[Text]) -> Iterator[str]:
    """Yield a line for each text with a word that neither the dictionary nor the list of known words has."""
    plain = [(each, SYNTAX.sub(" ", each.text).replace("\n", " ")) for each in texts]
    wrong = unknown_words(locale, "\n".join(text for _, text in plain))
    for (catalogue, id, whole), text in plain:
        if found := sorted(word for word in wrong if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text)):
            yield f"{locale}, {catalogue}: {id}: {', '.join(found)}: {whole}"


def unknown_words(locale: str, text: str) -> set[str]:
    """Return the words of a text that Hunspell does not know, except those in the list of known words."""
    command = ["hunspell", "-l", "-i", "utf-8", "-d", DICTIONARIES[locale]]
    found = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return {word for word in found.stdout.replace(".\n", "\n").split() if len(word) > 1} - known_words(locale)


def known_words(locale: str) -> set[str]:
    return set((KNOWN / f"{locale}.txt").read_text().split())

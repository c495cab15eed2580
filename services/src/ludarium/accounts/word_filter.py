"""Filter for offensive words in names and chat.

The filter recognises disguised words: capitals, look-alikes, digits for letters, and repeated or spaced-out letters. It
matches only whole words, so that place names which contain an offensive word are allowed.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ludarium.accounts.confusables import skeleton
from ludarium.platform.config import ConfigError
from ludarium.platform.locale import LOCALES
from ludarium.platform.problems import FieldError, Problem

WORD_LISTS = files("ludarium.accounts") / "words"
DIGITS_TO_LETTERS = str.maketrans("013457@$", "oieastas")
REPEATED = re.compile(r"(.)\1{2,}")
WORD = re.compile(r"[^\W_]+")


class Words(NamedTuple):
    whole: frozenset[str]
    beginnings: tuple[str, ...]

    def has(self, word: str) -> bool:
        return word in self.whole or word.startswith(self.beginnings)


class _Installed:
    """The word list of this process: the built-in list until `install` replaces it."""

    file: Path | None = None


def install(file: Path | None) -> None:
    """Replace the built-in word list by the operator's. Raises ConfigError."""
    _Installed.file = file
    word_list.cache_clear()
    try:
        word_list()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"LUDARIUM_WORDS: {error}") from error


@cache
def word_list() -> Words:
    lists = [_Installed.file] if _Installed.file else [WORD_LISTS / f"{name}.txt" for name in LOCALES]
    return parse_words(line for each in lists for line in each.read_text("utf-8").splitlines())


def parse_words(lines: Iterable[str]) -> Words:
    """Parse a list with one word per line.

    `#` begins a comment; a trailing `*` matches all words with that beginning.
    """
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    whole = frozenset(normalised(word) for word in found if not word.endswith("*"))
    return Words(whole, tuple(normalised(word[:-1]) for word in found if word.endswith("*")))


def check(text: str, field: str) -> None:
    """Raise Problem `unkind-words` if the text contains an offensive word."""
    if any(word_list().has(word) for word in words_in(text)):
        raise Problem("unkind-words", errors=[FieldError(field, "has a word that is not wanted here")])


def words_in(text: str) -> Iterator[str]:
    """Yield the words of the text, and words spelled out in single letters."""
    words = [normalised(word) for word in WORD.findall(text.translate(DIGITS_TO_LETTERS))]
    yield from words
    for alone, run in groupby(words, lambda word: len(word) == 1):
        if alone:
            yield REPEATED.sub(r"\1", "".join(run))


def normalised(word: str) -> str:
    """Normalise a word for comparison, removing capitals, marks and disguise."""
    wide = unicodedata.normalize("NFKC", word).casefold().translate(DIGITS_TO_LETTERS)
    bare = "".join(letter for letter in unicodedata.normalize("NFD", wide) if not unicodedata.combining(letter))
    return REPEATED.sub(r"\1", skeleton(skeleton(bare)))

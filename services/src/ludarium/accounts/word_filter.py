"""Words that nobody is to read here, in names and in what is said: ours by language, or the operator's own list.

Found as they are meant: however they are written in capitals, in look-alikes, in digits for letters, stretched or spaced out.
Only whole words count, so that a place name with one inside can be told.
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
    """The list of this process: ours, until another is put in its place."""

    file: Path | None = None


def install(file: Path | None) -> None:
    """The operator's list takes the place of ours. Raises ConfigError."""
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
    """A word a line, `#` before a remark; one that ends in `*` stands for all that begin so."""
    found = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    whole = frozenset(normalised(word) for word in found if not word.endswith("*"))
    return Words(whole, tuple(normalised(word[:-1]) for word in found if word.endswith("*")))


def check(text: str, field: str) -> None:
    """Raises Problem `unkind-words`."""
    if any(word_list().has(word) for word in words_in(text)):
        raise Problem("unkind-words", errors=[FieldError(field, "has a word that is not wanted here")])


def words_in(text: str) -> Iterator[str]:
    """Its words, and what letters that stand alone make together."""
    words = [normalised(word) for word in WORD.findall(text.translate(DIGITS_TO_LETTERS))]
    yield from words
    for alone, run in groupby(words, lambda word: len(word) == 1):
        if alone:
            yield REPEATED.sub(r"\1", "".join(run))


def normalised(word: str) -> str:
    """As it is compared: without capitals, marks and disguise."""
    wide = unicodedata.normalize("NFKC", word).casefold().translate(DIGITS_TO_LETTERS)
    bare = "".join(letter for letter in unicodedata.normalize("NFD", wide) if not unicodedata.combining(letter))
    return REPEATED.sub(r"\1", skeleton(skeleton(bare)))

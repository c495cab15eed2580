"""Login names: unique by how they look, so that nobody can be taken for somebody else.

A login is written in one script, in small letters; its key is what Unicode calls a skeleton: each letter by the one that it
looks like. The name that others see is another thing, and need not be unique.
"""

import unicodedata
from itertools import pairwise

from confusable_homoglyphs.categories import unique_aliases

from ludarium.accounts import word_filter
from ludarium.accounts.confusables import skeleton
from ludarium.platform.problems import FieldError, Problem

MIN_LENGTH, MAX_LENGTH = 3, 32
SEPARATORS = "_-."
COMMON_SCRIPTS = {"COMMON", "INHERITED"}
"""Scripts of what belongs to none: digits, signs, marks."""
JAPANESE, KOREAN = {"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}
RULE = f"{MIN_LENGTH} to {MAX_LENGTH} letters and digits of one script, with single _ - . between them"
RESERVED = ("admin", "administrator", "moderator", "mod", "ludarium", "root", "system", "support", "staff", "guest")
MAX_INPUT = 256
"""Letters that are looked at: Unicode's compatible forms can be many times as long as what they are made of."""


def checked_login(login: str) -> str:
    """As it is kept and shown. Raises Problem `invalid-request`, `unkind-words`."""
    name = normalised_login(login)
    plain = name.translate(dict.fromkeys(map(ord, SEPARATORS)))
    sized = MIN_LENGTH <= len(name) <= MAX_LENGTH
    if not sized or not has_single_separators(name) or not is_word(plain) or not is_of_one_script(plain):
        raise Problem("invalid-request", errors=[FieldError("/login", RULE)])
    word_filter.check(name, "/login")
    return name


def normalised_login(login: str) -> str:
    """However somebody types it. One that is too long stays so."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", login[:MAX_INPUT]).casefold())


def has_single_separators(name: str) -> bool:
    """Whether what stands between letters does stand between letters."""
    is_doubled = any(a in SEPARATORS and b in SEPARATORS for a, b in pairwise(name))
    return name[0].isalnum() and name[-1] not in SEPARATORS and not is_doubled


def is_word(text: str) -> bool:
    """Letters, digits, and the marks without which some scripts cannot be written."""
    return all(letter.isalnum() or unicodedata.category(letter) in ("Mn", "Mc") for letter in text)


def is_of_one_script(text: str) -> bool:
    scripts = unique_aliases(text) - COMMON_SCRIPTS
    return len(scripts) <= 1 or scripts <= JAPANESE or scripts <= KOREAN


def lookalike_key(name: str) -> str:
    """The same for names that look alike."""
    return skeleton(skeleton(name))


def is_reserved(key: str) -> bool:
    """Whether it could be taken for somebody in charge."""
    return key in {lookalike_key(name) for name in RESERVED}

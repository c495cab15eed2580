"""Login names, which are unique by appearance to prevent impersonation.

A login is written in one script and in lower case. Its key is the Unicode skeleton (UTS #39), in which each letter is
replaced by a representative of its look-alikes. The displayed name is separate and need not be unique.
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
"""Scripts of characters used with every script: digits, signs, marks."""
JAPANESE, KOREAN = {"HAN", "HIRAGANA", "KATAKANA"}, {"HAN", "HANGUL"}
RULE = f"{MIN_LENGTH} to {MAX_LENGTH} letters and digits of one script, with single _ - . between them"
RESERVED = ("admin", "administrator", "moderator", "mod", "ludarium", "root", "system", "support", "staff", "guest")
MAX_INPUT = 256
"""Characters that are examined: Unicode compatibility forms can expand to many times the input."""


def checked_login(login: str) -> str:
    """Validate a login and return it normalised.

    Raises:
        Problem: `invalid-request`, `unkind-words`.
    """
    name = normalised_login(login)
    plain = name.translate(dict.fromkeys(map(ord, SEPARATORS)))
    sized = MIN_LENGTH <= len(name) <= MAX_LENGTH
    if not sized or not has_single_separators(name) or not is_word(plain) or not is_of_one_script(plain):
        raise Problem("invalid-request", errors=[FieldError("/login", RULE)])
    word_filter.check(name, "/login")
    return name


def normalised_login(login: str) -> str:
    """Normalise a login so that variants of typing are equal.

    Input that is too long stays too long.
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", login[:MAX_INPUT]).casefold())


def has_single_separators(name: str) -> bool:
    """Return whether separators stand singly inside the name and not at its ends."""
    is_doubled = any(a in SEPARATORS and b in SEPARATORS for a, b in pairwise(name))
    return name[0].isalnum() and name[-1] not in SEPARATORS and not is_doubled


def is_word(text: str) -> bool:
    """Return whether all characters are letters, digits, or marks of some scripts."""
    return all(letter.isalnum() or unicodedata.category(letter) in ("Mn", "Mc") for letter in text)


def is_of_one_script(text: str) -> bool:
    scripts = unique_aliases(text) - COMMON_SCRIPTS
    return len(scripts) <= 1 or scripts <= JAPANESE or scripts <= KOREAN


def lookalike_key(name: str) -> str:
    """Return a key that is equal for names that look alike."""
    return skeleton(skeleton(name))


def is_reserved(key: str) -> bool:
    """Return whether the name could be mistaken for staff or the system."""
    return key in {lookalike_key(name) for name in RESERVED}

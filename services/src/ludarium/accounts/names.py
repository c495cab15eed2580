"""Validation of displayed names and texts, which reject invisible characters."""

import re
import unicodedata

from ludarium.accounts import word_filter
from ludarium.platform.problems import FieldError, Problem

MAX_NAME_LENGTH = 32
MAX_MARKS = 3
"""Combining marks on one letter; no script needs more."""
_EMOJI = "\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_EMOJI_JOINERS = re.compile(f"(?<=[{_EMOJI}])\ufe0f|(?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])")
"""Joiners and variation selectors inside emoji: the only invisible characters allowed."""
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that render as nothing. Invisible format characters already count as not printable."""
_RIGHT_TO_LEFT = {"R", "AL", "AN"}
_ISOLATE, _END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(name: str) -> str:
    """Return the name for use in a sentence, isolated if it has right-to-left letters.

    Without isolation, such a name would change the order of the words and numbers next to it.
    """
    turns = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in name)
    return f"{_ISOLATE}{name}{_END_OF_ISOLATE}" if turns else name


def checked_name(name: str) -> str:
    """Return the name in NFC and without surrounding spaces.

    Raises:
        Problem: `invalid-request`, `unkind-words`.
    """
    return checked_line(name, MAX_NAME_LENGTH, "/name")


def checked_line(line: str, longest: int, field: str) -> str:
    """Validate one line of text, with the rules of `checked_name`."""
    shown = unicodedata.normalize("NFC", line).strip()
    if not 1 <= len(shown) <= longest or not is_plain(_EMOJI_JOINERS.sub("", shown)):
        raise Problem("invalid-request", errors=[FieldError(field, f"1 to {longest} visible characters")])
    word_filter.check(shown, field)
    return shown


def checked_text(text: str, longest: int, field: str) -> str:
    """Validate text of several lines; each follows the rules of `checked_name`."""
    shown = unicodedata.normalize("NFC", text.replace("\r\n", "\n")).strip()
    if not 1 <= len(shown) <= longest or not all(is_plain(_EMOJI_JOINERS.sub("", line)) for line in shown.split("\n")):
        raise Problem("invalid-request", errors=[FieldError(field, f"1 to {longest} visible characters and line breaks")])
    word_filter.check(shown, field)
    return shown


def is_plain(text: str) -> bool:
    """Return whether all characters are visible and do not extend into other lines."""
    return text.isprintable() and not _INVISIBLE.search(text) and not has_stacked_marks(text)


def has_stacked_marks(text: str) -> bool:
    """Return whether combining marks lack a base letter, or too many share one."""
    marks = "".join("m" if unicodedata.category(letter).startswith("M") else "." for letter in text)
    return marks.startswith("m") or "m" * (MAX_MARKS + 1) in marks

"""Parse untrusted JSON, with a limit on nesting.

Input with the character U+0000 is refused everywhere, since PostgreSQL cannot store this character in text.
"""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from ludarium.platform.problems import FieldError, Problem, pointer_of

DEEPEST = 32
"""Maximum nesting of arrays and objects. Much deeper nesting would cause a RecursionError."""
MARK = b"\xef\xbb\xbf"
"""The byte-order mark of UTF-8, which some programs write before JSON. RFC 8259, section 8.1, allows to ignore it."""
T = TypeVar("T")
NO_NUL = "without U+0000"
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]', re.DOTALL)


def parsed(text: bytes, decode: Callable[[bytes], T]) -> T:
    """Decode JSON. The caller has removed a byte-order mark.

    Raises:
        Problem: `invalid-json` if the text is not JSON, `invalid-request` if the JSON does not fit the schema.
    """
    if is_deep(text):
        raise Problem("invalid-request", errors=[FieldError("", f"at most {DEEPEST} arrays and objects in each other")])
    if _NUL.search(text):
        raise Problem("invalid-request", errors=[FieldError("", NO_NUL)])
    try:
        return decode(text)
    except msgspec.ValidationError as error:
        raise Problem("invalid-request", errors=[pointer_of(error)]) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise Problem("invalid-json") from None


def is_deep(text: bytes) -> bool:
    """Return whether arrays and objects are nested deeper than DEEPEST.

    Texts with at most DEEPEST opening brackets need not be scanned.
    """
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for mark in _BRACKETS.finditer(text):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(mark[0], 0)
        if depth > DEEPEST:
            return True
    return False

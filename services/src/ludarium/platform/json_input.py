"""JSON from outside, whoever sends it and on whatever way: what it must be, and no deeper than anybody needs.

Text from outside, in JSON or not, never holds U+0000: PostgreSQL's text cannot.
"""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from ludarium.platform.problems import FieldError, Problem, pointer_of

DEEPEST = 32
"""Arrays and objects within each other. Deeper ones would end in RecursionError, here or where they are used."""
MARK = b"\xef\xbb\xbf"
"""The byte-order mark of UTF-8, which some programs write before JSON (RFC 8259, section 8.1: it may be ignored)."""
T = TypeVar("T")
NO_NUL = "without U+0000"
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{}]', re.DOTALL)


def parsed(text: bytes, decode: Callable[[bytes], T]) -> T:
    """Raises Problem `invalid-request`, `invalid-json`."""
    text = text.removeprefix(MARK)
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
    """Whether arrays and objects go deeper than DEEPEST. What has fewer of them altogether is not looked through."""
    if text.count(b"[") + text.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for mark in _BRACKETS.finditer(text):
        depth += {b"[": 1, b"{": 1, b"]": -1, b"}": -1}.get(mark[0], 0)
        if depth > DEEPEST:
            return True
    return False

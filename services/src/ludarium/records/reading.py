"""Strict parsing of record files, in which unknown content is an error."""
from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from ludarium.records.record import Claims, Documents, Hashed
from ludarium_engine.kernel.decoding import converter

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a file in bytes."""
MAX_DEPTH = 64
"""Maximum depth of nested arrays and objects."""


class InvalidRecord(Exception):
    """The file is not a record; the message says where and why."""


class ReadRow(Hashed, frozen=True, kw_only=True):
    """A row of a record as read.

    `event` is as in the file, to be compared with the open leaf.
    """

    event: dict[str, Any]


class ReadRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as read. Its bytes are checked; its claims can be anything."""

    format: Literal["ludarium-record/2"]
    table: str
    viewer: int | None
    rows: list[ReadRow]
    documents: Documents
    claims: Claims


convert_record = converter(ReadRecord)


def read_record(data: bytes) -> ReadRecord:
    """Parse a record.

    Base64 must be canonical; unknown or duplicate keys and trailing data are refused.

    Raises:
        InvalidRecord: the file is not a record.
    """
    if len(data) > MAX_BYTES:
        raise InvalidRecord(f"larger than {MAX_BYTES >> 20} MiB")
    try:
        parsed = json.loads(data.decode(), object_pairs_hook=unique_keys, parse_constant=refuse_constant)
        if is_deep(parsed):
            raise InvalidRecord("nested too deeply")
        record = convert_record(parsed)
    except (ValueError, RecursionError) as error:
        raise InvalidRecord(str(error) or "nested too deeply") from error
    if not same_bytes(parsed, record) and (different := first_difference(parsed, msgspec.to_builtins(record))):
        raise InvalidRecord(f"not written as a record is: {different}")
    return record


def is_deep(value: Any) -> bool:
    """Return whether a value is nested more than MAX_DEPTH levels deep."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [each for one in level for each in children(one)]
    return bool(level)


def children(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def same_bytes(parsed: Any, record: ReadRecord) -> bool:
    """Return whether both encode to the same JSON, so no slow comparison is needed."""
    try:
        return msgspec.json.encode(parsed) == msgspec.json.encode(record)
    except UnicodeEncodeError:                  # half a surrogate pair, which JSON allows
        return False


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def first_difference(a: Any, b: Any, at: str = "$") -> str | None:
    """Return the path at which two JSON values first differ, None if they are equal.

    Equal numbers of different types count as different.
    """
    if type(a) is not type(b):
        return at
    if isinstance(a, dict):
        if a.keys() != b.keys():
            return at
        return next((found for key in a if (found := first_difference(a[key], b[key], f"{at}.{key}"))), None)
    if isinstance(a, list):
        if len(a) != len(b):
            return at
        both = enumerate(zip(a, b, strict=True))
        return next((found for i, (x, y) in both if (found := first_difference(x, y, f"{at}[{i}]"))), None)
    return None if a == b else at

"""Records as files: nothing in them is believed before it is checked, and nothing is passed over."""
from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from ludarium.records.record import Claims, Documents, Hashed
from ludarium_engine.kernel.decoding import converter

LARGEST = 64 * 1024 * 1024
"""Bytes of a file."""
DEEPEST = 64
"""Arrays and objects around a value."""


class NoRecord(Exception):
    """The file is none; the text says where and why."""


class ReadRow(Hashed, frozen=True, kw_only=True):
    """event: as it stands there, to be compared with what the opened leaf says."""

    event: dict[str, Any]


class ReadRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as it was read. Its bytes hold what they say, its words and claims may be anything."""

    format: Literal["ludarium-record/2"]
    table: str
    viewer: int | None
    rows: list[ReadRow]
    documents: Documents
    claims: Claims


_record = converter(ReadRecord)


def read_record(data: bytes) -> ReadRecord:
    """Strict: canonical base64, no unknown or doubled keys, nothing behind the end. Raises NoRecord."""
    if len(data) > LARGEST:
        raise NoRecord(f"larger than {LARGEST >> 20} MiB")
    try:
        plain = json.loads(data.decode(), object_pairs_hook=single, parse_constant=refuse)
        if is_deep(plain):
            raise NoRecord("nested too deeply")
        record = _record(plain)
    except (ValueError, RecursionError) as error:
        raise NoRecord(str(error) or "nested too deeply") from error
    if not same_bytes(plain, record) and (different := first_difference(plain, msgspec.to_builtins(record))):
        raise NoRecord(f"not written as a record is: {different}")
    return record


def is_deep(value: Any) -> bool:
    """Whether something in it is nested more than DEEPEST deep."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [each for one in level for each in inside(one)]
    return bool(level)


def inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def same_bytes(plain: Any, record: ReadRecord) -> bool:
    """Whether both are written alike: then nothing differs, and the long way is for what is refused."""
    try:
        return msgspec.json.encode(plain) == msgspec.json.encode(record)
    except UnicodeEncodeError:                  # half a surrogate pair, which a text in JSON may be
        return False


def single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def first_difference(a: Any, b: Any, at: str = "$") -> str | None:
    """Where two JSON values differ; numbers that are equal but of other types differ as well."""
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

"""Game records that have been tampered with."""
from __future__ import annotations

import base64
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

Json = dict[str, Any]


def damaged(source: bytes, luck: Random, many: int) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a record, each with the name of the change.

    No copy means the same as the original.
    """
    for _ in range(many):
        record = msgspec.json.decode(source)
        done = luck.choice(WAYS)
        done(record, luck)
        after = msgspec.json.encode(record)
        if after != source:
            yield done.__name__, after
        yield "one byte", one_byte(source, luck)


def row_of(record: Json, luck: Random) -> Json:
    row: Json = luck.choice(record["rows"])
    return row


def flipped(text: str, luck: Random) -> str:
    data = bytearray(base64.b64decode(text))
    if data:
        data[luck.randrange(len(data))] ^= luck.randrange(1, 256)
    return base64.b64encode(data).decode()


def a_hash(record: Json, luck: Random) -> None:
    row, key = row_of(record, luck), luck.choice(["link", "root", "leaf_0", "layout"])
    row[key] = flipped(row[key], luck)


def a_leaf(record: Json, luck: Random) -> None:
    leaves = row_of(record, luck)["leaves"]
    nth = luck.randrange(len(leaves))
    leaves[nth] = flipped(leaves[nth], luck)


def an_open_leaf(record: Json, luck: Random) -> None:
    leaf, key = luck.choice(row_of(record, luck)["opened"]), luck.choice(["data", "salt"])
    leaf[key] = flipped(leaf[key], luck)


def a_number(record: Json, luck: Random) -> None:
    row_of(record, luck)[luck.choice(["seq", "type", "schema", "at_us"])] += luck.choice([-1, 1, 10**6])


def a_word(record: Json, luck: Random) -> None:
    row_of(record, luck)["event"]["data"]["at"] = "2001-01-01T00:00:00.000Z"


def the_order(record: Json, luck: Random) -> None:
    nth = luck.randrange(len(record["rows"]) - 1)
    record["rows"][nth : nth + 2] = reversed(record["rows"][nth : nth + 2])


def a_row_gone(record: Json, luck: Random) -> None:
    del record["rows"][luck.randrange(len(record["rows"]) - 1)]


def a_row_twice(record: Json, luck: Random) -> None:
    nth = luck.randrange(len(record["rows"]))
    record["rows"].insert(nth, record["rows"][nth])


def a_document(record: Json, luck: Random) -> None:
    kind = luck.choice(["layouts", "zones"])
    record["documents"][kind] = [flipped(text, luck) for text in record["documents"][kind]]


def the_viewer(record: Json, luck: Random) -> None:
    record["viewer"] = luck.choice([0, 7, None])


WAYS = (
    a_hash, a_leaf, an_open_leaf, a_number, a_word, the_order, a_row_gone, a_row_twice, a_document, the_viewer,
)  # fmt: skip


def one_byte(source: bytes, luck: Random) -> bytes:
    """Change one byte in front of the claims, which come last and are not hashed."""
    end = source.index(b'"claims"')
    at = luck.randrange(end)
    new = luck.choice([byte for byte in range(32, 127) if byte != source[at]])
    return source[:at] + bytes([new]) + source[at + 1 :]


def fuzzed(source: bytes, luck: Random, many: int) -> Iterator[bytes]:
    """Yield files that are very unlikely to be valid records."""
    for _ in range(many):
        record = msgspec.json.decode(source)
        place: Any = record
        for _ in range(luck.randrange(1, 6)):
            if isinstance(place, dict) and place:
                key: Any = luck.choice([*place])
            elif isinstance(place, list) and place:
                key = luck.randrange(len(place))
            else:
                break
            if luck.random() < 0.4:
                break
            place = place[key] if isinstance(place[key], dict | list) else place
        if isinstance(place, dict | list) and place:
            spot: Any = luck.choice([*place]) if isinstance(place, dict) else luck.randrange(len(place))
            place[spot] = luck.choice(STRANGE)
        yield msgspec.json.encode(record)
    yield from (b"", b"[]", b"{}", source[:-1], source + b"{}", b"[" * 100_000, source.replace(b"{", b"{{", 1))


STRANGE: tuple[Any, ...] = (
    None, True, -1, 10**18, -(10**17), 2**64, 1.5, "", "zzz", [], {}, [[]], {"": None}, "\u0000", "A" * 1000,
)  # fmt: skip

"""Server, Python client and browser find any change of a signed statement."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludarium.platform.signing_keys import Signer, holds
from ludarium.records.signed_statements import Cut, Hour, Statement, lines_of_cut, lines_of_hour, lines_of_statement
from ludarium_client import bodies, kept
from tests.support import node

SCRIPT = Path(__file__).with_name("statements.mjs")
SIGNER, OTHER = Signer("01" * 32), Signer("02" * 32)
TABLE, LOG, AT, HASH = "0" * 26, "1" * 26, "2026-01-01T00:00:00.000Z", "ab" * 32
Said = Statement | Cut | Hour
LINES: dict[type[Any], Any] = {Statement: lines_of_statement, Cut: lines_of_cut, Hour: lines_of_hour}
CHANGED: dict[str, Any] = {
    "log": "2" * 26, "length": 8, "places": [2, 1], "head": "00" * 32, "kept": 4, "lost": None, "count": 3, "root": "00" * 32,
    "at": None,
    "found_at": "2027", "key": "0" * 16, "signature": "A" * 86 + "==",
}  # fmt: skip


def signed(said: Said) -> Said:
    key, signature = SIGNER.sign(LINES[type(said)](said))
    return msgspec.structs.replace(said, key=key, signature=signature)


def all_said() -> list[tuple[Said, bool]]:
    """Return statements, each with whether its signature is valid."""
    whole = [
        signed(Statement(table=TABLE, length=7, head=HASH, places=None, at=AT)),
        signed(Statement(table=TABLE, length=7, head=HASH, places=[1, 2, 2], at=AT)),
        signed(Cut(log=LOG, table=TABLE, kept=-1, lost=HASH, since=None, until=None, found_at=AT)),
        signed(Cut(log=LOG, table=None, kept=None, lost=None, since=AT, until=AT, found_at=AT)),
        signed(Hour(log=LOG, hour=AT, root=HASH, previous=HASH, count=2)),
    ]
    changed = [
        msgspec.structs.replace(each, **{name: value})
        for each in whole for name, value in CHANGED.items() if hasattr(each, name) and getattr(each, name) != value
    ]  # fmt: skip
    unsigned = [msgspec.structs.replace(each, key=None, signature=None) for each in whole]
    return [(each, True) for each in whole] + [(each, False) for each in (*changed, *unsigned)]


def as_client(said: Said) -> Any:
    return msgspec.convert(msgspec.to_builtins(said), getattr(bodies, type(said).__name__), strict=False)


def browsers(cases: list[tuple[Said, list[str]]], folder: Path) -> list[bool]:
    file = folder / "said.json"
    file.write_bytes(msgspec.json.encode([{"said": said, "keys": keys} for said, keys in cases]))
    found: list[bool] = msgspec.json.decode(node.output(SCRIPT, file))
    return found


def test_three_readers_say_the_same(tmp_path: Path) -> None:
    ours, others = [[key.key for key in signer.keys] for signer in (SIGNER, OTHER)]
    cases = [(said, keys, good and keys != others) for said, good in all_said() for keys in (ours, others, others + ours)]
    expected = [good for _, _, good in cases]
    assert [holds(LINES[type(said)](said), said, known(keys)) for said, keys, _ in cases] == expected
    shown = [(as_client(said), keys) for said, keys, _ in cases if getattr(said, "at", "") is not None]
    assert [kept.is_signed(said, keys) for said, keys in shown] == [
        good for said, _, good in cases if getattr(said, "at", "") is not None
    ]
    assert browsers([(said, keys) for said, keys, _ in cases], tmp_path) == expected


def known(keys: list[str]) -> list[Any]:
    return [key for signer in (SIGNER, OTHER) for key in signer.keys if key.key in keys]


@pytest.mark.parametrize("key", ["", "zz", "ab" * 31])
def test_what_is_no_key_verifies_nothing(key: str) -> None:
    said = signed(Hour(log=LOG, hour=AT, root=HASH, previous=HASH, count=2))
    assert not kept.is_signed(as_client(said), [key])

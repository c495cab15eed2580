"""Published records for authors of programs that read records.

`python -m tests.records.vectors` writes api-schema/vectors/. Each file is a record. For each of them, index.json has the
verdict, and either a fault and its row, or the digests of a whole record's zones after each row.
"""
from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from ludarium.records.reading import InvalidRecord, read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify
from ludarium.tables.model.events import order_of
from ludarium_engine import registry
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import AnyTitle, titles
from tests.engine.layouts import redeclared
from tests.records import stranger
from tests.support.damage import WAYS, one_byte
from tests.support.pure_games import Game

FOLDER = Path(__file__).parents[2] / "api-schema" / "vectors"
BROKEN = 20
KINGDOMS = "game-of-kingdoms"


class Vector(msgspec.Struct, frozen=True):
    """A published record.

    Attributes:
        seq: The first row that does not verify, or null if all rows do or the fault is elsewhere.
        zones: By version, 16 hex digits of BLAKE2b over the zones, as JSON with sorted keys and Python's separators.
    """

    file: str
    what: str
    holds: bool
    seq: int | None
    rows: int
    draws: int
    zones: dict[str, str]


def vectors() -> Iterator[tuple[str, str, bytes]]:
    """Yield the name, the description and the content of each record."""
    yield "kingdoms", "Game of Kingdoms, whole", written(kingdoms("kingdoms").start().play())
    yield "kemet", "Kemet, whole", written(Game("kemet", "kemet", 2, {"length": "short"}).start().play())
    yield "valeria", "Valeria, whole", written(Game("valeria", "valeria", 2).start().play())
    yield "valley", "Valley of the Kings, whole", written(Game("valley", "valley-of-the-kings", 2).start().play())
    running = kingdoms("running").start().play(20)
    yield "spectator", "a running game, as spectators see it", written(running)
    yield "seat", "a running game, as seat 1 sees it", written(running, 1)
    yield "changed-rules", "a game that went on under changed rules, whole", written(changed_rules())
    yield "mended", "a running game since a sight was mended, as spectators see it", written(mended())
    yield "undo", "a game in which something was taken back", written(kingdoms("undo").start().undo().play())


def kingdoms(name: str) -> Game:
    return Game(name, KINGDOMS, 3, {"version": "ruthless"})


def written(game: Game, audience: int = SPECTATOR) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience, {}))


def changed_rules() -> Game:
    """Return a game that continues under a later version of its rules."""
    with released(earlier_version(titles()[KINGDOMS])):
        game = kingdoms("changed").start().play(10)
    game.again()
    return game.play()


def mended() -> Game:
    """Return a running game that began with public hands, which are hidden now."""
    title = titles()[KINGDOMS]
    with released(earlier_version(title, redeclared(title, "hand", "public"))):
        game = kingdoms("mended").start().play(10)
    game.again()
    return game.play(10)


def earlier_version(title: AnyTitle, layout: bytes | None = None) -> AnyTitle:
    """Return the title at an earlier version, with different data of the same meaning.

    Args:
        layout: The layout document, if it also differs.
    """
    for blanks in count(1):
        made = replace(title, data=title.data + b"\n" * blanks)
        made.__dict__["layout_document"] = layout or title.layout_document
        if order_of(made.version) < order_of(title.version):
            return made
    raise AssertionError


@contextmanager
def released(title: AnyTitle) -> Iterator[None]:
    """Make this the released title until the context ends."""
    key, known = (title.id, title.data_hash), registry.known()
    before = registry.current()[title.id], known.get(key)
    registry.current()[title.id] = known[key] = title
    try:
        yield
    finally:
        registry.current()[title.id] = before[0]
        del known[key]
        if before[1] is not None:
            known[key] = before[1]


def broken(sources: list[bytes]) -> Iterator[tuple[str, str, bytes]]:
    luck, ways = Random("broken"), [*WAYS]
    for nth in range(BROKEN):
        source = sources[nth % len(sources)]
        way: Callable[[dict[str, Any], Random], None] = ways[nth % len(ways)]
        record = msgspec.json.decode(source)
        way(record, luck)
        after = msgspec.json.encode(record)
        what = way.__name__.replace("_", " ")
        if after == source:
            after, what = one_byte(source, luck), "one byte"
        yield f"broken-{nth:02}", f"{what}, changed in another record", after


# --- writing --------------------------------------------------------------------------------------------------------------
def judged(name: str, what: str, data: bytes) -> Vector:
    """Judge a record like `ludarium verify`, with the zones of the other verifier."""
    try:
        report = verify(read_record(data))
    except InvalidRecord:
        return Vector(f"{name}.json.gz", what, False, None, 0, 0, {})
    if report.finding is not None:
        return Vector(f"{name}.json.gz", what, False, report.finding.seq, 0, 0, {})
    _, _, zones = stranger.examine(data)
    return Vector(f"{name}.json.gz", what, True, None, report.rows, report.draws, {str(n): z for n, z in zones.items()})


def write() -> int:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*"):
        old.unlink()
    made = [*vectors()]
    made += broken([data for name, _, data in made if name in ("valeria", "seat")])
    for name, _, data in made:
        (FOLDER / f"{name}.json.gz").write_bytes(gzip.compress(data, mtime=0))
    index = [judged(*one) for one in made]
    (FOLDER / "index.json").write_bytes(msgspec.json.format(msgspec.json.encode(index), indent=1) + b"\n")
    return 0


def published() -> list[Vector]:
    return msgspec.json.decode((FOLDER / "index.json").read_bytes(), type=list[Vector])


def read(vector: Vector) -> bytes:
    return gzip.decompress((FOLDER / vector.file).read_bytes())


if __name__ == "__main__":
    sys.exit(write())

"""Streams of tournaments with a row changed, dropped or put elsewhere, and the chain made anew."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from eventstore import StoredEvent, chain
from services.tables.chain import RowHeader, link
from services.tournaments.rows import (
    Begun,
    Drafted,
    Entered,
    NextGame,
    Published,
    Result,
    RoundClosed,
    Substituted,
    decode,
    encode,
)
from services.tournaments.state import SALT
from services.tournaments.streams import root_of

FIELDS: dict[type, tuple[str, ...]] = {
    Entered: ("entry", "player", "joined", "points"),
    Drafted: ("round", "commitment", "deals"),
    Published: ("seed", "tables", "byes", "ids", "starts_at"),
    Begun: ("boards",),
    Result: ("board", "places", "points", "absent", "reason", "head"),
    NextGame: ("board", "game", "table", "deal", "starts_at"),
    RoundClosed: ("round", "last"),
}
"""What says something about who played whom, and with what result."""

ORDERED = (Entered, Drafted, Published, RoundClosed)
"""Whose order says something: that of the results of two boards does not."""


def tampered(rows: Sequence[StoredEvent], luck: Random) -> tuple[list[StoredEvent], str]:
    """And what was done. Not to the last row: a stream whose end was cut off is one that had not come further."""
    kind = luck.choice(("changed", "changed", "changed", "dropped", "moved"))
    at = luck.choice([n for n, row in enumerate(rows[:-1]) if type(said(row)) in FIELDS])
    if kind == "dropped":
        return relinked([*rows[:at], *rows[at + 1:]]), f"row {at} dropped"
    if kind == "moved":
        at, other = luck.sample([n for n, row in enumerate(rows) if type(said(row)) in ORDERED], 2)
        if type(said(rows[at])) is type(said(rows[other])) is Entered:
            other = next(n for n, row in enumerate(rows) if isinstance(said(row), Drafted))
        changed = [*rows]
        changed[at], changed[other] = rows[other], rows[at]
        return relinked(changed), f"rows {at} and {other} exchanged"
    row: Any = said(rows[at])
    name = luck.choice([field for field in FIELDS[type(row)] if field != "player" or row.entry in sat(rows)])
    before = getattr(row, name)
    after = msgspec.structs.replace(row, **{name: other_than(before, luck)})
    changed = [*rows]
    changed[at] = msgspec.structs.replace(rows[at], data=encode(after))
    return relinked(changed), f"row {at}: {type(row).__name__}.{name}"


def sat(rows: Sequence[StoredEvent]) -> set[int]:
    """Entries whose first player has a place in a round, and so at a table, whose log tells who that is. Of who entered and
    never played nothing else does."""
    known = [*map(said, rows)]
    paired = {entry for row in known if isinstance(row, Published) for table in row.tables for entry in table}
    return paired - {row.entry for row in known if isinstance(row, Substituted)}


def said(row: StoredEvent) -> object:
    return decode(row.type, row.schema, row.data)


def other_than(value: Any, luck: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + luck.choice((1, -1)) * 10**8 if value > 10**8 else value + 1
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:]
        case "finished":
            return "resigned"
        case str():
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case [first, *rest] if isinstance(first, list):
            return [[*reversed(first)], *rest]
        case [first, *rest]:
            return [other_than(first, luck), *rest]
        case _:
            return [0]


def relinked(rows: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Each in the place where it stands now, with a chain that holds."""
    prev, made = chain.genesis(rows[0].stream), list[StoredEvent]()
    at = rows[0].at
    for version, row in enumerate(rows):
        at = max(at, row.at)
        root = root_of(version, row.data)
        prev = link(SALT, prev, RowHeader(version, row.type, row.schema, at), chain.NO_LAYOUT, row.data, root)
        made.append(msgspec.structs.replace(row, version=version, at=at, root=root, hash=prev))
    return made

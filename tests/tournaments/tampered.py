"""Tournament logs with a changed, dropped or moved event and a new hash chain."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import msgspec

from ludarium.tables.model.hash_chain import EventHeader, link
from ludarium.tournaments.event_types import decode, encode
from ludarium.tournaments.events import (
    Begun,
    Disputed,
    Drafted,
    Entered,
    NextGame,
    PenaltySet,
    Published,
    Replayed,
    Result,
    RoleGiven,
    RoundClosed,
    Ruled,
    StatusSet,
    Substituted,
)
from ludarium.tournaments.hash_chain import root_of
from ludarium.tournaments.invitation_events import InvitationAnswered, OfficialInvited, PlayerInvited
from ludarium.tournaments.state import SALT
from ludarium_eventstore import StoredEvent, chain

DROPPED = "dropped"
FIELDS: dict[type, tuple[str, ...]] = {
    StatusSet: (DROPPED,),
    Entered: ("entry", "player", "joined", "points", DROPPED),
    Drafted: ("round", "commitment", "deals", DROPPED),
    Published: ("seed", "tables", "byes", "ids", "starts_at", DROPPED),
    Begun: ("boards", DROPPED),
    Result: ("board", "places", "points", "absent", "reason", "head", DROPPED),
    NextGame: ("board", "game", "table", "deal", "starts_at", DROPPED),
    Replayed: ("board", "table", "deal", "starts_at", DROPPED),
    RoundClosed: ("round", "last", DROPPED),
    RoleGiven: ("by", "player", DROPPED),
    OfficialInvited: ("by", "role", "commitment", "sealed", DROPPED),
    Ruled: ("by", "stage", "round", "board", DROPPED),
    PlayerInvited: ("entry", "commitment", "sealed", DROPPED),
    InvitationAnswered: ("invitation", "player", "salt", DROPPED),
    PenaltySet: ("by", "stage"),
    Substituted: ("by", "entry", "player", DROPPED),
}
"""Fields of events that other events or tables confirm, if `is_told` says so.

A decision of an official is only in its own event (docs/tournaments.md): the units of a penalty, ruled places, and a ruling
without a dispute.
"""
ORDERED = (Entered, Drafted, Published, RoundClosed)
"""Event types whose order matters; results of two boards may come in any order."""


def tampered(rows: Sequence[StoredEvent], luck: Random) -> tuple[list[StoredEvent], str]:
    """Change one event, and return the new log with a description of the change.

    The last event is never changed, because a truncated log is a valid shorter one.
    """
    known = [*map(said, rows)]
    if not luck.randrange(5):
        return exchanged(rows, known, luck)
    told = [(at, name) for at, row in enumerate(known[:-1]) for name in FIELDS.get(type(row), ()) if is_told(known, at, name)]
    kind = luck.choice(sorted({type(known[at]).__name__ for at, _ in told}))
    at, name = luck.choice([each for each in told if type(known[each[0]]).__name__ == kind])
    row: Any = known[at]
    if name == DROPPED:
        return relinked([*rows[:at], *rows[at+1:]]), f"row {at} dropped: {row}"
    changed = [*rows]
    after = msgspec.structs.replace(row, **{name: other_than(getattr(row, name), luck)})
    changed[at] = msgspec.structs.replace(rows[at], data=encode(after))
    return relinked(changed), f"row {at}: {kind}.{name}"


def with_other_tables(rows: Sequence[StoredEvent]) -> Iterator[list[StoredEvent]]:
    """Yield a log with a changed table id for each event that names tables.

    If the event names several tables, the id of the last one is changed.
    """
    for at, row in enumerate(map(said, rows)):
        match row:
            case Published(ids=[*before, last]):
                after: Any = msgspec.structs.replace(row, ids=[*before, last[:-1] + bytes([last[-1] ^ 1])])
            case Replayed(table=table) | NextGame(table=table):
                after = msgspec.structs.replace(row, table=table[:-1] + bytes([table[-1] ^ 1]))
            case _:
                continue
        yield relinked([*rows[:at], msgspec.structs.replace(rows[at], data=encode(after)), *rows[at + 1:]])


def exchanged(rows: Sequence[StoredEvent], known: Sequence[object], luck: Random) -> tuple[list[StoredEvent], str]:
    at, other = luck.sample([n for n, row in enumerate(known) if type(row) in ORDERED], 2)
    if type(known[at]) is type(known[other]) is Entered:
        other = next(n for n, row in enumerate(known) if isinstance(row, Drafted))
    changed = [*rows]
    changed[at], changed[other] = rows[other], rows[at]
    return relinked(changed), f"rows {at} and {other} exchanged"


def is_told(known: Sequence[object], at: int, name: str) -> bool:
    """Check whether another event depends on this field, or on the event as a whole."""
    before, row, after = known[:at], known[at], known[at + 1:]
    match row:
        case Begun() if name in ("boards", DROPPED):
            return any(is_played(other, row) for other in after)
        case StatusSet():
            return row.status == "open" and isinstance(after[0], Entered) and after[0].by is None
        case InvitationAnswered() if name in ("player", "salt", DROPPED):
            return row.answer == "accepted"
        case Entered() if name == "player":
            return row.entry in sat(known)
        case RoleGiven() if name in ("player", DROPPED):
            return not any(is_role_of(other, row.player) for other in before) and is_used(row.player, after)
        case Ruled() if name in ("board", DROPPED):
            return is_disputed(row, before)
        case Substituted() if name in ("entry", "player", DROPPED):
            later = (other for other in after if isinstance(other, Substituted))
            return row.entry not in {other.entry for other in later} and row.entry in seated(after)
        case _:
            return True


def is_played(row: object, begun: Begun) -> bool:
    """Check whether a result shows that a game was played at one of these boards.

    The game at a voided table may never have begun.
    """
    return (
        isinstance(row, Result) and (row.stage, row.round) == (begun.stage, begun.round) and row.board in begun.boards
        and row.reason != "voided"
    )  # fmt: skip


def is_used(official: str, after: Sequence[object]) -> bool:
    """Check whether an official uses a role before the role is taken away."""
    for row in after:
        if is_role_of(row, official):
            return row.role is None                     # type: ignore[attr-defined]
        if getattr(row, "by", None) == official:
            return True
    return False


def is_role_of(row: object, player: str) -> bool:
    return isinstance(row, RoleGiven) and row.player == player


def is_disputed(ruling: Ruled, before: Sequence[object]) -> bool:
    """Check whether a ruling answers a dispute, without which its round cannot close."""
    at = ruling.stage, ruling.round, ruling.board
    about = [row for row in before if isinstance(row, Disputed | Ruled) and (row.stage, row.round, row.board) == at]
    return bool(about) and isinstance(about[-1], Disputed)


def sat(known: Sequence[object]) -> set[int]:
    """Return the entries whose original player has a seat in a round.

    The table's log confirms the player. Nothing confirms the player of an entry that never played.
    """
    return seated(known) - {row.entry for row in known if isinstance(row, Substituted)}


def seated(known: Sequence[object]) -> set[int]:
    return {entry for row in known if isinstance(row, Published) for table in row.tables for entry in table}


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
    """Number the events, and link them by a new, valid hash chain."""
    prev, made = chain.genesis(rows[0].stream), list[StoredEvent]()
    at = rows[0].at
    for version, row in enumerate(rows):
        at = max(at, row.at)
        root = root_of(version, row.data)
        prev = link(SALT, prev, EventHeader(version, row.type, row.schema, at), chain.NO_LAYOUT, row.data, root)
        made.append(msgspec.structs.replace(row, version=version, at=at, root=root, hash=prev))
    return made

"""What the API says of imported records."""
from __future__ import annotations

from typing import Any

import msgspec

from ludarium.tables.model.events import Reason


class Checked(msgspec.Struct, frozen=True):
    """What was done to find that the record holds.

    rows: links of its chain; roots: those made again; draws: shuffles and dice computed from the seed; rerun: decisions that
    the rules have made again; made_under: rules that are not those of today, whose decisions were not made again.
    """

    rows: int
    roots: int
    draws: int
    rerun: int
    made_under: list[str]


class ImportedSeat(msgspec.Struct, frozen=True):
    """player: an id of the server that the game was played at. name: **as the file says**: nobody has checked it."""

    player: str | None
    bot: str | None
    name: str | None


class ImportedGame(msgspec.Struct, frozen=True):
    """What a record says of its game, as it is kept beside it: fields are only added, with a default.

    table: its id on the server that it was played at, where seats and players have theirs. rules: the last ones. head: the hash
    of the last row, in hexadecimal. began_at, ended_at: RFC 3339, as that server had it.
    """

    table: str
    ruleset: str
    options: dict[str, Any]
    rules: str
    seats: list[ImportedSeat]
    reason: Reason | None
    outcome: list[int] | None
    head: str
    began_at: str
    ended_at: str
    checked: Checked


class Import(msgspec.Struct, frozen=True):
    """A record that the caller has brought here. size: bytes of the file; imported_at: RFC 3339."""

    id: str
    imported_at: str
    size: int
    game: ImportedGame


class ImportPage(msgspec.Struct, frozen=True):
    """next: what to give as `after` for the next page; null on the last one."""

    imports: list[Import]
    next: str | None

"""Schemas of imported records."""
from __future__ import annotations

from typing import Any

import msgspec

from ludarium.tables.model.events import Reason


class ImportCheck(msgspec.Struct, frozen=True):
    """What was verified.

    - `rows`: events in the chain.
    - `roots`: roots computed again.
    - `draws`: shuffles and dice computed from the seed.
    - `rerun`: decisions that the rules made again.
    - `made_under`: other versions of the rules, whose decisions were not made again.
    """

    rows: int
    roots: int
    draws: int
    rerun: int
    made_under: list[str]


class ImportedSeat(msgspec.Struct, frozen=True):
    """`player`: an id of the original server.

    `name`: **as in the file**, not verified.
    """

    player: str | None
    bot: str | None
    name: str | None


class ImportedGame(msgspec.Struct, frozen=True):
    """Summary of a record, stored with it: new fields need a default.

    - `table`: its id on the original server; so are those of players.
    - `rules`: the last version. `head`: the hash of the last event, in hexadecimal.
    - `began_at`, `ended_at`: RFC 3339, by the clock of that server.
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
    checked: ImportCheck


class ImportBody(msgspec.Struct, frozen=True):
    """A record that you imported. `size`: bytes of the file. `imported_at`: RFC 3339."""

    id: str
    imported_at: str
    size: int
    game: ImportedGame


class ImportPage(msgspec.Struct, frozen=True):
    """`next`: the `after` of the next page; null on the last one."""

    imports: list[ImportBody]
    next: str | None

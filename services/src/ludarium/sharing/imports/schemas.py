"""Schemas of imported records."""
from __future__ import annotations

from typing import Any

import msgspec

from ludarium.tables.model.events import Reason


class ImportCheck(msgspec.Struct, frozen=True):
    """The number of values that were verified in an imported record.

    - `rows` counts the events in the hash chain.
    - `roots` counts the roots that were computed again.
    - `draws` counts the shuffles and dice that were computed from the seed.
    - `rerun` counts the decisions that the rules made again.
    - `made_under` lists other versions of the rules, whose decisions were not made again.
    """

    rows: int
    roots: int
    draws: int
    rerun: int
    made_under: list[str]


class ImportedSeat(msgspec.Struct, frozen=True):
    """A seat of an imported game.

    `player` is an id of the original server. `name` is **as in the file** and not verified.
    """

    player: str | None
    bot: str | None
    name: str | None


class ImportedGame(msgspec.Struct, frozen=True):
    """A summary of an imported record, stored with it: new fields need a default.

    - `table` and the ids of players are those of the original server.
    - `rules` is the last version of the rules. `head` is the hash of the last event, in hexadecimal.
    - `began_at` and `ended_at` are in RFC 3339, by the clock of the original server.
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
    """A record that you imported.

    `size` is the size of the file in bytes. `imported_at` is in RFC 3339.
    """

    id: str
    imported_at: str
    size: int
    game: ImportedGame


class ImportPage(msgspec.Struct, frozen=True):
    """A page of imported records.

    `next` is the `after` of the next page; null on the last page.
    """

    imports: list[ImportBody]
    next: str | None

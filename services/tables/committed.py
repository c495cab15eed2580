"""What a commit made, as it is told: to its caller in the answer, to those who watch in messages."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from engine.kernel import SPECTATOR
from engine.story.lines import lines
from services.tables.access import own_seat
from services.tables.bodies import TableView, head_of
from services.tables.chain import Seen
from services.tables.events import Accepted, EventBody, body_of
from services.tables.history import Entry, History

json = msgspec.json.Encoder().encode


class Redacted(NamedTuple):
    """A row, and what of it each audience may see: its leaves in the chain and its messages are made of the same."""

    entry: Entry
    seen: Seen


class Committed(NamedTuple):
    """The table after a commit, its rows, and the views as they were then of those audiences that are told."""

    history: History
    rows: Sequence[Redacted]
    views: Mapping[int, TableView]


def audience_of(history: History, player: str | None) -> int:
    """As whom a caller is answered: whoever has left sees what spectators see."""
    seat = own_seat(history, player)
    return SPECTATOR if seat is None else seat


def accepted(made: Committed, player: str) -> Accepted:
    """The answer to who made it."""
    audience = audience_of(made.history, player)
    told = [bodies(made, row, [audience])[audience] for row in made.rows]
    newest = made.rows[-1].entry
    return Accepted(newest.version, head_of(newest.hash), told, made.views[audience])


def messages(made: Committed, row: Redacted, audiences: Collection[int]) -> dict[int, bytes]:
    """What each of the audiences is pushed; the newest row comes with the view."""
    newest, told = row is made.rows[-1], bodies(made, row, audiences)
    return {a: json(with_view(told[a], made.views[a]) if newest else told[a]) for a in audiences}


def bodies(made: Committed, row: Redacted, audiences: Collection[int]) -> dict[int, EventBody]:
    """The row as each of them sees it: described once for all who see the same."""
    seen = {id(row.seen[a]): row.seen[a] for a in audiences}
    told = {key: body_of(one, row.entry, made.history.title, story=lines) for key, one in seen.items()}
    return {a: told[id(row.seen[a])] for a in audiences}


def with_view(event: EventBody, view: TableView) -> EventBody:
    return replace(event, data=replace(event.data, view=view))

"""The rows of one append: how they are chained and stored, and which of those that are read were one."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime

from eventstore import NewEvent
from services.problems import Problem
from services.tables import budget
from services.tables.chain import RowHeader, seen_by_all
from services.tables.committed import Redacted
from services.tables.entries import Entry, new_entry
from services.tables.history import History
from services.tables.rows import (
    NUMBERS,
    Acted,
    AnyRow,
    Consent,
    GameEnded,
    GameStarted,
    HandedOver,
    Left,
    PoliciesSet,
    Ready,
    Retired,
    Returned,
    RulesChanged,
    Seated,
    SeedsRevealed,
    StoodIn,
    TableEnded,
    TakenOver,
    Undone,
    Unread,
)

log = logging.getLogger(__name__)


def chained(history: History, rows: Sequence[AnyRow], at: datetime) -> list[Redacted]:
    """The rows in their chain. What they tell they tell under the title's layout, which a row before them has named."""
    made: list[Redacted] = []
    at, prev, layout = max(at, history.at), history.hash, history.layout
    for version, row in enumerate(rows, history.version + 1):
        layout = row.under(layout)
        seen = seen_by_all(history.title.layout, history.opened.seats, row)
        entry = new_entry(history.secret, prev, RowHeader(version, *NUMBERS[type(row)], at), layout, row, seen)
        prev = entry.hash
        made.append(Redacted(entry, seen))
    return made


def together(rows: Sequence[Entry], last: int) -> Sequence[Entry]:
    """The rows of one append, which ends with version `last`: a command, what comes before it and what follows from it."""
    first = last
    while first and rows[first - 1].at == rows[last].at and belongs(rows[first - 1].row, rows[first].row):
        first -= 1
    if isinstance(rows[first].row, Seated | Ready) and first < last and not starts_when_full(rows[:first]):
        first += 1                              # of the same moment by chance
    return rows[first : last + 1]


def starts_when_full(rows: Sequence[Entry]) -> bool:
    policies = [entry.row.policies for entry in rows if isinstance(entry.row, PoliciesSet)]
    return bool(policies) and policies[-1].auto_start


def belongs(before: AnyRow | Unread, row: AnyRow | Unread) -> bool:
    """Whether these two come in one append if they come at one time."""
    match before, row:
        case _, SeedsRevealed() | GameEnded() | TableEnded():
            return True
        case Seated() | Ready(), GameStarted():
            return True
        case Seated() | Ready() | Left(), Left():
            return True                         # by lot
        case Left() | Seated(), Seated():
            return True
        case Returned() | RulesChanged(), Acted() | RulesChanged():
            return True
        case TakenOver(), HandedOver():
            return True
        case (PoliciesSet(), Ready()) | (Retired(), StoodIn()) | (Consent(answer="settled"), Undone()):
            return True
        case _:
            return False


def new_event(entry: Entry) -> NewEvent:
    return NewEvent(entry.type, entry.schema, entry.at, entry.data, entry.root, entry.hash)


def check_size(history: History, events: Sequence[NewEvent]) -> None:
    """Raises Problem `table-full`, `rules-limit`."""
    if history.version + len(events) >= budget.MOST_EVENTS:
        raise Problem("table-full")
    if max(len(event.data) for event in events) > budget.LARGEST_ROW:
        log.error("table %s, version %s: the rules make a row that is too large", history.id, history.version)
        raise Problem("rules-limit")

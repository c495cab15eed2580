"""The events of one append: how they are chained and stored, and which of those that are read were one."""
from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from itertools import takewhile
from types import UnionType

from ludarium.platform.problems import Problem
from ludarium.tables.committed import RedactedEvent
from ludarium.tables.model import budget
from ludarium.tables.model.event_types import NUMBERS, AnyEvent, UnreadEvent
from ludarium.tables.model.events import (
    Acted,
    Arrived,
    Consent,
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
    TimeGiven,
    Undone,
)
from ludarium.tables.model.hash_chain import EventHeader, seen_by_all
from ludarium.tables.model.log_entries import LogEntry, new_entry
from ludarium.tables.model.policies import LatestPolicies, Policies, completed
from ludarium.tables.model.table_state import TableState
from ludarium_eventstore import NewEvent

log = logging.getLogger(__name__)


def chain_events(table: TableState, events: Sequence[AnyEvent], at: datetime) -> list[RedactedEvent]:
    """The events in their chain. What they tell they tell under the title's layout, which an event before them has named."""
    made: list[RedactedEvent] = []
    at, prev, layout = max(at, table.at), table.hash, table.layout
    for version, event in enumerate(events, table.version + 1):
        layout = event.under(layout)
        seen = seen_by_all(table.title.layout, table.opened.seats, event)
        entry = new_entry(table.secret, prev, EventHeader(version, *NUMBERS[type(event)], at), layout, event, seen)
        prev = entry.hash
        made.append(RedactedEvent(entry, seen))
    return made


def events_of_append(events: Sequence[LogEntry], last: int) -> Sequence[LogEntry]:
    """The events of one append, which ends with version `last`: a command, what comes before it and what follows from it."""
    first = last
    while True:
        if isinstance(events[first].event, GameStarted):
            first = start_of_seating(events, first)
        before = events[first - 1] if first else None
        if before is None or before.at != events[last].at or not in_one_append(before.event, events[first].event):
            return events[first : last + 1]
        first -= 1


def start_of_seating(events: Sequence[LogEntry], start: int) -> int:
    """Where the append of a start begins: before it seats are changed by lot, and before that who was waited for has come.

    Others may have sat down in the same millisecond, and they came by themselves.
    """
    policies = policies_before(events, start)
    earlier = [entry.event for entry in takewhile(lambda entry: entry.at == events[start].at, reversed(events[:start]))]
    moved = count_leading(earlier, Seated) if policies.order == "random" else 0
    drawn = 2 * moved if count_leading(earlier[moved:], Left) >= moved else 0
    awaited = policies.auto_start and count_leading(earlier[drawn:], Seated | Ready) > 0
    return start - drawn - awaited


def count_leading(events: Sequence[AnyEvent | UnreadEvent], kinds: type[AnyEvent] | UnionType) -> int:
    return sum(1 for _ in takewhile(lambda event: isinstance(event, kinds), events))


def policies_before(events: Sequence[LogEntry], version: int) -> LatestPolicies:
    of_table = (entry.event.policies for entry in reversed(events[:version]) if isinstance(entry.event, PoliciesSet))
    return completed(next(of_table, Policies()))


def in_one_append(before: AnyEvent | UnreadEvent, event: AnyEvent | UnreadEvent) -> bool:
    """Whether these two come in one append if they come at one time; what stands before a start, `seated_with` tells."""
    match before, event:
        case _, SeedsRevealed() | TableEnded():
            return True
        case Returned() | RulesChanged(), Acted() | RulesChanged():
            return True
        case Arrived(), Ready() | Returned() | Retired() | Consent() | TimeGiven():
            return True
        case TakenOver(), HandedOver():
            return True
        case (PoliciesSet(), Ready()) | (Retired(), StoodIn()) | (Consent(answer="settled"), Undone()):
            return True
        case _:
            return False


def new_event(entry: LogEntry) -> NewEvent:
    return NewEvent(entry.type, entry.schema, entry.at, entry.data, entry.root, entry.hash)


def check_size(table: TableState, events: Sequence[NewEvent]) -> None:
    """Raises Problem `table-full`, `rules-limit`."""
    if table.version + len(events) >= budget.MOST_EVENTS:
        raise Problem("table-full")
    if max(len(event.data) for event in events) > budget.LARGEST_EVENT:
        log.error("table %s, version %s: the rules make a row that is too large", table.id, table.version)
        raise Problem("rules-limit")

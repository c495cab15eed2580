"""Handle the events of one append.

Events are added to the hash chain, grouped into appends again when they are read, and encoded for viewers.
"""
from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import takewhile
from types import UnionType
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ludarium.platform.problems import Problem
from ludarium.platform.view_channel import ROW, audience_of, wants_changes
from ludarium.tables.event_schemas import Accepted, EventBody
from ludarium.tables.event_views import body_of
from ludarium.tables.model import budget
from ludarium.tables.model.access import own_seat
from ludarium.tables.model.event_types import NUMBERS, AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import (
    Acted,
    AnyTitle,
    GameStarted,
    Left,
    RulesChanged,
    Seated,
    SeedsRevealed,
    TableEnded,
    Undone,
)
from ludarium.tables.model.hash_chain import EventHeader, LogEntry, Seen, head_of, new_entry, seen_by_all
from ludarium.tables.model.lifecycle_events import (
    Arrived,
    Consent,
    HandedOver,
    PoliciesSet,
    Ready,
    Retired,
    Returned,
    StoodIn,
    TakenOver,
    TimeGiven,
)
from ludarium.tables.model.policies import LatestPolicies, Policies, completed
from ludarium.tables.model.table_state import TableState
from ludarium.tables.replicated_events import packed
from ludarium.tables.schemas import Change, TableView
from ludarium.tables.views import views_for
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.facts import Moved
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import field_number
from ludarium_engine.story.lines import lines
from ludarium_eventstore import NewEvent

log = logging.getLogger(__name__)


def chain_events(table: TableState, events: Sequence[AnyEvent], at: datetime) -> list[RedactedEvent]:
    """Add events to the table's hash chain.

    Each event is hashed with the layout that it names or, if it names none, with the latest layout before it.
    """
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
    """Return the events of the append that ends with version `last`.

    An append is a command with the events that precede it and those that follow from it.
    """
    first = last
    while True:
        if isinstance(events[first].event, GameStarted):
            first = start_of_seating(events, first)
        before = events[first - 1] if first else None
        if before is None or before.at != events[last].at or not in_one_append(before.event, events[first].event):
            return events[first : last + 1]
        first -= 1


def start_of_seating(events: Sequence[LogEntry], start: int) -> int:
    """Return the version of the first event in the append that starts a game.

    If seats are drawn at random, the events of players who change seats precede the start. If the game starts
    automatically, the event that completed the table comes first. Seats that others took in the same millisecond are not
    part of the append.
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
    """Return whether two consecutive events at the same time belong to one append.

    Events that precede a game's start are handled by `start_of_seating`.
    """
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
    """Raise a Problem if the events exceed a limit of the table.

    Raises:
        Problem: `table-full`, or `rules-limit` if an event is too large.
    """
    if table.version + len(events) >= budget.MOST_EVENTS:
        raise Problem("table-full")
    if max(len(event.data) for event in events) > budget.LARGEST_EVENT:
        log.error("table %s, version %s: the rules make a row that is too large", table.id, table.version)
        raise Problem("rules-limit")


# --- encoding for viewers ---------------------------------------------------------------------------------------------
SUMMED = 16
"""A change contains a checksum of the zones if its version is a multiple of this number."""
json = msgspec.json.Encoder().encode


class RedactedEvent(NamedTuple):
    """An event, and its redacted form for each audience.

    The event's leaves in the hash chain and the messages to viewers are made from the same redacted forms.
    """

    entry: LogEntry
    seen: Seen


class Commit(NamedTuple):
    """The result of an append.

    Attributes:
        table: the table after the append.
        events: the appended events.
        views: by audience, the view after the append, for those audiences that are sent the append.
        bodies: for each event, its encoded form by audience.
    """

    table: TableState
    events: Sequence[RedactedEvent]
    views: Mapping[int, TableView]
    bodies: Sequence[Mapping[int, EventBody]]


def new_commit(table: TableState, events: Sequence[RedactedEvent], audiences: Collection[int], away: int = 0) -> Commit:
    """Encode a commit for these audiences, for the response and for push messages.

    Args:
        away: milliseconds of an outage, as in `clocks_body`.
    """
    told = [event_bodies(table.title, event, audiences) for event in events]
    return Commit(table, events, views_for(table, audiences, away), told)


def audience_for(table: TableState, player: str | None) -> int:
    """Return the seat of a caller, or SPECTATOR for a caller without a seat."""
    seat = own_seat(table, player)
    return SPECTATOR if seat is None else seat


def answer_to(made: Commit, player: str) -> Accepted:
    """Return the response to the player whose command made the commit."""
    audience = audience_for(made.table, player)
    newest = made.events[-1].entry
    told = [event[audience] for event in made.bodies]
    return Accepted(newest.version, head_of(newest.hash), told, made.views[audience])


def push_messages(made: Commit, nth: int, looks: Collection[int]) -> dict[int, bytes]:
    """Encode the push messages for the commit's event number `nth`, by view channel.

    The last event includes the view or, for some channels, only the changes of the view.
    """
    audiences = {look: audience_of(look) for look in looks}
    row, told = made.events[nth], made.bodies[nth]
    if row is not made.events[-1]:
        return {look: json(told[audience]) for look, audience in audiences.items()}
    shown = partly_hidden_zones(made.table.title.layout, row.entry.event) if can_be_folded(made) else None
    found: dict[int, bytes] = {}
    for look, audience in audiences.items():
        event, view = told[audience], made.views[audience]
        changes = shown is not None and wants_changes(look)
        found[look] = json(with_change(made, event, audience, shown or UNSET) if changes else with_view(event, view))
    if made.table.status != "over":
        made.table.last_views.update(made.views)
    if found and len(made.events) == 1 and is_command(row.entry.event):  # several events of one append cannot be applied singly
        found[ROW] = packed(row.entry)
    return found


def can_be_folded(made: Commit) -> bool:
    """Return whether viewers can derive the new view from the last view and the event.

    They cannot if the event is not a command, nor if facts do not suffice: after a reset of the table, while a seat
    temporarily sees less of some zones, or if the table's layout hides more than that of the current rules.
    """
    table, newest = made.table, made.events[-1].entry
    if table.parts is None or table.parts.was_veiled or table.parts.layout is not table.title.layout:
        return False
    going_on = table.shown_since < newest.version and table.status == "playing"
    return going_on and len(made.events) == 1 and is_command(newest.event)


def partly_hidden_zones(layout: Layout, event: AnyEvent | UnreadEvent) -> dict[str, str]:
    """Return the visibility of those zones that receive cards and are not public."""
    zones = {field_number(fact.dst) for fact in getattr(event, "facts", ()) if type(fact) is Moved}
    return {f.name: f.visibility for f in map(layout.fields.__getitem__, sorted(zones)) if f.visibility != "public"}


def change_of(before: TableView | None, view: TableView, zones: dict[str, str] | UnsetType) -> Change:
    """Return those changes of the view that the event's facts do not contain.

    Args:
        before: the view that this process sent last. If it was sent with the previous event, unchanged parts are left
            out.
        zones: the visibility of zones that receive cards, by name.
    """
    assert view.view is not None
    sum = crc32(json(view.view.zones)) if view.seq % SUMMED == 0 else UNSET
    now = beyond_facts(view)
    if before is not None and before.seq == view.seq - 1:
        was = beyond_facts(before)
        now = {name: value for name, value in now.items() if value != was.get(name, UNSET)}
    return Change(**now, sights=zones, sum=sum)


def beyond_facts(view: TableView) -> dict[str, Any]:
    """Return those parts of a view that cannot be derived from facts."""
    beside = {"choice": view.choice, "undo": view.undo, "proposal": view.proposal, "clocks": view.clocks}
    if view.view is None:
        return beside
    return {"asked": view.view.asked, "agenda": view.view.agenda, "focus": view.view.focus} | beside


def event_bodies(title: AnyTitle, event: RedactedEvent, audiences: Collection[int]) -> dict[int, EventBody]:
    """Encode an event by audience; audiences with the same redacted form share it."""
    seen = {id(event.seen[a]): event.seen[a] for a in audiences}
    told = {key: body_of(one, event.entry, title, story=lines) for key, one in seen.items()}
    return {a: told[id(event.seen[a])] for a in audiences}


def with_change(made: Commit, event: EventBody, audience: int, shown: dict[str, str] | UnsetType) -> EventBody:
    change = change_of(made.table.last_views.get(audience), made.views[audience], shown)
    return replace(event, data=replace(event.data, change=change))


def with_view(event: EventBody, view: TableView) -> EventBody:
    return replace(event, data=replace(event.data, view=view))

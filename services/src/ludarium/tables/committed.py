"""What a commit made, as it is told: to its caller in the answer, to those who watch in messages."""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ludarium.platform.view_channel import ROW, audience_of, wants_changes
from ludarium.tables.event_schemas import Accepted, EventBody
from ludarium.tables.event_views import body_of
from ludarium.tables.model.access import own_seat
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import AnyTitle
from ludarium.tables.model.hash_chain import Seen
from ludarium.tables.model.log_entries import LogEntry
from ludarium.tables.model.table_state import TableState
from ludarium.tables.replicated_events import packed
from ludarium.tables.schemas import Change, TableView, head_of
from ludarium.tables.views import views_for
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.facts import Moved
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import field_of
from ludarium_engine.story.lines import lines

SUMMED = 16
"""Versions, of which one has the sum of its zones with its changes."""
json = msgspec.json.Encoder().encode


class RedactedEvent(NamedTuple):
    """An event, and what of it each audience may see: its leaves in the chain and its messages are made of the same."""

    entry: LogEntry
    seen: Seen


class Commit(NamedTuple):
    """The table after a commit, its events, and by audience that is sent them: the views as of then, and each event."""

    table: TableState
    events: Sequence[RedactedEvent]
    views: Mapping[int, TableView]
    bodies: Sequence[Mapping[int, EventBody]]


def new_commit(table: TableState, events: Sequence[RedactedEvent], audiences: Collection[int], away: int = 0) -> Commit:
    """As these audiences are told of it, be it in an answer, in messages or in both. away: as of `clocks_body`."""
    told = [event_bodies(table.title, event, audiences) for event in events]
    return Commit(table, events, views_for(table, audiences, away), told)


def audience_for(table: TableState, player: str | None) -> int:
    """As whom a caller is answered: whoever has left sees what spectators see."""
    seat = own_seat(table, player)
    return SPECTATOR if seat is None else seat


def answer_to(made: Commit, player: str) -> Accepted:
    """The answer to who made it."""
    audience = audience_for(made.table, player)
    newest = made.events[-1].entry
    told = [event[audience] for event in made.bodies]
    return Accepted(newest.version, head_of(newest.hash), told, made.views[audience])


def push_messages(made: Commit, nth: int, looks: Collection[int]) -> dict[int, bytes]:
    """What each of those who look is pushed of the nth event; the newest one comes with the view, or with what has changed."""
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
    if found and len(made.events) == 1 and is_command(row.entry.event):  # nobody takes in one of several without the others
        found[ROW] = packed(row.entry)
    return found


def can_be_folded(made: Commit) -> bool:
    """Whether who knows the view before knows that behind by the facts and what else has changed.

    Not what happens beside the game, nor behind what nobody could fold: the table as it was found anew, zones that a seat sees
    less of for the moment, a layout that hides more than the rules of today.
    """
    table, newest = made.table, made.events[-1].entry
    if table.parts is None or table.parts.veils or table.parts.layout is not table.title.layout:
        return False
    going_on = table.shown_since < newest.version and table.status == "playing"
    return going_on and len(made.events) == 1 and is_command(newest.event)


def partly_hidden_zones(layout: Layout, event: AnyEvent | UnreadEvent) -> dict[str, str]:
    """Of the zones that cards are moved into, those that somebody sees less of."""
    zones = {field_of(fact.dst) for fact in getattr(event, "facts", ()) if type(fact) is Moved}
    return {f.name: f.sight for f in map(layout.fields.__getitem__, sorted(zones)) if f.sight != "public"}


def change_of(before: TableView | None, view: TableView, zones: dict[str, str] | UnsetType) -> Change:
    """before: the view that this process told last; of the one right before, what has stayed the same is left out."""
    assert view.view is not None
    sum = crc32(json(view.view.zones)) if view.seq % SUMMED == 0 else UNSET
    now = beyond_facts(view)
    if before is not None and before.seq == view.seq - 1:
        was = beyond_facts(before)
        now = {name: value for name, value in now.items() if value != was.get(name, UNSET)}
    return Change(**now, sights=zones, sum=sum)


def beyond_facts(view: TableView) -> dict[str, Any]:
    """What facts do not tell."""
    beside = {"choice": view.choice, "undo": view.undo, "proposal": view.proposal, "clocks": view.clocks}
    if view.view is None:
        return beside
    return {"asked": view.view.asked, "agenda": view.view.agenda, "focus": view.view.focus} | beside


def event_bodies(title: AnyTitle, event: RedactedEvent, audiences: Collection[int]) -> dict[int, EventBody]:
    """The event as each of them sees it: described once for all who see the same."""
    seen = {id(event.seen[a]): event.seen[a] for a in audiences}
    told = {key: body_of(one, event.entry, title, story=lines) for key, one in seen.items()}
    return {a: told[id(event.seen[a])] for a in audiences}


def with_change(made: Commit, event: EventBody, audience: int, shown: dict[str, str] | UnsetType) -> EventBody:
    change = change_of(made.table.last_views.get(audience), made.views[audience], shown)
    return replace(event, data=replace(event.data, change=change))


def with_view(event: EventBody, view: TableView) -> EventBody:
    return replace(event, data=replace(event.data, view=view))

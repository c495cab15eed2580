"""Remove from events what an audience may not see.

Each fact redacts itself by the layout. In titles with shared zones, earlier facts of the event decide which seats see a slot.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ludarium_engine.kernel.choices import Action
from ludarium_engine.kernel.facts import AnyFact, Became, Counted, Event, Members, Rolled, Said
from ludarium_engine.kernel.layout import Layout, SharedLayout
from ludarium_engine.kernel.slots import UNKNOWN, entry_index, field_number

HIDDEN_ACTION = Action("")                      # replaces an action for audiences other than its seat


def redact_event(layout: Layout, event: Event, audience: int) -> Event:
    """Return the event as the audience may see it.

    The action is shown to its own seat only. Other audiences see the seat only if they see one of the facts.
    """
    facts = redact_facts(layout, event.facts, audience)
    if event.seat == audience >= 0:
        return Event(event.seat, event.action, facts)
    return Event(event.seat if facts else UNKNOWN, HIDDEN_ACTION, facts)


def redact_facts(layout: Layout, facts: Iterable[AnyFact], audience: int) -> list[AnyFact]:
    """Return the facts that the audience may see, each redacted, in order."""
    seen: list[AnyFact] = []
    now: dict[int, int] = {}                    # index of a fact -> its index in `seen`
    for nth, fact in enumerate(facts):
        if layout.groups:
            layout = layout_after(layout, fact)
        shown = fact.for_visible_facts(now) if type(fact) is Said else fact.redacted(layout, audience)
        if shown is not None:
            now[nth] = len(seen)
            seen.append(shown)
    return seen


def layout_after(layout: Layout, fact: Any) -> Layout:
    """Return the layout after a fact that may change which seats see a shared zone."""
    if not isinstance(layout, SharedLayout):
        return layout
    match fact:
        case Members(slot, value):
            return layout.with_members({**layout.members, field_number(slot): value})
        case Became(slot) | Counted(slot) | Rolled(slot) if field_number(slot) in layout.members:
            return layout.with_members({**layout.members, field_number(slot): written_row(layout, fact)})
    return layout


def written_row(layout: SharedLayout, fact: Became | Counted | Rolled) -> Sequence[int]:
    """Return the content of a zone of members after a fact wrote to it."""
    row, index = [*layout.members[field_number(fact.slot)]], entry_index(fact.slot)
    match fact:
        case Counted(_, by):
            row[index] += by
        case Became(_, tuple(values)) | Rolled(_, tuple(values)):
            row = [*values]
        case Became(_, int(value)) | Rolled(_, int(value)):
            row[index] = value
    return row

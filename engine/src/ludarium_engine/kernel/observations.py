"""Redact events for an audience, and fold redacted events into its view.

See docs/decisions/038.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ludarium_engine.kernel.facts import (
    AnyFact,
    Event,
    Moved,
    Preferred,
    Rolled,
    Shared,
    Shuffled,
    Uncovered,
    copy_to_evolve,
)
from ludarium_engine.kernel.layout import Layout, mask
from ludarium_engine.kernel.redaction import redact_event
from ludarium_engine.kernel.slots import UNKNOWN, Frame, S, State, read_slot, write_slot


class Observation(NamedTuple):
    """A redacted event, and the agenda of the audience's view after it."""

    event: Event
    agenda: Sequence[Frame]


def observe(layout: Layout, event: Event, after: State, audience: int) -> Observation:
    """Redact an event and the agenda of the state after it for an audience."""
    return Observation(redact_event(layout, event, audience), tuple([layout.frame(f, audience) for f in after.agenda]))


def evolve_seen(layout: Layout, seen: S, event: Event, audience: int) -> S:
    """Return the view after an event redacted by `redact_event`.

    The view before it stays unchanged, for an undo. The result has the zones, turn, outcome and preferences. Its agenda is
    empty, because no audience is sent agenda facts. Veiled zones are folded as if they were not veiled.
    """
    after = copy_to_evolve(event, layout, seen)
    after.agenda = []
    for fact in event.facts:
        apply_seen(layout, after, fact, audience)
    return after


def apply_seen(layout: Layout, seen: State, fact: AnyFact, audience: int) -> None:
    """Apply a redacted fact to a view, in place."""
    match fact:
        case Moved(cards, src, dst):
            leave(read_slot(seen, src), cards)
            put_down(read_slot(seen, dst), cards, layout.at(seen).depth_for(audience, dst))
        case Uncovered(card, slot):
            read_slot(seen, slot)[-1] = card
        case Shuffled(slot):
            pile = read_slot(seen, slot)
            pile[:] = [UNKNOWN] * len(pile)
        case Rolled() | Shared():
            write_slot(fact, seen)
        case Preferred():
            seen.always_passes = [*seen.always_passes]
            fact.apply(seen)
        case _:
            fact.apply(seen)


def leave(pile: list[int], cards: Sequence[int]) -> None:
    """Remove cards from a pile of a view.

    For a card that the view does not show there, one UNKNOWN entry is removed instead.
    """
    for card in cards:
        pile.remove(card if card in pile else UNKNOWN)


def put_down(pile: list[int], cards: Sequence[int], depth: int) -> None:
    """Put cards onto a pile of a view, and mask the pile at this depth."""
    pile += cards
    pile[:] = mask(pile, depth)

"""Folds of a game's events: all of them make its state, and an audience's own, one by one, the view that it has.

See docs/decisions/038.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from ludarium_engine.kernel.facts import AnyFact, Event, Moved, Preferred, Rolled, Shared, Shuffled, Uncovered, copy_to_evolve
from ludarium_engine.kernel.layout import Layout, mask
from ludarium_engine.kernel.slots import UNKNOWN, S, read_slot, write_slot
from ludarium_engine.kernel.title import O, Title


def fold(title: Title[S, O], options: O, seats: int, events: Iterable[Event]) -> S:
    """The state after these events; runs no rule."""
    s = title.blank(options, seats)
    for event in events:
        for fact in event.facts:                # as `evolve` does, which costs a call an event here
            fact.apply(s)
    return s


def evolve_seen(layout: Layout, seen: S, event: Event, audience: int) -> S:
    """The view after an event as `redact_event` shows it; the view before stays, so an undo goes back to it.

    Its zones, turn, outcome and preferences. Who is asked and for what stands in no fact that an audience sees, and zones
    that are veiled for the moment are folded as if they were not.
    """
    after = copy_to_evolve(event, layout, seen)
    after.agenda = []
    for fact in event.facts:
        apply_seen(layout, after, fact, audience)
    return after


def apply_seen(layout: Layout, seen: S, fact: AnyFact, audience: int) -> None:
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
    """A card that is not seen there is one of those that nobody can tell apart."""
    for card in cards:
        pile.remove(card if card in pile else UNKNOWN)


def put_down(pile: list[int], cards: Sequence[int], depth: int) -> None:
    """Onto the top, which alone may show."""
    pile += cards
    pile[:] = mask(pile, depth)

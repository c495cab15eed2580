"""The knowledge trace of an audience: which cards it knows, because it sees them now or saw them and can still follow them.

It is computed from the true layout, never from one under test: else a leak to everybody would count as knowledge.
"""
from __future__ import annotations

from typing import Any

from engine.kernel import UNKNOWN, Event, State, Title, clone, facts_for, view
from engine.kernel.facts import AnyFact, Moved, Shuffled
from engine.kernel.places import get

AnyTitle = Title[Any, Any]


class Memory:
    """What one audience knows after the events that it was told of."""

    def __init__(self, title: AnyTitle, audience: int) -> None:
        self.title, self.audience = title, audience
        self.known: set[int] = set()

    def take_in(self, before: State, event: Event) -> None:
        """before: the whole state before the event."""
        s = clone(before)
        for fact in event.facts:
            seen = fact.seen(self.title.layout, self.audience)
            self.lose_track(s, fact, seen)
            self.known |= shown(seen)
            fact.apply(s)
        self.known |= visible(self.title, s, self.audience)

    def lose_track(self, s: State, fact: AnyFact, seen: AnyFact | None) -> None:
        """After a shuffle nobody knows which is which; nor after an unseen card has left a pile of several."""
        if isinstance(fact, Shuffled):
            self.known -= set(fact.order)
        elif isinstance(fact, Moved) and isinstance(seen, Moved) and UNKNOWN in seen.cards:
            pile = get(s, fact.src)
            if len(fact.cards) < len(pile):
                self.known -= set(pile) - set(seen.cards)


def learned(title: AnyTitle, after: State, event: Event, audience: int) -> set[int]:
    """The cards that the audience is shown by an event or sees after it."""
    told = [shown(fact) for fact in facts_for(title, event, audience).facts]
    return visible(title, after, audience).union(*told)


def visible(title: AnyTitle, s: State, audience: int) -> set[int]:
    seen = view(title, s, audience)
    fields = [(f.kind, getattr(seen, f.name)) for f in title.layout.fields if f.cards]
    cards = [card for kind, zone in fields for card in (zone if kind == "pile" else [c for pile in zone for c in pile])]
    return set(cards) - {UNKNOWN}


def shown(fact: AnyFact | None) -> set[int]:
    """The card ids that a fact, as it was seen, names."""
    cards = {*getattr(fact, "cards", ()), getattr(fact, "card", UNKNOWN)}
    return cards - {UNKNOWN}

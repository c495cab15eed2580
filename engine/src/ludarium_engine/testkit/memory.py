"""The knowledge trace of an audience: which cards it knows, because it sees them now or saw them and can still follow them;
and what was admitted to it.

It is derived again from the visibility that a title declares, not by the kernel's redaction, which is what the proof tests: a
leak to everybody would otherwise count as knowledge.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludarium_engine.kernel import Event, State, Title, clone
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    AnyFact,
    Moved,
    Revealed,
    Shared,
    Told,
    Uncovered,
    is_addressed,
    layout_after,
)
from ludarium_engine.kernel.knowledge import Admission, Knowledge, all_cards
from ludarium_engine.kernel.layout import SharedLayout
from ludarium_engine.kernel.slots import ALL, NOTHING, TOP_CARD, UNKNOWN, VISIBILITIES, entry_index, field_number

AnyTitle = Title[Any, Any]
AllMembers = Mapping[int, Sequence[int]]        # the content of zones of members, by the number of the field
NO_MEMBERS: AllMembers = {}
__all__ = ["Admission", "Memory", "admitted", "all_cards", "learned"]


class Memory(Knowledge):
    """What one audience knows after the events that it takes in, by the declared visibility."""

    def __init__(self, title: AnyTitle, audience: int, blank: State) -> None:
        """blank: the state before the set-up."""
        super().__init__(title, title.layout, audience, blank)

    def shown(self, fact: AnyFact) -> set[int]:
        members = self.layout.members if isinstance(self.layout, SharedLayout) else NO_MEMBERS
        return shown(self.title, fact, self.audience, members)

    def visible(self, s: State) -> set[int]:
        return visible(self.title, s, self.audience)


def admitted(before: State, event: Event, audience: int) -> Iterator[Admission]:
    """What the audience hears by an event."""
    if any(isinstance(fact, Admitted) for fact in event.facts):
        s = clone(before)
        for fact in event.facts:
            if isinstance(fact, Admitted) and is_addressed(fact.to, audience):
                yield Admission(clone(s), fact)
            fact.apply(s)


def learned(title: AnyTitle, after: State, event: Event, audience: int) -> set[int]:
    """The cards that the audience is shown by an event or sees after it."""
    seen = visible(title, after, audience)
    layout = title.layout
    for fact in event.facts:
        layout = layout_after(layout, fact)
        members = layout.members if isinstance(layout, SharedLayout) else NO_MEMBERS
        seen |= shown(title, fact, audience, members)
    return seen


def shown(title: AnyTitle, fact: AnyFact, audience: int, members: AllMembers = NO_MEMBERS) -> set[int]:
    """The cards that a fact names to the audience. members: of shared zones, as they are then."""
    match fact:
        case Moved(cards, src, dst, top):
            off = part(cards, depth_at(title, src, audience, members), top)
            return off | part(cards, depth_at(title, dst, audience, members), len(cards) - 1)
        case Shared(slot, tuple(cards)) if title.layout.slot_kinds[slot] == "pile":
            return part(cards, depth_at(title, slot, audience, members), UNKNOWN)
        case Uncovered(card, slot):
            return {card} if depth_at(title, slot, audience) > NOTHING else set()
        case Revealed(cards, _, to) if to == EVERYBODY or audience in to:
            return set(cards)
        case Told(what, args, to) if to == EVERYBODY or audience in to:
            return cards_among(title.disclosures[what], args)
        case Admitted(what, args, _, to) if is_addressed(to, audience):
            return cards_among(title.predicates[what].args, args)
        case _:
            return set()


def cards_among(kinds: Sequence[str], args: Sequence[int]) -> set[int]:
    return {value for kind, value in zip(kinds, args, strict=True) if kind == CARD}


def part(cards: Sequence[int], depth: int, top: int) -> set[int]:
    """Of cards in a slot of this depth, of which the one at index `top` lies on top, those that are seen."""
    return set(cards) if depth == ALL else {cards[top]} if depth == TOP_CARD and top != UNKNOWN else set()


def visible(title: AnyTitle, s: State, audience: int) -> set[int]:
    """The cards that lie where the audience sees them."""
    members = members_in(title, s)
    piles = ((depth_at(title, slot, audience, members), pile) for slot, pile in title.layout.piles(s) if pile)
    return {card for depth, pile in piles for card in part(pile, depth, len(pile) - 1)}


def members_in(title: AnyTitle, s: State) -> AllMembers:
    """What the zones of members hold, by the number of the field."""
    return {n: getattr(s, title.layout.fields[n].name) for n in title.layout.groups.values()}


def depth_at(title: AnyTitle, slot: int, audience: int, members: AllMembers = NO_MEMBERS) -> int:
    """How much the audience sees of a slot: ALL, TOP_CARD or NOTHING. members: of shared zones, as they are then."""
    n, index = field_number(slot), entry_index(slot)
    if n in title.layout.groups:
        groups = members.get(title.layout.groups[n], ())
        return ALL if 0 <= audience < len(groups) and groups[audience] == (1 if index < 0 else index) else NOTHING
    owner, others = VISIBILITIES[title.layout.fields[n].visibility]
    return owner if index == audience >= 0 else others

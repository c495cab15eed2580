"""Trace which cards, numbers and answers an audience knows.

Knowledge is derived from the state and from the visibility that the title declares. The kernel's redaction is not used because
the proof tests the redaction, and a leak to all audiences would otherwise count as knowledge. By contrast,
`kernel/knowledge.py`, which is used to deal cards for a seat, relies only on the events sent to the seat.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from ludarium_engine.kernel import Event, State, Title, clone
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    AnyFact,
    Became,
    Counted,
    Moved,
    NumbersRevealed,
    Revealed,
    Rolled,
    Shared,
    Shuffled,
    Told,
    Uncovered,
    is_addressed,
)
from ludarium_engine.kernel.known_numbers import number_slots, overlap
from ludarium_engine.kernel.layout import SharedLayout
from ludarium_engine.kernel.redaction import layout_after
from ludarium_engine.kernel.slots import ALL, NOTHING, TOP_CARD, UNKNOWN, VISIBILITIES, S, entry_index, field_number, read_slot

AnyTitle = Title[Any, Any]
AllMembers = Mapping[int, Sequence[int]]        # contents of member zones, by field number
NO_MEMBERS: AllMembers = {}
Swap = Mapping[int, int]                        # a card -> the card in its place in another world


class Group(NamedTuple):
    """Indistinguishable places, and the cards that may lie there.

    All cards have the same back. There are at least as many cards as places.
    """

    places: set[int]
    cards: set[int]


class Admission(NamedTuple):
    """An answer about a state that was disclosed to an audience.

    The answer is the same in every world that is possible for the audience.
    """

    state: State
    fact: Admitted

    def holds_in(self, title: AnyTitle, other: State, args: Sequence[int]) -> bool:
        """Return whether the answer is the same in another world."""
        return title.predicates[self.fact.what].answer(other, args) == self.fact.answer

    def same_for(self, title: AnyTitle, places: set[int]) -> bool:
        """Return whether these places were in one pile when the answer was given."""
        return any(places <= {*pile} for _, pile in title.layout.piles(self.state))


class Memory:
    """The knowledge of one audience after the applied events.

    A place is identified by the card that is actually there.

    Attributes:
        known: cards whose place is certain.
        groups: groups of places that the audience cannot distinguish.
        admissions: the answers disclosed to the audience.
        numbers: the slots of hidden numbers that the audience knows because it saw them, because they were revealed, or because
            they have not changed since before the set-up.
        ambiguous: whether cards on which an answer depends can no longer be distinguished from others. It is then undecidable
            which deals the answer allows.
    """

    def __init__(self, title: AnyTitle, audience: int, blank: State) -> None:
        """Begin with the state before the set-up, which is known to every audience."""
        self.title, self.layout, self.audience = title, title.layout, audience
        self.known = set(all_cards(title, blank))
        self.groups: list[Group] = []
        self.admissions: list[Admission] = []
        self.ambiguous = False
        self.numbers = set(number_slots(title, blank))

    def apply(self, before: State, event: Event) -> None:
        """Update the knowledge by an event.

        Args:
            before: the complete state before the event.
            event: the event, not redacted.
        """
        s, layout = clone(before), self.layout
        for fact in event.facts:
            self.layout = layout.at(s)
            shown = self.shown(fact)
            if isinstance(fact, Admitted) and is_addressed(fact.to, self.audience):
                self.admissions.append(Admission(clone(s), fact))
            self.follow_numbers(fact)
            self.lose_track(s, fact, shown)
            self.learn(shown)
            fact.apply(s)
        self.layout = layout.at(s)
        self.learn(self.visible(s))
        if layout.groups:                       # remembered once a member can no longer see it
            self.numbers |= {slot for slot in number_slots(self.title, s) if self.sees(slot)}
        self.layout = layout

    def sees(self, slot: int) -> bool:
        return self.layout.depth_for(self.audience, slot) == ALL

    def follow_numbers(self, fact: AnyFact) -> None:
        """Remember a revealed number until the slot is overwritten."""
        match fact:
            case NumbersRevealed(slot, _, to) if is_addressed(to, self.audience):
                self.numbers.add(slot)
            case Became(slot) | Counted(slot) | Rolled(slot) if self.numbers:
                self.numbers = {known for known in self.numbers if not overlap(known, slot)}

    def shown(self, fact: AnyFact) -> set[int]:
        """Return the cards that a fact names to the audience."""
        members = self.layout.members if isinstance(self.layout, SharedLayout) else NO_MEMBERS
        return shown(self.title, fact, self.audience, members)

    def visible(self, s: State) -> set[int]:
        """Return the cards that the audience sees in the zones."""
        return visible(self.title, s, self.audience)

    def lose_track(self, s: State, fact: AnyFact, shown: set[int]) -> None:
        """Forget the places of cards that a fact makes uncertain.

        Places become uncertain when a pile is shuffled, or when an unknown card leaves a pile or is revealed in the pile.
        """
        match fact:
            case Shuffled(slot):
                self.mix_same_backs(read_slot(s, slot), read_slot(s, slot))
            case Moved(cards, src):
                self.locate(shown.intersection(cards), read_slot(s, src))
                self.mix_same_backs({*read_slot(s, src)} - shown, {*cards} - shown)
            case Shared(slot, tuple(cards)) if self.layout.slot_kinds[slot] == "pile":
                self.locate(shown.intersection(cards), read_slot(s, slot))
            case Revealed(cards, slot):
                self.locate(shown.intersection(cards), read_slot(s, slot))

    def locate(self, cards: Iterable[int], pile: Collection[int]) -> None:
        """Note that certain cards are in a pile.

        If such a card may have been at several places in the pile, the order of the other cards becomes unknown.
        """
        for card in cards:
            may = [group for group in self.groups if card in group.cards]
            if sum(place in group.places for group in may for place in pile) > 1:
                self.mix_same_backs(pile, [card])
            self.learn([card])

    def mix_same_backs(self, pile: Iterable[int], moved: Iterable[int]) -> None:
        """Mix all cards of the pile whose back is that of a moved card."""
        back = self.title.card_back
        for one in {back(card) for card in moved}:
            self.mix({card for card in pile if back(card) == one})

    def mix(self, places: set[int]) -> None:
        """Put places into one group, since the audience can no longer distinguish them."""
        self.ambiguous = self.ambiguous or not all(one.same_for(self.title, places) for one in self.admissions)
        if len(places) < 2 or any(places <= group.places for group in self.groups):
            return
        cards = places & self.known
        for group in self.groups:
            if not places.isdisjoint(group.places):
                cards |= group.cards
                group.places.difference_update(places)
        self.known -= places
        self.groups.append(Group({*places}, cards))
        self.deduce()

    def learn(self, cards: Iterable[int]) -> None:
        """Note cards whose place the audience knows."""
        found = {*cards} - self.known
        if found:
            self.known |= found
            for places, may in self.groups:
                places -= found
                may -= found
            self.deduce()

    def deduce(self) -> None:
        """Draw conclusions about which cards are in which group.

        A group with as many places as possible cards contains all these cards. If a group has only one possible card, the place
        of this card is known.
        """
        self.groups = [group for group in self.groups if group.places]
        for full, other in permutations(self.groups, 2):
            if len(full.places) == len(full.cards) and not full.cards.isdisjoint(other.cards):
                other.cards.difference_update(full.cards)
                return self.deduce()
        self.learn([card for places, cards in self.groups if len(cards) == 1 for card in cards])


def admitted(before: State, event: Event, audience: int) -> Iterator[Admission]:
    """Yield the answers that an event discloses, each with the state at that moment."""
    if any(isinstance(fact, Admitted) for fact in event.facts):
        s = clone(before)
        for fact in event.facts:
            if isinstance(fact, Admitted) and is_addressed(fact.to, audience):
                yield Admission(clone(s), fact)
            fact.apply(s)


def learned(title: AnyTitle, after: State, event: Event, audience: int) -> set[int]:
    """Return the cards that an audience sees in an event or in the state afterwards."""
    seen = visible(title, after, audience)
    layout = title.layout
    for fact in event.facts:
        layout = layout_after(layout, fact)
        members = layout.members if isinstance(layout, SharedLayout) else NO_MEMBERS
        seen |= shown(title, fact, audience, members)
    return seen


def shown(title: AnyTitle, fact: AnyFact, audience: int, members: AllMembers = NO_MEMBERS) -> set[int]:
    """Return the cards that a fact names to the audience.

    Args:
        title: the title.
        fact: the fact, not redacted.
        audience: the audience.
        members: the members of shared zones when the fact was recorded.
    """
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
    """Return the visible ones among a slot's cards.

    Args:
        cards: the slot's cards.
        depth: how much is visible: ALL, TOP_CARD or NOTHING.
        top: the index of the top card, or UNKNOWN.
    """
    return set(cards) if depth == ALL else {cards[top]} if depth == TOP_CARD and top != UNKNOWN else set()


def visible(title: AnyTitle, s: State, audience: int) -> set[int]:
    """Return the cards that an audience can see in a state."""
    members = members_in(title, s)
    piles = ((depth_at(title, slot, audience, members), pile) for slot, pile in title.layout.piles(s) if pile)
    return {card for depth, pile in piles for card in part(pile, depth, len(pile) - 1)}


def members_in(title: AnyTitle, s: State) -> AllMembers:
    """Return the contents of the zones that list members, keyed by field number."""
    return {n: getattr(s, title.layout.fields[n].name) for n in title.layout.groups.values()}


def depth_at(title: AnyTitle, slot: int, audience: int, members: AllMembers = NO_MEMBERS) -> int:
    """Return how much of a slot an audience sees (ALL, TOP_CARD or NOTHING)."""
    n, index = field_number(slot), entry_index(slot)
    if n in title.layout.groups:
        groups = members.get(title.layout.groups[n], ())
        return ALL if 0 <= audience < len(groups) and groups[audience] == (1 if index < 0 else index) else NOTHING
    owner, others = VISIBILITIES[title.layout.fields[n].visibility]
    return owner if index == audience >= 0 else others


def all_cards(title: AnyTitle, s: State) -> list[int]:
    """Return the sorted ids of the cards in all zones."""
    return sorted(card for _, pile in title.layout.piles(s) for card in pile)


def swap_cards(title: AnyTitle, s: S, swap: Swap) -> S:
    """Return a copy of the state in which cards are replaced as `swap` says."""
    other = clone(s)
    for _, pile in title.layout.piles(other):
        pile[:] = [swap.get(card, card) for card in pile]
    return other

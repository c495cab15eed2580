"""What an audience knows of hidden cards: for every place which cards may lie there, by its events alone.

A place is named by the card that truly lies there. The name reveals nothing, since places that the audience cannot
distinguish are always in one group. Cards with different backs can be distinguished face down.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import (
    Admitted,
    AnyFact,
    Became,
    Counted,
    Event,
    Moved,
    NumbersRevealed,
    Revealed,
    Rolled,
    Shared,
    Shuffled,
    Uncovered,
    is_addressed,
)
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import ALL, INDEX_BITS, UNKNOWN, S, State, entry_index, field_number, read_slot
from ludarium_engine.kernel.title import Title

Swap = Mapping[int, int]                        # a card -> the one that lies in its place in another world


class Group(NamedTuple):
    """Places with one card back that cannot be distinguished, and the cards that may lie there: no fewer than places."""

    places: set[int]
    cards: set[int]


class Admission(NamedTuple):
    """An answer that was disclosed to an audience about a state. In every possible world the answer is the same."""

    state: State
    fact: Admitted

    def holds_in(self, title: Title[Any, Any], other: State, args: Sequence[int]) -> bool:
        """Return whether the answer is the same in another world."""
        return title.predicates[self.fact.what].answer(other, args) == self.fact.answer

    def same_for(self, title: Title[Any, Any], places: set[int]) -> bool:
        """Return whether all places were in one pile then, so that the answer is the same for each."""
        return any(places <= {*pile} for _, pile in title.layout.piles(self.state))


class Knowledge:
    """The knowledge of one audience.

    known: the cards whose place is certain. numbers: the slots of hidden numbers that are as before the set-up or were
    revealed to it, and have not been written to since. ambiguous: an answer was disclosed about cards that cannot be
    distinguished from others any more, so it cannot be decided which deals it allows.
    """

    def __init__(self, title: Title[Any, Any], layout: Layout, audience: int, blank: State) -> None:
        """layout: by which it is shown things. blank: the state before the set-up, which follows from the options."""
        self.title, self.layout, self.audience = title, layout, audience
        self.known = set(all_cards(title, blank))
        self.groups: list[Group] = []
        self.admissions: list[Admission] = []
        self.ambiguous = False
        self.numbers = set(number_slots(title, blank))

    def apply(self, before: State, event: Event) -> None:
        """Apply an event; `before` is the whole state before it."""
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
        if layout.groups:                       # who does not see it any more has seen it
            self.numbers |= {slot for slot in number_slots(self.title, s) if self.sees(slot)}
        self.layout = layout

    def sees(self, slot: int) -> bool:
        return self.layout.depth_for(self.audience, slot) == ALL

    def follow_numbers(self, fact: AnyFact) -> None:
        """Know a number that is revealed, until its slot is written to."""
        match fact:
            case NumbersRevealed(slot, _, to) if is_addressed(to, self.audience):
                self.numbers.add(slot)
            case Became(slot) | Counted(slot) | Rolled(slot) if self.numbers:
                self.numbers = {known for known in self.numbers if not overlap(known, slot)}

    def shown(self, fact: AnyFact) -> set[int]:
        """Return the cards that a fact names to the audience; cards in disclosures were revealed before."""
        match fact.redacted(self.layout, self.audience):
            case Moved(cards) | Revealed(cards):
                return {*cards} - {UNKNOWN}
            case Shared(slot, tuple(cards)) if self.layout.slot_kinds[slot] == "pile":
                return {*cards} - {UNKNOWN}
            case Uncovered(card):
                return {card}
            case _:
                return set()

    def visible(self, s: State) -> set[int]:
        """Return the cards that the audience sees where they lie."""
        return {*all_cards(self.title, self.layout.view(s, self.audience))} - {UNKNOWN}

    def lose_track(self, s: State, fact: AnyFact, shown: set[int]) -> None:
        """Lose track of cards: by a shuffle, and when an unknown card of a pile leaves it or is shown in it."""
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
        """Locate cards in a pile. If one may have been at several places, the order of the others becomes unknown."""
        for card in cards:
            may = [group for group in self.groups if card in group.cards]
            if sum(place in group.places for group in may for place in pile) > 1:
                self.mix_same_backs(pile, [card])
            self.learn([card])

    def mix_same_backs(self, pile: Iterable[int], moved: Iterable[int]) -> None:
        """Mix all cards of the pile that have the back of a moved card."""
        back = self.title.card_back
        for one in {back(card) for card in moved}:
            self.mix({card for card in pile if back(card) == one})

    def mix(self, places: set[int]) -> None:
        """Put places into one group: they cannot be distinguished from now on."""
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
        """Draw conclusions: a group with as many places as cards has all of them, and a single card is known."""
        self.groups = [group for group in self.groups if group.places]
        for full, other in permutations(self.groups, 2):
            if len(full.places) == len(full.cards) and not full.cards.isdisjoint(other.cards):
                other.cards.difference_update(full.cards)
                return self.deduce()
        self.learn([card for places, cards in self.groups if len(cards) == 1 for card in cards])


def overlap(one: int, other: int) -> bool:
    """Return whether two slots are the same, or one is an entry of the other."""
    same_field = field_number(one) == field_number(other)
    return one == other or (same_field and -1 in (entry_index(one), entry_index(other)))


def number_slots(title: Title[Any, Any], s: State) -> Iterator[int]:
    """Yield the slots whose values are declared, each of them a number or a row of numbers."""
    for n in title.values:
        field, first = title.layout.fields[n], n << INDEX_BITS
        yield from [first] if field.kind == "number" else range(first + 1, first + 1 + len(getattr(s, field.name)))


def all_cards(title: Title[Any, Any], s: State) -> list[int]:
    """Return the ids of all cards in all zones, sorted."""
    return sorted(card for _, pile in title.layout.piles(s) for card in pile)


def swap_cards(title: Title[Any, Any], s: S, swap: Swap) -> S:
    """Return a copy in which cards are swapped."""
    other = clone(s)
    for _, pile in title.layout.piles(other):
        pile[:] = [swap.get(card, card) for card in pile]
    return other

"""What an audience knows of the cards that it does not see: for every place which cards may lie there, by its events alone.

A place goes by the card that truly lies there; whoever asks what may lie there is told nothing by that name, since places that
the audience cannot tell apart are always in one group. From behind, cards of different backs are told apart.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import Admitted, AnyFact, Event, Moved, Revealed, Shuffled, Uncovered, is_addressed
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.slots import UNKNOWN, S, State, read_slot
from ludarium_engine.kernel.title import Title

Swap = Mapping[int, int]                        # a card -> the one that lies in its place in another world


class Group(NamedTuple):
    """Places of one back that cannot be told apart, and what may lie in each: no fewer cards than places."""

    places: set[int]
    cards: set[int]


class Heard(NamedTuple):
    """What was admitted to an audience of a state: no world is possible for it in which this has another answer."""

    s: State
    fact: Admitted

    def holds(self, title: Title[Any, Any], other: State, args: Sequence[int]) -> bool:
        """In another world."""
        return title.predicates[self.fact.what].answer(other, args) == self.fact.answer

    def alike(self, title: Title[Any, Any], places: set[int]) -> bool:
        """Whether all of them lay in one pile then, so that it says the same of each."""
        return any(places <= {*pile} for _, pile in title.layout.piles(self.s))


class Knowledge:
    """known: the cards of which it is certain where they lie. blurred: something was admitted of cards of which some cannot be
    told from others any more, so that nobody can say of which deals it is so."""

    def __init__(self, title: Title[Any, Any], layout: Layout, audience: int, blank: State) -> None:
        """layout: by which it is shown things. blank: the state before the set-up, which follows from the options."""
        self.title, self.layout, self.audience = title, layout, audience
        self.known = set(cards_of(title, blank))
        self.groups: list[Group] = []
        self.heard: list[Heard] = []
        self.blurred = False

    def take_in(self, before: State, event: Event) -> None:
        """before: the whole state before the event."""
        s = clone(before)
        for fact in event.facts:
            shown = self.shown(fact)
            if isinstance(fact, Admitted) and is_addressed(fact.to, self.audience):
                self.heard.append(Heard(clone(s), fact))
            self.lose(s, fact, shown)
            self.settle(shown)
            fact.apply(s)
        self.settle(self.visible(s))

    def shown(self, fact: AnyFact) -> set[int]:
        """The cards that a fact names to the audience; what it is told in words was revealed to it."""
        match fact.redacted(self.layout, self.audience):
            case Moved(cards) | Revealed(cards):
                return {*cards} - {UNKNOWN}
            case Uncovered(card):
                return {card}
            case _:
                return set()

    def visible(self, s: State) -> set[int]:
        """The cards that it sees where they lie."""
        return {*cards_of(self.title, self.layout.view(s, self.audience))} - {UNKNOWN}

    def lose(self, s: State, fact: AnyFact, shown: set[int]) -> None:
        """Sight of which is which: by a shuffle, and where a card leaves a pile or is shown in it that any may have been."""
        match fact:
            case Shuffled(slot):
                self.mix_backs(read_slot(s, slot), read_slot(s, slot))
            case Moved(cards, src):
                self.find(shown.intersection(cards), read_slot(s, src))
                self.mix_backs({*read_slot(s, src)} - shown, {*cards} - shown)
            case Revealed(cards, slot):
                self.find(shown.intersection(cards), read_slot(s, slot))

    def find(self, cards: Iterable[int], pile: Collection[int]) -> None:
        """Cards turn up in a pile. Where one may have lain at several places, nobody can say how the others lie now."""
        for card in cards:
            may = [group for group in self.groups if card in group.cards]
            if sum(place in group.places for group in may for place in pile) > 1:
                self.mix_backs(pile, [card])
            self.settle([card])

    def mix_backs(self, pile: Iterable[int], moved: Iterable[int]) -> None:
        """All in the pile that have the back of one that moved."""
        back = self.title.card_back
        for one in {back(card) for card in moved}:
            self.mix({card for card in pile if back(card) == one})

    def mix(self, places: set[int]) -> None:
        """Nobody can tell them apart from now on."""
        self.blurred = self.blurred or not all(one.alike(self.title, places) for one in self.heard)
        if len(places) < 2 or any(places <= group.places for group in self.groups):
            return
        cards = places & self.known
        for group in self.groups:
            if not places.isdisjoint(group.places):
                cards |= group.cards
                group.places.difference_update(places)
        self.known -= places
        self.groups.append(Group({*places}, cards))
        self.tighten()

    def settle(self, cards: Iterable[int]) -> None:
        """The audience is certain of these."""
        found = {*cards} - self.known
        if found:
            self.known |= found
            for places, may in self.groups:
                places -= found
                may -= found
            self.tighten()

    def tighten(self) -> None:
        """Where there are as many places as cards, these lie nowhere else; a single one is known."""
        self.groups = [group for group in self.groups if group.places]
        for full, other in permutations(self.groups, 2):
            if len(full.places) == len(full.cards) and not full.cards.isdisjoint(other.cards):
                other.cards.difference_update(full.cards)
                return self.tighten()
        self.settle([card for places, cards in self.groups if len(cards) == 1 for card in cards])


def cards_of(title: Title[Any, Any], s: State) -> list[int]:
    """All card ids, wherever they lie, in order."""
    return sorted(card for _, pile in title.layout.piles(s) for card in pile)


def redealt(title: Title[Any, Any], s: S, swap: Swap) -> S:
    """A copy with other cards in their places."""
    other = clone(s)
    for _, pile in title.layout.piles(other):
        pile[:] = [swap.get(card, card) for card in pile]
    return other

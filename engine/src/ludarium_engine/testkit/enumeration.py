"""List all possible deals for a part of a position.

A token represents a hidden card, and a deal assigns a card to each token. A part consists of groups of tokens that share
possible cards.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

from ludarium_engine.branches.answers import Answer
from ludarium_engine.branches.counting import connected_groups
from ludarium_engine.kernel import State
from ludarium_engine.kernel.identities import DEPARTED, Group
from ludarium_engine.kernel.knowledge import Knowledge
from ludarium_engine.kernel.slots import UNKNOWN, read_slot

MOST_DRAWS = 3_000                             # the most deals that are listed
BINS = 40                                       # the most bins into which deals are grouped


class Enumerated(NamedTuple):
    """The expected frequencies of the deals for a part.

    Attributes:
        slots: the part's piles.
        cards: the part's cards.
        bins: the bin of each deal, keyed by the cards in the slots.
        shares: the number of deals in each bin, i.e. its expected relative frequency.
    """

    slots: tuple[int, ...]
    cards: frozenset[int]
    bins: Mapping[Hashable, int]
    shares: Mapping[int, float]

    def key(self, s: State) -> int:
        """Return the bin for a state's deal, or -1 if the deal is not possible."""
        return self.bins.get(tuple(shown(read_slot(s, slot), self.cards) for slot in self.slots), UNKNOWN)


def shown(pile: Collection[int], cards: Collection[int]) -> tuple[int, ...]:
    return tuple([card if card in cards else UNKNOWN for card in pile])


def small_parts(knowledge: Knowledge) -> Iterator[Part]:
    """Yield the parts of a position that have few enough deals to list.

    If different piles were mixed or an answer depends on unknown numbers, no part is yielded. A part is left out if an answer
    depends on both this part and another one.
    """
    answers = [Answer(knowledge, one) for one in knowledge.admissions]
    if knowledge.mixes or any(answer.versions for answer in answers):
        return
    for groups in connected_groups(knowledge.identities.groups):
        tokens = {token for group in groups for token in group.tokens}
        about = [answer for answer in answers if not answer.tokens.isdisjoint(tokens)]
        parts = [Part(knowledge, groups, about, several) for several in (False, True)]
        few = [part for part in parts if part.most <= MOST_DRAWS and part.order]
        if few and all(answer.tokens <= tokens for answer in about):
            yield few[0]


class Part:
    """Groups of tokens with cards in common, whose deals are listed.

    Piles that contain only tokens of the largest group are called the rest. They get the remaining cards, so their deals need
    not be listed.
    """

    def __init__(self, knowledge: Knowledge, groups: Sequence[Group], about: Sequence[Answer], several: bool) -> None:
        """Choose the piles to list.

        Args:
            knowledge: the audience's knowledge.
            groups: the groups of tokens.
            about: the disclosed answers about these groups.
            several: True leaves all piles of the rest unlisted, False only the largest one.
        """
        self.knowledge, self.about = knowledge, about
        self.may_be = {token: group.cards for group in groups for token in group.tokens}
        self.cards = frozenset(card for group in groups for card in group.cards)
        largest = max(groups, key=lambda group: len(group.tokens))
        piles = [(slot, self.may_be.keys() & {*tokens}) for slot, tokens in knowledge.tokens.items()]
        answered = {token for answer in about for token in answer.tokens}
        rest = sorted([(len(tokens), slot) for slot, tokens in piles if tokens <= largest.tokens - answered])
        left = {slot for _, slot in (rest if several else rest[-1:])}
        self.slots = tuple([slot for slot, tokens in piles if tokens and slot not in left])
        listed = {token for slot, tokens in piles if slot in self.slots for token in tokens}
        self.order = sorted(listed, key=lambda token: (len(self.may_be[token]), token))
        self.rest, self.rest_may_be = len(self.may_be) - len(listed), largest.cards
        self.most = prod(max(1, len(self.may_be[token]) - nth) for nth, token in enumerate(self.order))

    def deals(self, found: dict[int, int]) -> Iterator[dict[int, int]]:
        """Yield each assignment of cards to the listed tokens.

        Assignments that leave impossible cards for the rest are skipped.
        """
        if len(found) < len(self.order):
            token = self.order[len(found)]
            for card in sorted(self.may_be[token].difference(found.values())):
                yield from self.deals({**found, token: card})
        elif self.rest_may_be.issuperset(self.cards.difference(found.values())):
            yield found

    def key(self, deal: Mapping[int, int]) -> Hashable:
        return tuple(shown(self.lying(slot, deal), self.cards) for slot in self.slots)

    def lying(self, slot: int, deal: Mapping[int, int]) -> list[int]:
        """Return a pile's cards under a deal, with UNKNOWN for tokens of other parts."""
        cards = [deal.get(token, UNKNOWN) for token in self.knowledge.tokens[slot]]
        return [card for card in cards if card < DEPARTED]


def enumerated(part: Part) -> Enumerated:
    """Count a part's deals that agree with the disclosed answers, in bins."""
    found: Counter[Hashable] = Counter()
    for deal in part.deals({}):
        whole = {**part.knowledge.identities.cards, **deal}
        if all(answer.holds(whole, {}) for answer in part.about):
            found[part.key(whole)] += 1
    bins: dict[Hashable, int] = {key: nth % BINS for nth, key in enumerate(found)}
    shares = Counter[int]()
    for key, times in found.items():
        shares[bins[key]] += times
    return Enumerated(part.slots, part.cards, bins, {key: float(share) for key, share in shares.items()})

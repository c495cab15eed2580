"""A game as a seat knows it, gone on with: everything that it sees, and cards dealt anew as far as its knowledge allows.

See docs/decisions/051.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb
from random import Random
from typing import Any

from msgspec.structs import replace

from ludarium_engine.kernel.choices import RulesError
from ludarium_engine.kernel.knowledge import Group, Knowledge, Swap, swap_cards
from ludarium_engine.kernel.slots import Frame, S
from ludarium_engine.kernel.title import Title

MOST_DEALS = 2000                               # until one fits what was admitted
Kinds = Sequence[tuple[frozenset[int], list[int]]]          # cards that may lie in the same groups, by which these are


class NoDeal(RulesError):
    """No deal can be found, or something is hidden that is no card."""


def resample(title: Title[S, Any], s: S, knowledge: Knowledge, rng: Random) -> S:
    """Each deal that the audience's knowledge allows is as likely. Others' sealed answers are open again, as are their
    preferences, and chance begins anew. Raises Undealt."""
    seen = title.layout.view(s, knowledge.audience)
    frames = [unsealed(whole, f) for whole, f in zip(s.agenda, seen.agenda, strict=True)]
    hidden = [f.name for f in title.layout.fields if not f.holds_cards and getattr(s, f.name) != getattr(seen, f.name)]
    if hidden or any(f.picks != whole.picks for f, whole in zip(frames, s.agenda, strict=True)):
        raise NoDeal(f"{title.id}: what is hidden in {', '.join(hidden) or 'picks'} is no card")
    after = swap_cards(title, s, deal(title, knowledge, rng))
    zones = {f.name: getattr(after if f.holds_cards else seen, f.name) for f in title.layout.fields}
    return replace(seen, agenda=frames, **zones)


def unsealed(whole: Frame, seen: Frame) -> Frame:
    """Who has sealed an answer that the audience does not see owes it again."""
    again = {seat for seat, _ in whole.sealed} - {seat for seat, _ in seen.sealed}
    return replace(seen, asked=tuple(sorted({*seen.asked, *again}))) if again else seen


def deal(title: Title[Any, Any], knowledge: Knowledge, rng: Random) -> Swap:
    """By the card that lies there, the one in its place. Raises Undealt."""
    if knowledge.ambiguous:
        raise NoDeal(f"{title.id}: what was admitted is of cards that cannot be followed")
    parts = [DealCounter(groups) for groups in connected_groups(knowledge.groups)]
    for _ in range(MOST_DEALS):
        swap = {place: card for part in parts for place, card in part.dealt(rng)}
        latest_first = reversed(knowledge.admissions)
        if all(one.holds_in(title, swap_cards(title, one.state, swap), one.fact.args) for one in latest_first):
            return swap
    raise NoDeal(f"{title.id}: no deal was found that fits what was admitted")


def connected_groups(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """Groups that have cards in common, directly or by others."""
    left = [*groups]
    while left:
        part, cards = [left.pop()], set[int]()
        for group in part:
            cards |= group.cards
            part += [other for other in left if not cards.isdisjoint(other.cards)]
            left = [other for other in left if other not in part]
        yield part


class DealCounter:
    """Deals of a few groups, counted: how many cards of each kind come into which group decides how many deals there are."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = sorted(groups, key=lambda group: sorted(group.cards))
        kinds: dict[frozenset[int], list[int]] = {}
        for card in sorted({card for group in groups for card in group.cards}):
            kinds.setdefault(frozenset(n for n, group in enumerate(self.groups) if card in group.cards), []).append(card)
        self.kinds = [*kinds.items()]
        self.ways = cache(self.count)

    def count(self, nth: int, left: tuple[int, ...]) -> int:
        """Deals into the groups from this one on, with so many cards of each kind."""
        return sum(ways for _, ways in self.choices(nth, left)) if nth < len(self.groups) else 1

    def choices(self, nth: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """How many cards of each kind may come into this group, and how many deals have it so, but for the order in groups."""
        for taken in self.splits(nth, left, len(self.groups[nth].places)):
            rest = tuple([a - b for a, b in zip(left, taken, strict=True)])
            ways = self.ways(nth + 1, rest)
            for a, b in zip(left, taken, strict=True) if ways else ():
                ways *= comb(a, b)
            if ways:
                yield taken, ways

    def splits(self, nth: int, left: Sequence[int], most: int) -> Iterator[tuple[int, ...]]:
        """Ways to make up the number of the group's places."""
        if not left:
            yield from [()] if not most else []
            return
        upto = min(left[0], most) if nth in self.kinds[len(self.kinds) - len(left)][0] else 0
        for n in range(upto + 1):
            yield from ((n, *rest) for rest in self.splits(nth, left[1:], most - n))

    def dealt(self, rng: Random) -> Iterator[tuple[int, int]]:
        cards = [rng.sample(cards, len(cards)) for _, cards in self.kinds]
        for nth, group in enumerate(self.groups):
            taken = self.drawn(nth, tuple(map(len, cards)), rng)
            here = [pile.pop() for pile, n in zip(cards, taken, strict=True) for _ in range(n)]
            rng.shuffle(here)
            yield from zip(sorted(group.places), here, strict=True)

    def drawn(self, nth: int, left: tuple[int, ...], rng: Random) -> tuple[int, ...]:
        at = rng.randrange(self.ways(nth, left))
        for taken, ways in self.choices(nth, left):
            at -= ways
            if at < 0:
                return taken
        raise AssertionError("more deals than were counted")  # pragma: no cover

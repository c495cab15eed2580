"""Deals of a few piles about which something was disclosed: each block of tokens by itself, until all of them fit."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from random import Random

from ludarium_engine.branches.answers import Answer
from ludarium_engine.kernel.knowledge import DEPARTED, Group, Knowledge

LARGEST = 12                                    # tokens of a block that is dealt so
Placement = dict[int, int]


class TooLarge(Exception):
    """A block has too many tokens to be dealt by itself."""


class Block:
    """Tokens that are dealt together: cards that no other token can be first, then the others, each from those it may be.

    Each way to place the former is as likely as there are draws of the latter; a draw with a card twice, or one that a
    disclosed answer contradicts, is made again. So each deal of the block is as likely.
    """

    def __init__(
        self, may_be: Mapping[int, Collection[int]], own: Collection[int], answers: Sequence[Answer], known: Placement
    ) -> None:
        """own: cards that no token of another block can be."""
        self.tokens = sorted(may_be)
        self.answers, self.known = answers, known
        self.may_be = {token: sorted({*may_be[token]}.difference(own)) for token in self.tokens}
        holders = {card: [nth for nth, token in enumerate(self.tokens) if card in may_be[token]] for card in sorted(own)}
        self.own = sorted(holders.items(), key=lambda item: len(item[1]))
        self.ways = cache(self.count)

    def count(self, nth: int, used: int) -> int:
        """Count the draws in which the own cards from this one on go to tokens that are not used yet. used: bits."""
        if nth == len(self.own):
            return prod(len(self.may_be[token]) for i, token in enumerate(self.tokens) if not used >> i & 1)
        return sum(self.ways(nth + 1, used | 1 << i) for i in self.own[nth][1] if not used >> i & 1)

    def placed(self, rng: Random) -> Placement:
        """Place the own cards, each way as often as there are draws with it."""
        found, used = Placement(), 0
        for nth, (card, holders) in enumerate(self.own):
            at = rng.randrange(self.ways(nth, used))
            for i in holders:
                if not used >> i & 1 and (at := at - self.ways(nth + 1, used | 1 << i)) < 0:
                    found[self.tokens[i]] = card
                    used |= 1 << i
                    break
        return found

    def dealt(self, rng: Random, tries: Iterator[int]) -> Placement:
        """Draw a deal of this block. Raises StopIteration when the tries are used up."""
        while True:
            next(tries)
            placed = self.placed(rng)
            drawn = {token: rng.choice(self.may_be[token]) for token in self.tokens if token not in placed}
            if len({*drawn.values()}) == len(drawn):
                drawn |= placed
                deal = {**self.known, **drawn}
                if all(answer.holds(deal, {}) for answer in self.answers):
                    return drawn


class Blocks:
    """A part of the groups, dealt block by block. The largest group without answers gets what is left.

    Blocks are independent, and a deal is made again if two of them have a card in common. Each deal of all blocks is then as
    likely as there are deals of the rest.
    """

    def __init__(self, knowledge: Knowledge, groups: Sequence[Group], answers: Sequence[Answer]) -> None:
        """answers: about tokens of these groups alone. Raises TooLarge."""
        may_be = {token: group.cards for group in groups for token in group.tokens}
        blocks = self.joined(groups, answers)
        touched = {token for block in blocks for token in block}
        left = [group for group in [Group(group.tokens - touched, group.cards) for group in groups] if group.tokens]
        rest = max(left, key=lambda group: (len(group.tokens), -min(group.tokens)), default=Group(set(), set()))
        blocks += [{*group.tokens} for group in left if group is not rest]
        if any(len(block) > LARGEST for block in blocks):
            raise TooLarge
        self.rest, self.cards = rest, {card for group in groups for card in group.cards}
        self.blocks = [self.block(knowledge, block, may_be, answers) for block in sorted(blocks, key=min)]

    def joined(self, groups: Sequence[Group], answers: Sequence[Answer]) -> list[set[int]]:
        """Tokens that one answer is about, or one of which a departed card was, are in one block."""
        tied = [{*answer.tokens} for answer in answers]
        departed = sorted({card for group in groups for card in group.cards if card >= DEPARTED})
        tied += [{token for group in groups if card in group.cards for token in group.tokens} for card in departed]
        blocks: list[set[int]] = []
        for tokens in tied:
            joined = tokens.union(*(block for block in blocks if not block.isdisjoint(tokens)))
            blocks = [block for block in blocks if block.isdisjoint(tokens)] + [joined]
        return blocks

    def block(self, knowledge: Knowledge, tokens: set[int], may_be: Mapping[int, set[int]], answers: Sequence[Answer]) -> Block:
        elsewhere = {card for token, cards in may_be.items() if token not in tokens for card in cards}
        own = {card for token in tokens for card in may_be[token]} - elsewhere
        about = sorted([one for one in answers if one.tokens <= tokens], key=lambda one: one.admission.fits is None)
        known = {token: card for answer in about for pile in answer.admission.piles.values() for token in pile
                 if (card := knowledge.cards.get(token)) is not None}
        return Block({token: may_be[token] for token in tokens}, own, about, known)

    def dealt(self, rng: Random, tries: Iterator[int]) -> Placement:
        while True:
            found = self.several(rng, tries)
            left = sorted(self.cards.difference(found.values()))
            if self.rest.cards.issuperset(left) and len(left) == len(self.rest.tokens):
                rng.shuffle(left)
                return {**found, **dict(zip(sorted(self.rest.tokens), left, strict=True))}

    def several(self, rng: Random, tries: Iterator[int]) -> Placement:
        """Draw deals of the blocks one by one, from the first one again once a card comes twice."""
        found: Placement = {}
        taken: set[int] = set()
        while True:
            for block in self.blocks:
                drawn = block.dealt(rng, tries)
                if not taken.isdisjoint(drawn.values()):
                    break
                found |= drawn
                taken.update(drawn.values())
            else:
                return found
            found, taken = {}, set()

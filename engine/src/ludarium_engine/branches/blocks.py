"""Sample deals that agree with disclosed answers, by rejection sampling in blocks.

A token represents a hidden card, and a deal assigns a card to each token. Tokens are divided into blocks so that a rejected
draw is repeated for a few tokens only.
"""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from math import prod
from random import Random

from ludarium_engine.branches.answers import Answer
from ludarium_engine.kernel.identities import DEPARTED, Group
from ludarium_engine.kernel.knowledge import Knowledge

LARGEST = 12                                    # the most tokens of a block
Placement = dict[int, int]


class TooLarge(Exception):
    """A block has more than LARGEST tokens."""


class Block:
    """Tokens that are dealt together, with every possible deal equally likely.

    The block's own cards, which no token of another block can be, are placed first. The probability of a placement is
    proportional to the number of draws for the remaining tokens. Then each remaining token draws one of its possible cards. A
    draw with a duplicate card, or one that contradicts an answer, is rejected and repeated.
    """

    def __init__(
        self, may_be: Mapping[int, Collection[int]], own: Collection[int], answers: Sequence[Answer], known: Placement
    ) -> None:
        """Prepare a block.

        Args:
            may_be: the cards that each token can be.
            own: the cards that no token of another block can be.
            answers: the answers about these tokens.
            known: the cards of known tokens to which the answers refer.
        """
        self.tokens = sorted(may_be)
        self.answers, self.known = answers, known
        self.may_be = {token: sorted({*may_be[token]}.difference(own)) for token in self.tokens}
        holders = {card: [nth for nth, token in enumerate(self.tokens) if card in may_be[token]] for card in sorted(own)}
        self.own = sorted(holders.items(), key=lambda item: len(item[1]))
        self.ways = cache(self.count)

    def count(self, nth: int, used: int) -> int:
        """Count the draws that place the own cards from index `nth` on.

        Args:
            nth: the index of the next own card.
            used: a bit mask of the tokens that already have an own card.
        """
        if nth == len(self.own):
            return prod(len(self.may_be[token]) for i, token in enumerate(self.tokens) if not used >> i & 1)
        return sum(self.ways(nth + 1, used | 1 << i) for i in self.own[nth][1] if not used >> i & 1)

    def placed(self, rng: Random) -> Placement:
        """Place the own cards at random.

        Each placement is weighted by the number of draws for the remaining tokens.
        """
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
        """Draw a deal for this block.

        Raises:
            StopIteration: no tries are left.
        """
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
    """Connected groups of tokens that are dealt block by block.

    The largest group outside the blocks gets the remaining cards. Blocks are drawn independently. If two blocks have a card in
    common or the remaining cards do not fit, all blocks are drawn again, so that all deals are equally likely.
    """

    def __init__(self, knowledge: Knowledge, groups: Sequence[Group], answers: Sequence[Answer]) -> None:
        """Divide the groups into blocks.

        Args:
            knowledge: the knowledge of the audience.
            groups: groups that share no cards with groups outside this list.
            answers: answers about tokens of these groups only.

        Raises:
            TooLarge: a block has more than LARGEST tokens.
        """
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
        """Return sets of tokens that must be dealt together.

        Tokens are joined if the same answer depends on them, or if each could be the same departed card.
        """
        tied = [{*answer.tokens} for answer in answers]
        departed = sorted({card for group in groups for card in group.cards if card >= DEPARTED})
        tied += [{token for group in groups if card in group.cards for token in group.tokens} for card in departed]
        blocks: list[set[int]] = []
        for tokens in tied:
            joined = tokens.union(*(block for block in blocks if not block.isdisjoint(tokens)))
            blocks = [block for block in blocks if block.isdisjoint(tokens)] + [joined]
        return blocks

    def block(self, knowledge: Knowledge, tokens: set[int], may_be: Mapping[int, set[int]], answers: Sequence[Answer]) -> Block:
        """Create a block from tokens and from the answers that depend only on these tokens.

        Answers that are cheap to check come first.
        """
        elsewhere = {card for token, cards in may_be.items() if token not in tokens for card in cards}
        own = {card for token in tokens for card in may_be[token]} - elsewhere
        about = sorted([one for one in answers if one.tokens <= tokens], key=lambda one: one.admission.fits is None)
        known = {token: card for answer in about for pile in answer.admission.piles.values() for token in pile
                 if (card := knowledge.identities.cards.get(token)) is not None}
        return Block({token: may_be[token] for token in tokens}, own, about, known)

    def dealt(self, rng: Random, tries: Iterator[int]) -> Placement:
        """Draw a deal for all groups.

        Raises:
            StopIteration: no tries are left.
        """
        while True:
            found = self.several(rng, tries)
            left = sorted(self.cards.difference(found.values()))
            if self.rest.cards.issuperset(left) and len(left) == len(self.rest.tokens):
                rng.shuffle(left)
                return {**found, **dict(zip(sorted(self.rest.tokens), left, strict=True))}

    def several(self, rng: Random, tries: Iterator[int]) -> Placement:
        """Draw all blocks, starting again if two have a card in common."""
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

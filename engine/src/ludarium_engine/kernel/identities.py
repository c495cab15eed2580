"""Track which card each token is, as far as one audience can know.

A token stands for one card. Tokens that the audience cannot tell apart form a group, together with the cards that they can
be.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count, permutations
from typing import NamedTuple

DEPARTED = 1 << 32
"""The lowest id of departed cards.

A card departs if the audience saw it leave a pile but cannot tell which of the pile's tokens it was.
"""


class Group(NamedTuple):
    """Tokens that cannot be told apart, and the cards that they can be.

    There are at least as many cards as tokens.
    """

    tokens: set[int]
    cards: set[int]


class Identities:
    """The cards of all tokens, as far as one audience can know them.

    Attributes:
        fresh: an endless iterator of unused token ids.
        cards: the card of each token that is known.
        token_of: the token of each card that is known.
        groups: the groups of all other tokens.
        signs: by token, what tells it apart from other tokens; see `sign`.
    """

    def __init__(self) -> None:
        self.fresh = count()
        self.cards: dict[int, int] = {}
        self.token_of: dict[int, int] = {}
        self.groups: list[Group] = []
        self.signs: dict[int, tuple[tuple[int, int], ...]] = {}

    def token(self, card: int) -> int:
        """Create a token for a known card."""
        token = next(self.fresh)
        self.cards[token], self.token_of[card] = card, token
        return token

    def sign(self, token: int, what: tuple[int, int]) -> None:
        """Record an event that tells a token apart from others.

        Args:
            token: the token.
            what: (number of a disclosed answer, slot of the token's pile), (UNKNOWN, id of a departed card) or (UNKNOWN,
                number of mixes
            so far).
        """
        self.signs[token] = (*self.signs.get(token, ()), what)

    def alike(self, tokens: Sequence[int]) -> bool:
        """Return whether the audience cannot tell these tokens apart.

        This is so if they are in one group and have the same signs, or if there is only one token.
        """
        group = self.group_of(tokens[0])
        return len(tokens) == 1 or (
            group is not None and group.tokens.issuperset(tokens) and len({self.signs.get(token) for token in tokens}) == 1
        )

    def group_of(self, token: int) -> Group | None:
        return next((group for group in self.groups if token in group.tokens), None)

    def may_be(self, token: int) -> frozenset[int]:
        """Return the cards that a token can be."""
        group = self.group_of(token)
        return frozenset(group.cards if group else [self.cards[token]])

    def tokens_of(self, card: int) -> set[int]:
        """Return the tokens that can be a card."""
        if card in self.token_of:
            return {self.token_of[card]}
        return {token for group in self.groups if card in group.cards for token in group.tokens}

    def rename(self, card: int, departed: int) -> None:
        """Replace a card in all groups by its id as a departed card."""
        for group in self.groups:
            if card in group.cards:
                group.cards.remove(card)
                group.cards.add(departed)

    def merge(self, old: Collection[int], new: Collection[int]) -> None:
        """Replace tokens by a group of new ones that stand for the same cards."""
        cards = {self.cards[token] for token in old if token in self.cards}
        for group in self.groups:
            if not group.tokens.isdisjoint(old):
                cards |= group.cards
                group.tokens.difference_update(old)
        for token in old:
            self.forget(token)
        self.groups.append(Group({*new}, cards))
        self.deduce()

    def forget(self, token: int) -> None:
        if token in self.cards:
            self.token_of.pop(self.cards.pop(token), None)

    # --- conclusions ---------------------------------------------------------------------------------------------------
    def identify(self, token: int, card: int) -> None:
        """Conclude that a token is this card."""
        self.confine(card, [token])

    def confine(self, card: int, tokens: Collection[int]) -> None:
        """Conclude that one of these tokens is a card, so no other token can be it."""
        if card in self.token_of:
            return
        for group in [*self.groups]:
            if card in group.cards and not group.tokens <= {*tokens}:
                self.split(group, tokens)
                group.cards.discard(card)
        if len(tokens) == 1:
            self.know(next(iter(tokens)), card)
        self.deduce()

    def exclude(self, tokens: Collection[int], cards: Collection[int]) -> None:
        """Conclude that none of these tokens is any of these cards."""
        for group in [*self.groups]:
            if not group.tokens.isdisjoint(tokens) and not group.cards.isdisjoint(cards):
                part = group if group.tokens <= {*tokens} else self.split(group, tokens)
                part.cards.difference_update(cards)
        self.deduce()

    def split(self, group: Group, tokens: Collection[int]) -> Group:
        """Move some tokens of a group to a new group with the same cards.

        The old group may become empty.

        Returns:
            The new group.
        """
        part = Group(group.tokens.intersection(tokens), {*group.cards})
        group.tokens.difference_update(tokens)
        self.groups.append(part)
        return part

    def know(self, token: int, card: int) -> None:
        """Record the card of a token, and remove both from all groups."""
        self.cards[token] = card
        if card < DEPARTED:
            self.token_of[card] = token
        for group in self.groups:
            group.tokens.discard(token)
            group.cards.discard(card)

    def deduce(self) -> None:
        """Deduce what follows from the sizes of the groups.

        If a group has as many tokens as cards, these cards are in no other group. If a group has only one card, its token is
        that card.
        """
        self.groups = [group for group in self.groups if group.tokens]
        for full, other in permutations(self.groups, 2):
            if len(full.tokens) == len(full.cards) and not full.cards.isdisjoint(other.cards):
                other.cards.difference_update(full.cards)
                return self.deduce()
        single = next((group for group in self.groups if len(group.cards) == 1), None)
        if single:
            self.know(min(single.tokens), min(single.cards))
            self.deduce()

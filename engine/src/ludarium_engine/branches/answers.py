"""Check whether a deal agrees with answers that were disclosed earlier in the game.

A deal assigns a card to each token. Tokens represent cards whose identity is hidden.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import Became
from ludarium_engine.kernel.identities import DEPARTED
from ludarium_engine.kernel.knowledge import Admission, Knowledge
from ludarium_engine.kernel.slots import read_slot, write_slot

Deal = Mapping[int, int]                        # token -> its card, or a departed card


class Answer:
    """A disclosed answer, prepared for checks against many deals.

    Attributes:
        tokens: the tokens with unknown cards in the piles on which the answer depends.
        versions: the versions of unknown numbers on which the answer depends.
    """

    def __init__(self, knowledge: Knowledge, admission: Admission) -> None:
        """Prepare one of the answers that belong to the knowledge."""
        self.knowledge, self.admission, self.fact = knowledge, admission, admission.fact
        self.predicate = knowledge.title.predicates[self.fact.what]
        known, piles = knowledge.identities.cards, admission.piles
        self.tokens = frozenset(token for pile in piles.values() for token in pile if token not in known)
        self.versions = {version for version in admission.versions.values() if version not in knowledge.numbers.values}
        self.position = clone(admission.seen)

    @property
    def is_certain(self) -> bool:
        """Whether the known cards alone imply that some card satisfies the predicate."""
        return self.admission.fits is not None and self.some_fit(self.knowledge.identities.cards)

    def holds(self, deal: Deal, numbers: Mapping[int, Any]) -> bool:
        """Return whether the predicate would have had the disclosed answer under a deal.

        Args:
            deal: a card for at least each token in `tokens`.
            numbers: the values of unknown numbers, keyed by version.
        """
        if self.admission.fits is not None:
            return self.some_fit(deal)
        for slot, pile in self.admission.piles.items():
            read_slot(self.position, slot)[:] = self.lying(pile, deal)
        for slot, version in self.admission.versions.items():
            known = self.knowledge.numbers.values
            write_slot(Became(slot, known[version] if version in known else numbers[version]), self.position)
        return self.predicate.answer(self.position, self.fact.args) == self.fact.answer

    def some_fit(self, deal: Deal) -> bool:
        """Return whether a card that was in the piles satisfies the predicate.

        The cards are those at the time of the answer, under a deal.
        """
        fits, gone, faces = self.admission.fits or (), self.admission.gone, self.knowledge.faces
        cards = [deal[token] for pile in self.admission.piles.values() for token in pile if token in deal]
        return any(faces.get(card, card) in fits and card not in gone for card in cards)

    def lying(self, pile: Collection[int], deal: Deal) -> list[int]:
        """Return the cards in a pile at the time of the answer, under a deal."""
        gone, faces = self.admission.gone, self.knowledge.faces
        cards = [deal[token] for token in pile]
        return [card if card < DEPARTED else faces[card] for card in cards if card not in gone]

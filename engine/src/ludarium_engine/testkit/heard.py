"""Check later states against the disclosed answers that an audience was sent.

This check is independent of `kernel/knowledge.py` and weaker. An answer is dropped as soon as an unnamed card leaves a pile on
which the answer depends.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ludarium_engine.kernel import Event, State, Title, clone
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.facts import Admitted, AnyFact, Became, Counted, Moved, Rolled, Shuffled
from ludarium_engine.kernel.slots import UNKNOWN, entry_index, field_number, read_slot


@dataclass
class Followed:
    """An answer, and the cards that have left the piles since, as (slot, card)."""

    fact: Admitted
    left: list[tuple[int, int]] = field(default_factory=list)


class Heard:
    """The answers that an audience can still follow."""

    def __init__(self, title: Title[Any, Any]) -> None:
        self.title, self.followed = title, list[Followed]()

    def apply(self, event: Event) -> None:
        """Apply an event that was redacted for the audience."""
        for fact in event.facts:
            if isinstance(fact, Admitted):
                self.followed.append(Followed(fact))
            else:
                self.followed = [one for one in self.followed if self.follows(one, fact)]

    def follows(self, one: Followed, fact: AnyFact) -> bool:
        """Update an answer by a fact and return whether it can still be checked.

        It can be checked as long as all cards that the predicate has read can be located.
        """
        match fact:
            case Moved(cards, src, dst):
                if self.reads(one, src):
                    one.left += [(src, card) for card in cards]
                return not self.reads(one, dst) and not (self.reads(one, src) and UNKNOWN in cards)
            case Shuffled(slot):
                return not self.reads(one, slot) or self.title.predicates[one.fact.what].zone is not None
            case Became(slot) | Rolled(slot) | Counted(slot):
                return not self.reads(one, slot)
        return True

    def reads(self, one: Followed, slot: int) -> bool:
        """Return whether the predicate may read a slot."""
        predicate, fact = self.title.predicates[one.fact.what], one.fact
        if predicate.zone is None:
            return True
        seats = [arg for kind, arg in zip(predicate.args, fact.args, strict=True) if kind == SEAT]
        return self.title.layout.fields[field_number(slot)].name == predicate.zone and entry_index(slot) in seats

    def contradicted(self, s: State) -> list[Admitted]:
        """Return the answers that would have been different if this were the true state.

        Args:
            s: a possible state after the last event.
        """
        return [one.fact for one in self.followed if self.answer(one, s) != one.fact.answer]

    def answer(self, one: Followed, s: State) -> int:
        """Evaluate the predicate on the state with the departed cards put back."""
        then = clone(s)
        for slot, card in one.left:
            read_slot(then, slot).append(card)
        return self.title.predicates[one.fact.what].answer(then, one.fact.args)

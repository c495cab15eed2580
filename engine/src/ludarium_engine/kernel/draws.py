"""Verify random draws from the seed and the facts alone, without running rules."""
from __future__ import annotations

from ludarium_engine.kernel.chance import Chance
from ludarium_engine.kernel.facts import AnyFact, Rolled, Shuffled
from ludarium_engine.kernel.slots import State, read_slot, slot_name


def is_draw(fact: AnyFact) -> bool:
    return isinstance(fact, Rolled | Shuffled)


def matches_seed(s: State, fact: AnyFact, chance: Chance) -> bool:
    """Return whether the seed yields the result that a fact records.

    The result is True for facts without chance.

    Args:
        s: the state before the fact.
        fact: the fact.
        chance: the random numbers of the seed.
    """
    match fact:
        case Shuffled(slot, order):
            name = slot_name(s, slot)
            return chance.shuffled(read_slot(s, slot), name, s.drawn.get(name, 0)) == order
        case Rolled(slot, tuple(values), among):
            name = slot_name(s, slot)
            drawn = chance.several_below(len(values), len(among), name, s.drawn.get(name, 0))
            return tuple([among[i] for i in drawn]) == values
        case Rolled(slot, value, among):
            name = slot_name(s, slot)
            return among[chance.below(len(among), name, s.drawn.get(name, 0))] == value
        case _:
            return True

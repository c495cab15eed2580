"""Mistakes in a first title that mypy finds, one on each line, with its message."""
from __future__ import annotations

from tests.engine.kernel.tiny import T, at


def rule(t: T) -> None:
    t.disclose("paid", 1, 2)                        # E: Missing named argument "to"
    t.reveal(3, at.hand[0])                     # E: Missing named argument "to"
    t.set(at.coins, 5)                          # E: No overload variant
    t.set(at.done[0], [True])                   # E: No overload variant
    t.set(at.done, [True])                      # E: incompatible type
    t.set(at.coins[0], [1, 2])                  # E: No overload variant
    t.set(at.grid, [[1], [2]])                  # E: incompatible type
    t.set(at.die, "six")                        # E: No overload variant
    t.add(at.deck, 1)                           # E: Argument 1 to "add"
    t.move(3, at.hand, at.deck)                 # E: Argument 2 to "move"
    t.move(3, at.deck, at.die)                  # E: Argument 3 to "move"
    t.shuffle(at.die)                           # E: Argument 1 to "shuffle"
    t.set(at.purs, 1)                           # E: "Tiny" has no attribute

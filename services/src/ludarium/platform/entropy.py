"""The source of randomness for deals, bots, ids, draws and jitter.

The composition root passes an `Entropy` to all parts that draw random values. Each draw has a name, which consists of a
purpose and of the table, player or request concerned. In production, the name is ignored. Tests pass a seeded `Entropy`,
which derives each draw from its name, so that a test plays the same game in each run. Tokens, codes, salts, keys and
challenges are never drawn here; they come from `secrets`, in tests too.

See docs/decisions/084.
"""

import os
from random import Random, SystemRandom
from typing import Protocol
from uuid import UUID

Part = str | bytes | int | UUID
"""A part of a draw's name. The first part is the purpose."""


class Entropy(Protocol):
    def draw(self, count: int, *name: Part) -> bytes:
        """Return `count` random bytes."""

    def random(self, *name: Part) -> Random:
        """Return a generator for one purpose, such as all draws for one bot move."""


class SystemEntropy:
    """Entropy from the operating system."""

    def draw(self, count: int, *name: Part) -> bytes:
        return os.urandom(count)

    def random(self, *name: Part) -> Random:
        return SystemRandom()

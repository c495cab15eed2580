"""The source of randomness for deals, bots, ids, draws and jitter.

An `Entropy` is passed in from the composition root. Each draw has a name: its purpose, and the table, player or request
that it is for. The system's randomness ignores the name. Tests pass a seeded `Entropy`, which derives each draw from
its name, so that a test plays the same game in each run. Tokens, codes, salts, keys and challenges never come from
here: they use `secrets`, in tests too.

See docs/decisions/084.
"""

import os
from random import Random, SystemRandom
from typing import Protocol
from uuid import UUID

Part = str | bytes | int | UUID
"""Part of a name. The first part is the purpose."""


class Entropy(Protocol):
    def draw(self, count: int, *name: Part) -> bytes:
        """Return `count` bytes."""

    def random(self, *name: Part) -> Random:
        """Return a generator for one use, such as all draws of a bot's answer."""


class SystemEntropy:
    """The operating system's randomness."""

    def draw(self, count: int, *name: Part) -> bytes:
        return os.urandom(count)

    def random(self, *name: Part) -> Random:
        return SystemRandom()

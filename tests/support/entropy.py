"""Seeded randomness for tests: the same in each run.

Each draw is derived from the seed, the start number of the process, the name of the draw, and how often that name was
drawn. So the order of tasks and tests has no effect. A second worker or a restart has another start number, and repeats
no draw.
"""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from random import Random
from uuid import UUID

from ludarium.platform import ids
from ludarium.platform.entropy import Part

DRAWN = (1 << 62) - 1
"""The random bits of an id; the others hold its time and its partition."""


class SeededEntropy:
    """Seeded `Entropy` for deals, bots, ids, lots and jitter of one process."""

    def __init__(self, seed: str, start: str = "") -> None:
        self.seed, self.start, self._whole = seed, start, seed
        self._counts = Counter[bytes]()

    def draw(self, count: int, *name: Part) -> bytes:
        return self.random(*name).randbytes(count)

    def random(self, *name: Part) -> Random:
        named = encoded(self.seed, self.start, *name)
        nth = self._counts[named]
        self._counts[named] += 1
        return Random(blake2b(named + nth.to_bytes(8), digest_size=32).digest())

    @contextmanager
    def scope(self, name: str) -> Iterator[None]:
        """Draw for this part of the run as if each name was drawn for the first time."""
        before = self.seed, self._counts
        self.seed, self._counts = f"{self._whole} {name}", Counter()
        try:
            yield
        finally:
            self.seed, self._counts = before


def encoded(*parts: Part) -> bytes:
    """Join the parts so that different names are different bytes."""
    told = [bytes_of(part) for part in parts]
    return b"".join(len(each).to_bytes(4) + each for each in told)


def bytes_of(part: Part) -> bytes:
    """The bytes of a part; of an id without its time and partition.

    The partition is left out because it hashes other ids.
    """
    match part:
        case UUID():
            return (part.int & DRAWN).to_bytes(8)
        case int():
            return part.to_bytes(16, signed=True)
        case str():
            return bytes_of(ids.decode(part)) if ids.is_id(part) else part.encode()
    return part


SEED, START = "TESTS_SEED", "TESTS_START"
"""Environment variables of a process that a test starts."""
ENTROPY = SeededEntropy(os.environ.get(SEED, "tests"), os.environ.get(START, ""))
"""The source of this process. tests/conftest.py sets its scope to the running test."""


def uuid4() -> UUID:
    """Return the next UUID of version 4.

    For ids of streams that carry no meaning, and for idempotency keys.
    """
    return UUID(bytes=ENTROPY.draw(16, "uuid"), version=4)


def suffix() -> str:
    """Return eight hexadecimal digits that make a name unique in a shared database."""
    return ENTROPY.draw(4, "suffix").hex()


def seed_variables() -> dict[str, str]:
    """Return the variables for the next process that the current test starts.

    They are the same seed and another start number.
    """
    return {SEED: ENTROPY.seed, START: ENTROPY.draw(8, "process").hex()}

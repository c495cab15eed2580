"""Chance that is the same in each run: the seeded `Entropy` of the tests.

Each draw is derived from the seed, the start number of the process, the draw's name, and how often that name was drawn. So the
order of tasks and of tests changes no draw, and a second worker or a restart, which has another start number, repeats none.
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
"""The bits of an id that are drawn: the others say when it was made, and for whom."""


class SeededEntropy:
    """Deals, bots, ids, lots and jitter of one process."""

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
        """Draw for this part of the run while the context lasts, as if each name was drawn for the first time."""
        before = self.seed, self._counts
        self.seed, self._counts = f"{self._whole} {name}", Counter()
        try:
            yield
        finally:
            self.seed, self._counts = before


def encoded(*parts: Part) -> bytes:
    """Join the parts so that no two names are the same bytes."""
    told = [bytes_of(part) for part in parts]
    return b"".join(len(each).to_bytes(4) + each for each in told)


def bytes_of(part: Part) -> bytes:
    """An id counts without the time at which it was made, and without its partition, which hashes other ids."""
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
"""Of this process. tests/conftest.py sets its scope to the test that runs."""


def uuid4() -> UUID:
    """Return the next UUID of version 4: ids of streams that mean nothing, and idempotency keys."""
    return UUID(bytes=ENTROPY.draw(16, "uuid"), version=4)


def suffix() -> str:
    """Return eight hexadecimal digits, which make a name new in a database that tests share."""
    return ENTROPY.draw(4, "suffix").hex()


def seed_variables() -> dict[str, str]:
    """Return the variables for the next process that the current test starts: the same seed and another start number."""
    return {SEED: ENTROPY.seed, START: ENTROPY.draw(8, "process").hex()}

"""Seeded randomness for tests, which gives the same values in every run.

Each draw is derived from the seed, the process's start number, the name of the draw, and how often that name has been drawn
before. The order of tasks and tests therefore has no effect. A second worker or a restarted process gets another start
number, so it does not repeat any draw.
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
    """The seeded `Entropy` of one process, for deals, bots, ids, lots and jitter."""

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
        """Restart all draws under this name, until the context ends."""
        before = self.seed, self._counts
        self.seed, self._counts = f"{self._whole} {name}", Counter()
        try:
            yield
        finally:
            self.seed, self._counts = before


def encoded(*parts: Part) -> bytes:
    """Join the parts of a name unambiguously.

    Different names therefore give different bytes.
    """
    told = [bytes_of(part) for part in parts]
    return b"".join(len(each).to_bytes(4) + each for each in told)


def bytes_of(part: Part) -> bytes:
    """Return the bytes of a part of a name.

    Of an id, only the random bits are used, without its time and its partition, which is a hash of other ids.
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
    """Return the next seeded UUID of version 4.

    It is meant for stream ids that carry no meaning, and for idempotency keys.
    """
    return UUID(bytes=ENTROPY.draw(16, "uuid"), version=4)


def suffix() -> str:
    """Return eight hexadecimal digits that make a name unique in a shared database."""
    return ENTROPY.draw(4, "suffix").hex()


def seed_variables() -> dict[str, str]:
    """Return the environment variables that seed the next process of the current test.

    They contain the seed of this process and a new start number.
    """
    return {SEED: ENTROPY.seed, START: ENTROPY.draw(8, "process").hex()}

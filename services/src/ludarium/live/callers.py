"""Limit each address's connections, counting WebSockets and HTTP streams together."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from cachetools import LRUCache

from ludarium.live.limits import Allowance, LiveLimits
from ludarium.platform.problems import Problem

RETRY = 10
"""Seconds after which a refused client may try again."""
REMEMBERED = 100_000
"""Maximum number of addresses whose allowance is remembered; the least recently seen ones are dropped."""


class Callers:
    def __init__(self, limits: LiveLimits) -> None:
        self._limits, self._allowances = limits, LRUCache[str, Allowance](REMEMBERED)
        self._most, self._per_address = limits.connections, limits.per_address
        self._counts: Counter[str] = Counter()

    def admit(self, address: str) -> None:
        """Raise Problem `too-many-connections` if there is no room for another connection."""
        if self._counts[address] >= self._per_address or self._counts.total() >= self._most:
            raise Problem("too-many-connections", retry_after=RETRY)

    @property
    def total(self) -> int:
        """Number of sockets and streams."""
        return self._counts.total()

    def allowance(self, address: str) -> Allowance:
        """Return an address's allowance, which remains when all its connections end."""
        if (found := self._allowances.get(address)) is None:
            found = self._allowances[address] = Allowance(self._limits)
        return found

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        self._counts[address] += 1
        try:
            yield
        finally:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

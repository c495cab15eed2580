"""How long to wait before asking again."""

import random

SHORTEST, LONGEST = 0.1, 10.0
"""Seconds: the bound of the first delay, which doubles with each attempt, and where it ends."""


class Patience:
    """Delays with full jitter: clients that were cut off together do not come back together."""

    def __init__(self, seconds: float) -> None:
        """`seconds`: how long all delays together may be before one gives up."""
        self._most = seconds
        self.renew()

    def renew(self) -> None:
        """Begins anew, because something went well."""
        self._bound, self._waited = SHORTEST, 0.0

    def delay(self, least: float = 0.0) -> float | None:
        """Seconds to wait before the next attempt, `least` or more; None when it is time to give up."""
        if self._waited > self._most:
            return None
        delay = least + random.uniform(0, self._bound)
        self._bound = min(2 * self._bound, LONGEST)
        self._waited += delay
        return delay

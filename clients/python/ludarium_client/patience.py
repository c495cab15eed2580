"""The delays between attempts."""

import random

SHORTEST, LONGEST = 0.1, 10.0
"""The bounds of the first and of the longest delay, in seconds.

The bound doubles with each attempt.
"""


class Patience:
    """Delays with full jitter, so that many clients do not reconnect at once."""

    def __init__(self, seconds: float) -> None:
        """Allow delays of this many seconds in total."""
        self._most = seconds
        self.renew()

    def renew(self) -> None:
        """Start again after a success."""
        self._bound, self._waited = SHORTEST, 0.0

    def delay(self, least: float = 0.0) -> float | None:
        """Return how many seconds to wait before the next attempt, or None to give up.

        Args:
            least: the shortest delay, in seconds.
        """
        if self._waited > self._most:
            return None
        delay = least + random.uniform(0, self._bound)
        self._bound = min(2 * self._bound, LONGEST)
        self._waited += delay
        return delay

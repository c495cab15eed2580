"""Limits for the clients of the gateway."""

import time

import msgspec


class LiveLimits(msgspec.Struct, frozen=True, kw_only=True):
    connections: int = 10_000
    """Maximum number of connections to one process."""
    per_address: int = 256
    """Maximum number of connections to one process from one address, including HTTP streams; enough for a club that shares
    a router."""
    subscriptions: int = 64
    """Maximum number of subscriptions of one connection."""
    message: int = 16 * 1024
    """Maximum bytes of a client's message, in all its frames."""
    fragments: int = 64
    """Maximum number of frames of one message."""
    messages: tuple[float, int] = (20.0, 60)
    """Messages per second, and burst. Further messages are refused as `rate-limited`."""
    address_messages: tuple[float, int] = (300.0, 1200)
    """Messages per second, and burst, for all connections of one address together."""
    work: tuple[float, float] = (0.2, 5.0)
    """CPU seconds per second, and burst, for all requests of one address except commands. While the address is in debt, its
    requests are refused."""
    frames: tuple[float, int] = (100.0, 400)
    """Frames per second, and burst, including control frames. Further frames close the connection."""
    buffer: int = 256 * 1024
    """Maximum bytes that wait for a client. If more are waiting, the client is disconnected as lagging."""
    hello: float = 5.0
    """Seconds for the handshake, and again until the first message."""
    heartbeat: float = 20.0
    """Seconds between two pings, and maximum seconds until the pong."""
    closing: float = 5.0
    """Seconds for a client to respond to a close frame."""
    grace: float = 10.0
    """Seconds that running requests have to finish when the gateway drains."""
    spread: float = 5.0
    """Seconds over which the clients of a draining gateway are asked to reconnect."""


UNLIMITED = LiveLimits(
    messages=(1e6, 1_000_000), address_messages=(1e6, 1_000_000), work=(1e6, 1e6), frames=(1e6, 1_000_000), per_address=10_000
)
"""Limits without rates, for tests and benchmarks; sizes and times are the usual ones."""


class TokenBucket:
    """A token bucket that gains `rate` tokens a second and holds at most `burst`.

    The bucket can also be in debt, by at most `burst` tokens.
    """

    __slots__ = ("_burst", "_rate", "_then", "_tokens")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._then = float(burst), time.monotonic()

    def take(self) -> bool:
        """Take a token, and return whether there was one."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def charge(self, tokens: float) -> None:
        """Take tokens for completed work, if necessary as debt."""
        self._refill()
        self._tokens = max(-self._burst, self._tokens - tokens)

    def debt(self) -> float:
        """Return the seconds until the bucket is out of debt."""
        self._refill()
        return max(0.0, -self._tokens / self._rate)

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now


class Allowance:
    """The limits that all connections of one address to this process share."""

    def __init__(self, limits: LiveLimits) -> None:
        self.messages, self.work = TokenBucket(*limits.address_messages), TokenBucket(*limits.work)

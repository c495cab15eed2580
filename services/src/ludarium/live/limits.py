"""Limits for one client of the gateway."""

import time

import msgspec


class LiveLimits(msgspec.Struct, frozen=True, kw_only=True):
    connections: int = 10_000
    """In one process."""
    per_address: int = 256
    """In one process from one address, HTTP streams included. Enough for a club with a shared router."""
    subscriptions: int = 64
    """In one connection."""
    message: int = 16 * 1024
    """Bytes of a client's message, in any number of frames."""
    fragments: int = 64
    """Frames of one message."""
    messages: tuple[float, int] = (20.0, 60)
    """Rate for a second, and burst; more are answered `rate-limited`."""
    address_messages: tuple[float, int] = (300.0, 1200)
    """As `messages`, for all connections of one address."""
    work: tuple[float, float] = (0.2, 5.0)
    """Seconds of CPU time for an address's requests other than commands: for a second, and burst. In debt, requests are
    refused."""
    frames: tuple[float, int] = (100.0, 400)
    """Rate for a second, and burst, including control frames; more close the connection."""
    buffer: int = 256 * 1024
    """Bytes that may wait for a client; with more, it lags and is disconnected."""
    hello: float = 5.0
    """Seconds for the handshake, and again for the first message."""
    heartbeat: float = 20.0
    """Seconds between two pings, and for the answer to a ping."""
    closing: float = 5.0
    """Seconds for a client to answer a close."""
    grace: float = 10.0
    """Seconds for running requests when the gateway drains."""
    spread: float = 5.0
    """Seconds over which the clients of a draining gateway are asked to reconnect."""


UNLIMITED = LiveLimits(
    messages=(1e6, 1_000_000), address_messages=(1e6, 1_000_000), work=(1e6, 1e6), frames=(1e6, 1_000_000), per_address=10_000
)
"""Without rates, for tests and benchmarks; sizes and times are unchanged."""


class TokenBucket:
    """A token bucket: `rate` tokens a second, at most `burst` of them.

    Debt is limited to `burst`.
    """

    __slots__ = ("_burst", "_rate", "_then", "_tokens")

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._tokens, self._then = float(burst), time.monotonic()

    def take(self) -> bool:
        """Take a token if there is one."""
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
    """What all connections of one address to this process may use together."""

    def __init__(self, limits: LiveLimits) -> None:
        self.messages, self.work = TokenBucket(*limits.address_messages), TokenBucket(*limits.work)

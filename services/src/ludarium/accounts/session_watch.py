"""Watches the tokens of open connections, and closes connections whose token ends.

The database is polled once a second, so that no end of a token is missed while Valkey is down. A nudge triggers a poll
at once.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Self

from ludarium.accounts.access import Access
from ludarium.accounts.tokens import Tokens
from ludarium.platform.background import ended, endless, started
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
INTERVAL = 1.0
"""Seconds between two polls."""
SETTLE_TIME = 0.05
"""Seconds to wait after a nudge, so that several nudges cause one poll."""
OnEnd = Callable[[], None]


class SessionWatch:
    """A watcher of tokens, which also looks up their access for a gateway."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self._open: dict[bytes, set[OnEnd]] = {}
        self._nudged = asyncio.Event()
        tokens.on_revoked.append(self.nudge)

    async def __aenter__(self) -> Self:
        self._task = started(endless(self._run))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(self._task)

    async def access(self, token: str) -> Access:
        """Return the access of a token. Raises Problem `invalid-token`."""
        return await self._tokens.access(token)

    @contextmanager
    def watched(self, access: Access, on_end: OnEnd) -> Iterator[None]:
        """Call `on_end` if the token ends within the context."""
        self._open.setdefault(access.token, set()).add(on_end)
        try:
            yield
        finally:
            self._open[access.token].discard(on_end)
            if not self._open[access.token]:
                del self._open[access.token]

    def nudge(self) -> None:
        """Poll now, because some token has ended."""
        self._nudged.set()

    async def _run(self) -> None:
        while True:
            try:
                await self._check()
            except Problem as problem:
                log.debug("which tokens have ended cannot be read: %s", problem)
            await self._pause()

    async def _check(self) -> None:
        ended_tokens = await self._tokens.over(self._open.keys())
        self._tokens.forget(ended_tokens)
        for token in ended_tokens:
            for on_end in [*self._open.get(token, ())]:
                on_end()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(INTERVAL):
                await self._nudged.wait()
                await asyncio.sleep(SETTLE_TIME)
        self._nudged.clear()

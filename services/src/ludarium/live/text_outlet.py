"""Add texts to the events of one subscription, in the language of its connection.

Events arrive encoded, as all members of their feed are sent them. Each event with texts is computed once for all who are
sent the same event in the same language.

See docs/decisions/135.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from ludarium.live.encoded import EncodedEvent, Outlet, text_frame, type_of
from ludarium.live.ports import Audience, Texts, TextSource, feed_name
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
WORDLESS = frozenset({b"presence", b"chat", b"rematch"})
"""Names of messages without texts."""
RESEATS = frozenset({b"seated", b"left", b"replaced", b"taken_over", b"reset"})
"""Types of events after which other players may sit in the seats."""


class TextOutlet:
    """An Outlet that adds texts before it writes events to another Outlet.

    After an event that changes who sits where, events wait until the new names are known.
    """

    def __init__(self, outlet: Outlet, sub: str, texts: Texts, load: Callable[[], Awaitable[Texts]]) -> None:
        """Configure an outlet.

        Args:
            sub: the name of the subscription.
            texts: the texts to begin with.
            load: returns the texts with the current names.
        """
        self._outlet, self._texts, self._load = outlet, texts, load
        self._opening = b'{"sub":%b,' % msgspec.json.encode(sub)
        self._waiting: list[EncodedEvent] = []
        self._outdated = False
        self._loading: asyncio.Task[None] | None = None

    def send(self, *news: EncodedEvent) -> None:
        self._waiting += news
        self._outdated |= any(type_of(told.event) in RESEATS for told in news)
        if self._loading is None and self._outdated:
            self._loading = asyncio.create_task(self._reload())
        elif self._loading is None:
            self._flush()

    async def drained(self) -> None:
        while self._loading is not None:
            await asyncio.wait([self._loading])             # which is not cancelled with the caller
        await self._outlet.drained()

    def fail(self) -> None:
        self._outlet.fail()

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._outlet.send(*map(self._worded, waiting))

    def close(self) -> None:
        """Write the waiting events with the names that are known."""
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None
        self._flush()

    async def _reload(self) -> None:
        while self._outdated:
            self._outdated = False
            try:
                self._texts = await self._load()
            except Problem as problem:
                log.info("names cannot be loaded: %s", problem.code)
            except Exception:
                log.exception("names cannot be loaded")
                self._outlet.fail()
        self._loading = None
        self._flush()

    def _worded(self, told: EncodedEvent) -> EncodedEvent:
        if told.name in WORDLESS:
            return told
        event = self._texts.event(told.event)
        return told._replace(event=event, frame=text_frame(self._opening + event[1:]))


async def with_texts(outlet: Outlet, source: TextSource, table: str, audience: Audience, locale: str | None) -> Outlet:
    """Return an outlet for a subscription that adds texts, or the same outlet if no locale is given.

    Raises:
        Problem: as for `TextSource.of`.
    """
    if locale is None:
        return outlet
    load = partial(source.of, table, audience, locale)
    return TextOutlet(outlet, feed_name(table, audience), await load(), load)


def close(outlet: Outlet) -> None:
    """Write what waits for names at the end of a subscription."""
    if isinstance(outlet, TextOutlet):
        outlet.close()

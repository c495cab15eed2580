"""Serve live updates as HTTP streams, which replace one subscription each."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Self

from ludarium.accounts.access import Access, chat_reader, viewer_of
from ludarium.live import text_outlet
from ludarium.live.callers import Callers
from ludarium.live.encoded import Outlet
from ludarium.live.feeds import Feeds
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.live.lobby import LobbyFilter
from ludarium.live.messages import Ended, GoingAway, TokenEnded
from ludarium.live.ports import Audience, LastKnown, Ports, Viewpoint
from ludarium.live.stream_outlet import Format, StreamOutlet
from ludarium.live.subscription import Subscription
from ludarium.live.text_outlet import with_texts


class Streams:
    """The HTTP streams of one process.

    When `async with` ends, all streams end, and new ones end at once.
    """

    def __init__(
        self, hub: Hub, ports: Ports, feeds: Feeds, callers: Callers, limits: LiveLimits | None = None
    ) -> None:
        self._hub, self._log, self._players, self._entropy = hub, ports.log, ports.players, ports.entropy
        self._texts = ports.texts
        self._personal, self._lobby, self._tournaments = feeds
        self._callers, self._limits = callers, limits or LiveLimits()
        self._open: set[StreamOutlet] = set()
        self._draining = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._draining = True
        for lines in self._open:
            self._send_away(lines)

    async def table(
        self, visitor: Access | None, table: str, as_: Audience | None, known: LastKnown, address: str, format: Format,
        locale: str | None = None,
    ) -> AsyncIterator[bytes]:  # fmt: skip
        """Return a table's events after the known one, as chunks of an endless response.

        Args:
            locale: the language of texts in the events, None for no texts.

        Raises:
            Problem: `future-sequence`, `too-many-connections`, `banned`, and those of `Log.viewpoint`.
        """
        if visitor is not None:
            visitor.check_ban()
        self._callers.admit(address)
        player, viewer = viewer_of(visitor, as_)
        place = await self._log.viewpoint(player, table, viewer)
        place.check_reached(known)
        lines = StreamOutlet(format, self._limits.buffer)
        outlet = await with_texts(lines, self._texts, table, place.audience, locale)
        return self._follow(table, place, known, lines, outlet, address, visitor)

    async def _follow(
        self, table: str, place: Viewpoint, known: LastKnown, lines: StreamOutlet, outlet: Outlet, address: str,
        visitor: Access | None,
    ) -> AsyncIterator[bytes]:  # fmt: skip
        def ended(lost: Subscription) -> None:
            text_outlet.close(outlet)
            lines.part(Ended(sub=lost.feed.name))

        subscription = self._hub.follow(table, place, outlet, known, ended, chat_reader(visitor))
        subscription.start()
        try:
            with self._callers.counted(address), self._listed(lines, visitor):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._hub.leave(subscription)
            text_outlet.close(outlet)

    def me(self, access: Access, address: str, format: Format) -> AsyncIterator[bytes]:
        """Return the player's news, as chunks of an endless response.

        Raises:
            Problem: `too-many-connections`, `banned`.
        """
        access.check_ban()
        self._callers.admit(address)
        return self._follow_player(access, address, StreamOutlet(format, self._limits.buffer))

    async def _follow_player(self, access: Access, address: str, lines: StreamOutlet) -> AsyncIterator[bytes]:
        player = access.player.id
        self._personal.follow(player, lines)
        try:
            with self._callers.counted(address), self._listed(lines, access):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._personal.leave(player, lines)

    def lobby(self, visitor: Access | None, wish: LobbyFilter, address: str, format: Format) -> AsyncIterator[bytes]:
        """Return the changes in a list of tables, as chunks of an endless response.

        Raises:
            Problem: `too-many-connections`, `too-many-subscriptions`, `banned`.
        """
        if visitor is not None:
            visitor.check_ban()
        self._lobby.check(wish)
        self._callers.admit(address)
        return self._follow_lobby(visitor, wish, address, StreamOutlet(format, self._limits.buffer))

    async def _follow_lobby(
        self, visitor: Access | None, wish: LobbyFilter, address: str, lines: StreamOutlet
    ) -> AsyncIterator[bytes]:
        self._lobby.follow(wish, lines)
        try:
            with self._callers.counted(address), self._listed(lines, visitor):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._lobby.leave(wish, lines)

    async def tournament(
        self, visitor: Access | None, tournament: str, after: int, address: str, format: Format
    ) -> AsyncIterator[bytes]:
        """Return a tournament's events after `after`, as chunks of an endless response.

        Raises:
            Problem: `too-many-connections`, `banned`, and those of `TournamentFeeds.check`.
        """
        if visitor is not None:
            visitor.check_ban()
        self._callers.admit(address)
        await self._tournaments.check(tournament, after)
        return self._follow_tournament(visitor, tournament, after, address, StreamOutlet(format, self._limits.buffer))

    async def _follow_tournament(
        self, visitor: Access | None, tournament: str, after: int, address: str, lines: StreamOutlet
    ) -> AsyncIterator[bytes]:
        self._tournaments.follow(tournament, after, lines)
        try:
            with self._callers.counted(address), self._listed(lines, visitor):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._tournaments.leave(tournament, lines)

    @contextmanager
    def _listed(self, lines: StreamOutlet, visitor: Access | None) -> Iterator[None]:
        self._open.add(lines)
        if self._draining:
            self._send_away(lines)
        try:
            with nullcontext() if visitor is None else self._players.watched(visitor, lambda: lines.part(TokenEnded())):
                yield
        finally:
            self._open.discard(lines)

    def _send_away(self, lines: StreamOutlet) -> None:
        delay = self._entropy.random("jitter", "stream").uniform(0, self._limits.spread)
        lines.part(GoingAway(retry_after_ms=round(delay * 1000)))

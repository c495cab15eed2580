"""Serve live updates as HTTP streams, which replace one subscription each."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from typing import Self

from ludarium.accounts.access import Access, chat_reader, viewer_of
from ludarium.live.callers import Callers
from ludarium.live.feeds import Feeds
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.live.lobby import LobbyFilter
from ludarium.live.messages import Ended, GoingAway, TokenEnded
from ludarium.live.ports import Audience, Authenticator, LastKnown, Log, Viewpoint
from ludarium.live.stream_outlet import Format, StreamOutlet
from ludarium.live.subscription import Subscription
from ludarium.platform.entropy import Entropy


class Streams:
    """The HTTP streams of one process.

    When `async with` ends, all streams end, and new ones end at once.
    """

    def __init__(
        self, hub: Hub, log: Log, feeds: Feeds, players: Authenticator, callers: Callers, entropy: Entropy,
        limits: LiveLimits | None = None,
    ) -> None:  # fmt: skip
        self._hub, self._log, self._players, self._entropy = hub, log, players, entropy
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
        self, visitor: Access | None, table: str, as_: Audience | None, known: LastKnown, address: str, format: Format
    ) -> AsyncIterator[bytes]:
        """Return a table's events after the known one, as chunks of an endless response.

        Raises:
            Problem: `future-sequence`, `too-many-connections`, `banned`, and those of `Log.viewpoint`.
        """
        if visitor is not None:
            visitor.check_ban()
        self._callers.admit(address)
        player, viewer = viewer_of(visitor, as_)
        place = await self._log.viewpoint(player, table, viewer)
        place.check_reached(known)
        return self._follow(table, place, known, StreamOutlet(format, self._limits.buffer), address, visitor)

    async def _follow(
        self, table: str, place: Viewpoint, known: LastKnown, lines: StreamOutlet, address: str, visitor: Access | None
    ) -> AsyncIterator[bytes]:
        def ended(lost: Subscription) -> None:
            lines.part(Ended(sub=lost.feed.name))

        subscription = self._hub.follow(table, place, lines, known, ended, chat_reader(visitor))
        subscription.start()
        try:
            with self._callers.counted(address), self._listed(lines, visitor):
                async for chunk in lines.chunks():
                    yield chunk
        finally:
            self._hub.leave(subscription)

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

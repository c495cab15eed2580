"""Serve one WebSocket client: respond to its requests in order, and send pushes."""

import asyncio
import logging
from collections.abc import Coroutine
from contextlib import ExitStack
from math import ceil
from time import monotonic
from typing import Any

import msgspec
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode

from ludarium.accounts.access import Access, chat_reader, viewer_of
from ludarium.live import lobby as lobbies
from ludarium.live import messages, text_outlet, tournaments
from ludarium.live.encoded import text_frame
from ludarium.live.feeds import Feeds
from ludarium.live.hub import Hub
from ludarium.live.limits import Allowance, LiveLimits, TokenBucket
from ludarium.live.messages import (
    NEEDS,
    Answer,
    CommandAnswer,
    CommandRequest,
    Done,
    Ended,
    GoingAway,
    Greeted,
    Hello,
    Lobby,
    Me,
    Ping,
    ProblemAnswer,
    Renew,
    Subscribe,
    Subscribed,
    TokenEnded,
    Tournament,
    Unsubscribe,
)
from ludarium.live.personal import NAME
from ludarium.live.ports import SPECTATOR, LastKnown, Ports, Viewpoint, feed_name
from ludarium.live.socket_outlet import SocketOutlet
from ludarium.live.subscription import Subscription
from ludarium.live.text_outlet import with_texts
from ludarium.platform import metering, metrics
from ludarium.platform.locale import ENGLISH, preferred
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)


class Session:
    def __init__(
        self, connection: ServerConnection, hub: Hub, ports: Ports, limits: LiveLimits, address: Allowance,
        feeds: Feeds | None = None,
    ) -> None:  # fmt: skip
        self._connection, self._hub, self._ports, self._limits = connection, hub, ports, limits
        self._outlet = SocketOutlet(connection, limits.buffer)
        self._allowance, self._address = TokenBucket(*limits.messages), address
        self._personal = feeds.personal if feeds else None
        self._lobby = feeds.lobby if feeds else None
        self._tournaments = feeds.tournaments if feeds else None
        self._follows_self, self._followed = False, set[str]()
        self._filter: lobbies.LobbyFilter | None = None
        self._greeted, self._locale = False, ENGLISH
        self._text_locale: str | None = None    # None if the client has asked for no texts
        self._received = 0.0                    # when the current request arrived, by the monotonic clock
        self.answered = 0
        """Number of answered requests."""
        self._access: Access | None = None
        self._watching = ExitStack()
        self._subscriptions: dict[str, Subscription] = {}
        self._busy = self._leaving = False
        self._task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Serve the client until the connection ends."""
        self._task = asyncio.current_task()
        try:
            if await self._greeted_in_time():
                await self._converse()
            await self._outlet.closed()
        except ConnectionClosed:
            log.debug("a client is gone")
        finally:
            self._watching.close()
            while self._subscriptions:
                self._leave(self._subscriptions.popitem()[1])
            self._leave_self()
            self._leave_lobby()
            for tournament in self._followed:
                self._leave_tournament(tournament)

    def leave(self) -> None:
        """Ask the client to reconnect to another server, and finish its current request."""
        self._leaving = True
        delay = self._ports.entropy.random("jitter", "session").uniform(0, self._limits.spread)
        self._write(GoingAway(retry_after_ms=round(delay * 1000)))
        if not self._busy:
            self._close_for_restart()

    def abort(self) -> None:
        """Abort the connection at once."""
        self._outlet.abort()
        if self._task is not None:
            self._task.cancel()

    async def _greeted_in_time(self) -> bool:
        """Wait for the client's `hello`, and return whether it came in time."""
        try:
            async with asyncio.timeout(self._limits.hello):
                while not self._greeted:
                    await self._handle_next()
        except TimeoutError:
            self._outlet.close(CloseCode.POLICY_VIOLATION, "hello comes first")
        return self._greeted

    async def _converse(self) -> None:
        while not self._leaving:
            await self._handle_next()
        self._close_for_restart()

    async def _handle_next(self) -> None:
        message = await self._connection.recv()
        self._received = monotonic()
        self._busy = True
        await self._respond(message)
        self._busy = False

    async def _respond(self, message: str | bytes) -> None:
        """Send exactly one response to a message, whatever the message contains."""
        outcome = "ok"
        try:
            answer = await self._answer(message)
        except Exception as error:              # not bound to a longer-lived name, since it refers to this frame
            refusal = problem_of(error).body(locale=self._locale, texts=self._text_locale is not None)
            outcome = refusal.code
            answer = ProblemAnswer(id=messages.id_of(message), problem=refusal)
        metrics.series(metrics.live_requests, outcome).inc()
        self.answered += 1
        self._write(answer)

    async def _answer(self, message: str | bytes) -> Answer:
        if not self._allowance.take() or not self._address.messages.take():
            raise Problem("rate-limited", retry_after=1)
        request = messages.parse(message)
        if isinstance(request, Hello) is self._greeted:
            raise Problem("invalid-request", "hello comes first, and once")
        work = self._grant(request)
        return await (work if isinstance(request, CommandRequest | Ping) else self._charge(work))

    async def _charge(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Carry out a request, and charge its CPU time to the client's address.

        The CPU time of tasks that the request starts is included.
        """
        if debt := self._address.work.debt():
            work.close()
            raise Problem("rate-limited", retry_after=ceil(debt))
        meter = metering.Meter()
        meter.charge_later = self._address.work.charge
        token = metering.current.set(meter)
        try:
            return await metering.metered(work)
        finally:
            metering.current.reset(token)

    async def _grant(self, request: messages.ClientMessage) -> Answer:
        if self._access is not None:
            self._access.check(NEEDS[type(request)])
        match request:
            case Hello():
                return await self._greet(request)
            case Renew():
                return await self._renew(request)
            case Subscribe():
                return await self._subscribe(request)
            case Me():
                return self._follow_self(request)
            case Lobby():
                return self._follow_lobby(request)
            case Tournament():
                return await self._follow_tournament(request)
            case Unsubscribe():
                return self._unsubscribe(request)
            case CommandRequest():
                return await self._submit(request)
            case Ping():
                return Done(id=request.id)

    async def _greet(self, request: Hello) -> Answer:
        self._locale = preferred(request.locale or ENGLISH)
        self._text_locale = self._locale if request.text else None
        if request.token is not None:
            access = await self._ports.players.access(request.token)
            access.check_ban()
            self._enter(access)
        self._greeted = True
        return Greeted(id=request.id, player=self._player)

    async def _renew(self, request: Renew) -> Answer:
        if self._access is None:
            raise Problem("unauthenticated", "hello came without a token")
        access = await self._ports.players.access(request.token)
        if access.player.id != self._access.player.id:
            raise Problem("invalid-token", "it is another player's")
        access.check_ban()
        if lacking := {*self._access.scopes} - {*access.scopes}:
            raise Problem("insufficient-scope", f"`{min(lacking)}` is needed")
        self._enter(access)
        return Done(id=request.id)

    def _enter(self, access: Access) -> None:
        """Use this access for the connection, which ends when the token ends."""
        self._watching.close()
        self._access = access
        self._watching.enter_context(self._ports.players.watched(access, self._sign_out))

    def _sign_out(self) -> None:
        self._write(TokenEnded())
        self._outlet.close(CloseCode.POLICY_VIOLATION, "token ended")

    @property
    def _player(self) -> str | None:
        return self._access.player.id if self._access else None

    async def _subscribe(self, request: Subscribe) -> Answer:
        """Start a subscription. Another task sends the events after this response."""
        if len(self._subscriptions) + len(self._followed) >= self._limits.subscriptions:
            raise Problem("too-many-subscriptions", f"at most {self._limits.subscriptions}")
        wanted = SPECTATOR if request.as_ == "spectator" else request.as_
        player, viewer = viewer_of(self._access, wanted)
        place = await self._ports.log.viewpoint(player, request.table, viewer)
        known = LastKnown(request.after, request.head)
        place.check_reached(known)
        sub, head = await self._follow(place, request, known)
        seen_as: messages.Viewer = "spectator" if place.audience == SPECTATOR else place.audience
        return Subscribed(id=request.id, sub=sub, seq=request.after, head=head, as_=seen_as)

    async def _follow(self, place: Viewpoint, wanted: Subscribe, known: LastKnown) -> tuple[str, str | None]:
        """Start following a table.

        Returns:
            The subscription's name, and the log's head of the client's last event (None if there is none).
        """
        if feed_name(wanted.table, place.audience) in self._subscriptions:
            raise Problem("already-subscribed")
        outlet = await with_texts(self._outlet, self._ports.texts, wanted.table, place.audience, self._text_locale)
        subscription = self._hub.follow(
            wanted.table, place, outlet, known, self._ended, chat_reader(self._access), changes=wanted.view == "changes"
        )
        try:
            page = await subscription.first_page()
        except BaseException:
            self._leave(subscription)
            raise
        subscription.start(page)
        self._subscriptions[subscription.feed.name] = subscription
        return subscription.feed.name, page.head or None

    def _follow_self(self, request: Me) -> Answer:
        if self._player is None:
            raise Problem("unauthenticated")
        if self._personal is None:
            raise Problem("not-found", "this gateway tells of tables only")
        if self._follows_self:
            raise Problem("already-subscribed")
        self._follows_self = True
        asyncio.get_running_loop().call_soon(self._personal.follow, self._player, self._outlet)  # after the answer
        return Done(id=request.id)

    def _leave_self(self) -> None:
        if self._personal is not None and self._player is not None:
            self._personal.leave(self._player, self._outlet)
        self._follows_self = False

    def _follow_lobby(self, request: Lobby) -> Answer:
        if self._lobby is None:
            raise Problem("not-found", "this gateway tells of tables only")
        if request.friends and self._access is None:
            raise Problem("unauthenticated")
        if request.friends and self._access is not None:
            self._access.check("me:read")
        follower = self._player if request.friends else None
        wish = lobbies.LobbyFilter(
            request.status, request.ruleset, request.seats, request.clock, request.rated, request.order, follower
        )
        self._lobby.check(wish)
        self._leave_lobby()
        self._filter = wish
        asyncio.get_running_loop().call_soon(self._enter_lobby, self._lobby, wish)  # after the answer
        return Done(id=request.id)

    def _enter_lobby(self, lobby: lobbies.Lobby, wish: lobbies.LobbyFilter) -> None:
        if self._filter is wish:                  # the client may have left again
            lobby.follow(wish, self._outlet)

    def _leave_lobby(self) -> None:
        if self._lobby is not None and self._filter is not None:
            self._lobby.leave(self._filter, self._outlet)
        self._filter = None

    async def _follow_tournament(self, request: Tournament) -> Answer:
        if self._tournaments is None:
            raise Problem("not-found", "this gateway tells of tables only")
        if request.tournament in self._followed:
            raise Problem("already-subscribed")
        if len(self._subscriptions) + len(self._followed) >= self._limits.subscriptions:
            raise Problem("too-many-subscriptions", f"at most {self._limits.subscriptions}")
        await self._tournaments.check(request.tournament, request.after)
        self._followed.add(request.tournament)
        self._tournaments.follow(request.tournament, request.after, self._outlet)      # sent after the answer
        return Done(id=request.id)

    def _leave_tournament(self, tournament: str) -> None:
        if self._tournaments is not None:
            self._tournaments.leave(tournament, self._outlet)

    def _unsubscribe(self, request: Unsubscribe) -> Answer:
        if request.sub == NAME and self._follows_self:
            self._leave_self()
            return Done(id=request.id)
        if request.sub == lobbies.NAME and self._filter:
            self._leave_lobby()
            return Done(id=request.id)
        for tournament in self._followed:
            if request.sub == tournaments.name_of(tournament):
                self._followed.discard(tournament)
                self._leave_tournament(tournament)
                return Done(id=request.id)
        subscription = self._subscriptions.pop(request.sub, None)
        if subscription is None:
            raise Problem("not-found", "this connection has no such subscription")
        self._leave(subscription)
        return Done(id=request.id)

    def _ended(self, subscription: Subscription) -> None:
        """End a subscription whose reader has lost the right to watch."""
        self._leave(subscription)
        name = subscription.feed.name
        if self._subscriptions.pop(name, None) is not None:
            self._write(Ended(sub=name))

    def _leave(self, subscription: Subscription) -> None:
        self._hub.leave(subscription)
        text_outlet.close(subscription.outlet)

    async def _submit(self, request: CommandRequest) -> Answer:
        work = self._ports.commands.submit(
            self._player, request.table, request.key, request.body, received=self._received, lag=self._connection.latency,
            minimal=request.view == "changes",
        )  # fmt: skip
        result = await self._ports.texts.answered(request.table, self._player, self._text_locale, work)
        return CommandAnswer(id=request.id, result=msgspec.Raw(result))

    def _write(self, message: Answer | Ended | GoingAway | TokenEnded) -> None:
        self._outlet.write(text_frame(messages.encode(message)))

    def _close_for_restart(self) -> None:
        self._outlet.close(CloseCode.SERVICE_RESTART, "going away")


def problem_of(error: Exception) -> Problem:
    """Return the problem for an error, and log the error if it is an internal one."""
    if isinstance(error, Problem):
        return error
    log.error("a request failed", exc_info=error)
    return Problem("internal")

"""The WebSocket server, which has a separate port and separate limits."""

import asyncio
import logging
import time
from functools import partial
from http import HTTPStatus
from typing import Any, Self, cast

from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import Event

from ludarium.live.callers import Callers
from ludarium.live.feeds import Feeds
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits, TokenBucket
from ludarium.live.ports import Ports
from ludarium.live.session import Session
from ludarium.platform.client_address import Proxies
from ludarium.platform.logs import told
from ludarium.platform.problems import Problem
from ludarium.platform.request_context import Exchange, current, new_id
from ludarium.platform.sockets import inherited

log = logging.getLogger(__name__)

HEALTH = ("/healthz", "/readyz")
"""Paths of health checks. A gateway that listens is ready, since it starts to listen only after the schema check."""

library_log = logging.getLogger("ludarium.live.websockets")
library_log.setLevel(logging.CRITICAL)  # the library logs a traceback for each broken handshake, which could fill the disk


class Connection(ServerConnection):
    """A connection with limits on frames.

    Without these limits, pings and empty fragments could fill the memory before a message is complete.
    """

    def __init__(self, *args: Any, limits: LiveLimits, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._frames = TokenBucket(*limits.frames)
        self._fragments = 0
        self._most = limits.fragments
        self._end: asyncio.Task[None] | None = None

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and self._end is None:
            self._count(event)
        super().process_event(event)

    def _count(self, frame: Frame) -> None:
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._fragments = 0
        self._fragments += frame.opcode is Opcode.CONT
        if not self._frames.take() or self._fragments >= self._most:
            self._end = asyncio.create_task(self.close(CloseCode.POLICY_VIOLATION, "too many frames"))


class Gateway:
    """The WebSocket server of a process.

    The gateway serves while `async with` lasts, and then drains: clients are asked to connect to another server.
    """

    def __init__(
        self, host: str, port: int, hub: Hub, ports: Ports, limits: LiveLimits | None = None,
        callers: Callers | None = None, proxies: Proxies | None = None,
        feeds: Feeds | None = None,
    ) -> None:  # fmt: skip
        """Configure a gateway.

        Args:
            port: the port; 0 takes any free one.
            proxies: the trusted proxies; by default none.
            feeds: the feeds of news, the lobby and tournaments; by default, clients can only follow tables.
        """
        self._feeds = feeds
        self._host, self._port = host, port
        self._hub, self._ports, self._limits = hub, ports, limits or LiveLimits()
        self._callers, self._proxies = callers or Callers(self._limits), proxies or Proxies("")
        self._sessions: set[Session] = set()
        self._draining = False

    async def __aenter__(self) -> Self:
        limits, given = self._limits, inherited(self._port)
        self._server = await serve(
            self._converse,
            None if given else self._host,
            None if given else self._port,
            sock=given,
            compression=None,
            process_request=self._admit,
            server_header=None,
            open_timeout=limits.hello,
            ping_interval=limits.heartbeat,
            ping_timeout=limits.heartbeat,
            close_timeout=limits.closing,
            max_size=limits.message,
            write_limit=2 * limits.buffer,  # never reached: a paused transport would delay heartbeats and closes
            logger=library_log,
            create_connection=cast(type[ServerConnection], partial(Connection, limits=limits)),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.drain()

    async def drain(self) -> None:
        """Refuse new clients, ask connected ones to reconnect, and wait for requests."""
        self._draining = True
        self._server.close(close_connections=False)
        for session in self._sessions:
            session.leave()
        try:
            async with asyncio.timeout(self._limits.grace):
                await self._server.wait_closed()
        except TimeoutError:
            await self._cut()

    @property
    def clients(self) -> int:
        """Number of connected clients."""
        return len(self._sessions)

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1])

    async def _cut(self) -> None:
        log.warning("%d clients are cut off in the middle of a request", self.clients)
        for session in self._sessions:
            session.abort()
        await self._server.wait_closed()

    async def _converse(self, connection: ServerConnection) -> None:
        current.set(Exchange(new_id()))         # of this task, which belongs to this socket
        began = time.monotonic()
        address = self._caller(connection, connection.request)
        allowance = self._callers.allowance(address)
        session = Session(connection, self._hub, self._ports, self._limits, allowance, self._feeds)
        self._sessions.add(session)
        if self._draining:
            session.leave()
        try:
            with self._callers.counted(address):
                await session.run()
        finally:
            self._sessions.discard(session)
            told(log, "socket", answered=session.answered, seconds=round(time.monotonic() - began, 1))

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Respond to health checks, and refuse handshakes that exceed a limit."""
        if request.path in HEALTH:
            return connection.respond(HTTPStatus.OK, "ok\n")
        try:
            self._callers.admit(self._caller(connection, request))
        except Problem as problem:
            refusal = connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections.\n")
            refusal.headers["Retry-After"] = str(problem.retry_after)
            return refusal
        return None

    def _caller(self, connection: ServerConnection, request: Request | None) -> str:
        """Return the client address whose limits apply to a connection."""
        forwarded = request.headers.get_all("X-Forwarded-For") if request is not None else ()
        return self._proxies.caller(str(connection.remote_address[0]), forwarded)

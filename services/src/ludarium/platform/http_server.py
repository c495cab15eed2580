"""Serve HTTP/1.1 with uvicorn, limiting sizes, waiting times and connections."""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http import HTTPStatus
from socket import socket
from typing import Any, NoReturn, cast

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ludarium.platform import metrics
from ludarium.platform.client_address import Proxies
from ludarium.platform.problems import Problem

RETRY = 10
"""Seconds after which a refused client may try again."""
RETRY_STOPPED = 1
"""Seconds after which a client may repeat a request to which a stopping server has not responded."""
GRACE = 5
"""Seconds that running requests have to finish when the server stops."""


class HttpLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits for HTTP clients, which apply before a request reaches a route."""

    connections: int = 10_000
    """Maximum number of connections to one process."""
    per_address: int = 256
    """Maximum number of connections to one process from one address, except from our proxies."""
    head: int = 32 * 1024
    """Maximum bytes of a request without its body."""
    headers: int = 100
    pipeline: int = 100
    """Maximum number of pipelined requests that wait for the response to an earlier request."""
    begin: float = 10.0
    """Seconds in which the request line and headers must arrive."""
    finish: float = 20.0
    """Seconds in which the body must arrive."""
    keep_alive: int = 75
    """Seconds that a connection may be idle between two requests; a proxy should close idle connections earlier."""


UNLIMITED = HttpLimits(per_address=10_000)
"""Limits for tests and benchmarks, where all clients have one address; sizes and times are the usual ones."""


class NotStarted(Exception):
    """The application has not started. The reason is in uvicorn's log."""


class HeadRefused(Exception):
    """Raised in a parser callback to stop the parser."""


class Connection(HttpToolsProtocol):
    """A connection with limits on data that the parser buffers.

    The parser itself has no limits, and reports headers and parts of bodies only when they are complete.
    """

    def __init__(
        self, *args: Any, limits: HttpLimits, proxies: Proxies, addresses: Counter[str], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self._limits, self._proxies, self._addresses = limits, proxies, addresses
        self._caller = self._address = ""
        self._unread = 0
        self._refusal = Problem("invalid-request", "this is no HTTP/1.1")
        self._deadline = math.inf
        self._begun = False
        """True if part of a request has arrived."""

    # --- connections --------------------------------------------------------------------------------------------------
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self._caller = self._proxies.caller(peer)
        self._address = "" if peer in self._proxies else self._caller
        self._addresses[self._address] += 1
        self._wait(self._limits.begin)
        if self._one_too_many():
            self._refuse(Problem("too-many-connections", retry_after=RETRY))

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unset_keepalive_if_required()     # uvicorn forgets it when the client disconnects
        self._addresses[self._address] -= 1
        if not self._addresses[self._address]:
            del self._addresses[self._address]

    def _one_too_many(self) -> bool:
        full = len(self.connections) > self._limits.connections
        return full or (self._address != "" and self._addresses[self._address] > self._limits.per_address)

    # --- time limits --------------------------------------------------------------------------------------------------
    def _wait(self, seconds: float) -> None:
        self._deadline = self.loop.time() + seconds

    def expire(self, now: float) -> None:
        """Close the connection if its deadline has passed.

        A client that has begun a request gets the problem `request-timeout`.
        """
        if now <= self._deadline:
            return
        if self._begun and not self._answering():
            self._refuse(Problem("request-timeout"))
        else:
            self.transport.abort()

    def _answering(self) -> bool:
        """Return whether part of a response is sent, so that a refusal would corrupt it."""
        return self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete

    # --- requests -----------------------------------------------------------------------------------------------------
    def data_received(self, data: bytes) -> None:
        if self._idles():
            self._wait(self._limits.begin)      # empty lines stop uvicorn's timer without beginning a request
        self._unread += len(data)
        super().data_received(data)
        if self._unread > self._limits.head:
            self._refuse(Problem("head-too-large"))

    def _idles(self) -> bool:
        return self._deadline == math.inf and self.cycle is not None and self.cycle.response_complete

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begun = True
        self._wait(self._limits.begin)
        if len(self.pipeline) > self._limits.pipeline:
            self._stop(Problem("invalid-request", "too many requests wait for the answer to the one before"))

    def on_header(self, name: bytes, value: bytes) -> None:
        if len(self.headers) == self._limits.headers:
            self._stop(Problem("head-too-large"))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if len(self.url) + sum([len(name) + len(value) for name, value in self.headers]) > self._limits.head:
            self._stop(Problem("head-too-large"))
        self._unread = 0
        self._wait(self._limits.finish)
        self._name_the_caller()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = max(0, self._unread - len(body))
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unread, self._begun = 0, False
        self._deadline = math.inf
        super().on_message_complete()

    def _stop(self, refusal: Problem) -> NoReturn:
        self._refusal = refusal
        raise HeadRefused

    def _name_the_caller(self) -> None:
        """Replace the peer's address in the scope with that of the proxy's client."""
        peer, port = self.client or ("", 0)
        self.scope["client"] = (self._caller, port)
        if self._address:
            return                              # not one of our proxies, so its headers are not trusted
        if hops := self._told(b"x-forwarded-for"):
            self.scope["client"] = (self._proxies.caller(peer, hops), port)
        if self._told(b"x-forwarded-proto")[-1:] == ["https"]:
            self.scope["scheme"] = "https"

    def _told(self, header: bytes) -> list[str]:
        return [value.decode("latin-1") for name, value in self.headers if name == header]

    # --- refusals -----------------------------------------------------------------------------------------------------
    def send_400_response(self, msg: str) -> None:
        """Refuse the request after the parser has stopped. Called by uvicorn."""
        self._refuse(self._refusal)

    def _refuse(self, problem: Problem) -> None:
        if not self.transport.is_closing():
            metrics.series(metrics.http_refused, problem.code).inc()
            self.transport.write(refusal(problem))
            self.transport.close()


def refusal(problem: Problem) -> bytes:
    """Encode a connection's last response.

    The response is in English, since no request headers with a language may have been read.
    """
    status, body = HTTPStatus(problem.kind.status), msgspec.json.encode(problem.body())
    head = [f"HTTP/1.1 {status.value} {status.phrase}", "content-type: application/problem+json"]
    if problem.retry_after is not None:
        head.append(f"retry-after: {problem.retry_after}")
    return "\r\n".join([*head, f"content-length: {len(body)}", "connection: close", "", ""]).encode() + body


class Ended:
    """ASGI application that responds to requests that a stopping server cancels.

    Without it, uvicorn would send a bare 500 and log a traceback. A request without a response gets a problem. A stream is
    ended properly. Other responses that have begun remain incomplete.
    """

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begun: list[tuple[bytes, bytes]] | None = None

        async def noted(message: Any) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = [*message["headers"]]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if begun is None:
                await cancelled(scope["path"], send)
            elif is_stream(begun):
                await send({"type": "http.response.body", "body": b""})


async def cancelled(path: str, send: Any) -> None:
    """Respond that the server is stopping and the request can be repeated later."""
    problem = Problem("unavailable", "The server stops.", retry_after=RETRY_STOPPED)
    headers = {"content-type": "application/problem+json", "retry-after": str(RETRY_STOPPED), "connection": "close"}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": problem.kind.status, "headers": encoded})
    await send({"type": "http.response.body", "body": msgspec.json.encode(problem.body(path))})


def is_stream(headers: list[tuple[bytes, bytes]]) -> bool:
    return any(name.lower() == b"content-type" and value.startswith(b"text/event-stream") for name, value in headers)


class HttpServer(uvicorn.Server):
    """A uvicorn server inside a larger process, which handles signals itself."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start serving.

        Raises:
            NotStarted: the start failed. Uvicorn itself would end the process without cleanup.
        """
        try:
            await super().startup(sockets)
        except SystemExit as error:
            raise NotStarted from error

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Stop serving, and wait until cancelled requests have sent their responses."""
        await super().shutdown(sockets)
        if cancelled := [*self.server_state.tasks]:
            await asyncio.wait(cancelled, timeout=GRACE)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:                   # a tick is a tenth of a second
            now = asyncio.get_running_loop().time()
            for connection in list(self.server_state.connections):
                cast(Connection, connection).expire(now)
        return await super().on_tick(counter)


@asynccontextmanager
async def http(app: Any, listener: socket, proxies: Proxies, limits: HttpLimits | None = None) -> AsyncIterator[None]:
    """Serve an ASGI application on a socket while the context lasts.

    When the context ends, running requests have GRACE seconds to finish.
    """
    limits = limits or HttpLimits()
    connection = partial(Connection, limits=limits, proxies=proxies, addresses=Counter[str]())
    server = HttpServer(
        uvicorn.Config(
            Ended(app), http=cast(type[Connection], connection), loop="none", ws="none", lifespan="on", access_log=False,
            log_config=None, log_level="error",  # warnings about broken requests could fill the disk
            server_header=False, proxy_headers=False, timeout_keep_alive=limits.keep_alive,
            timeout_graceful_shutdown=GRACE,
        )
    )  # fmt: skip
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not task.done():
        await asyncio.sleep(0.005)
    if not server.started:
        await task                              # raises the reason
        raise NotStarted
    try:
        yield
    finally:
        server.should_exit = True
        await task

"""The asyncio driver of operations (source of `runner.py`)."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Self, TypeVar, cast

import httpx
from websockets.exceptions import ConnectionClosed, WebSocketException

from ludarium_client.async_primitives import Choose, ClientConnection, ask, connect, sleep
from ludarium_client.effects import Answer, Ask, Dial, Effect, HangUp, Hear, Send, Steps, Wait
from ludarium_client.operations import Operations
from ludarium_client.problems import Unreachable
from ludarium_client.settings import HTTP, UNSENT, closed, unreachable

T = TypeVar("T")


class AsyncRunner:
    """Base of the clients: carries out operations at one server.

    Every method raises Problem or Unreachable.
    """

    def __init__(self, server: str, token: str | None, patience: float, locale: str | None = None) -> None:
        self._do = Operations(token, patience, locale)
        self._http = httpx.AsyncClient(base_url=server.rstrip("/"), **HTTP)
        self._lines: set[ClientConnection] = set()

    @property
    def token(self) -> str | None:
        """The token that this client sends; None if it is anonymous."""
        return self._do.caller.token

    async def close(self) -> None:
        """Close all connections of this client."""
        for line in [*self._lines]:
            await self._perform(HangUp(line), None)
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def request(self, kind: type[T], method: str, path: str, body: Any = None, key: str | None = None) -> T:
        """Call a route that has no method of its own.

        Args:
            kind: the type of the answer; None if it has none, bytes for its content as it is.
            method: the HTTP method.
            path: the path after /api/v1.
            body: is sent as JSON.
            key: an Idempotency-Key.

        Raises:
            Problem: the server refused the request.
            Unreachable: the server could not be reached. If `sent`, it may have carried out the request.
        """
        return cast(T, await self._run(self._do.request(kind, method, path, body, key)))

    # --- effects ------------------------------------------------------------------------------------------------------
    async def _run(self, steps: Steps[T], choose: Choose | None = None) -> T:
        advance: Callable[[], Effect] = partial(next, steps)
        while True:
            try:
                effect = advance()
            except StopIteration as end:
                return cast(T, end.value)
            try:
                advance = partial(steps.send, await self._perform(effect, choose))
            except Unreachable as error:
                advance = partial(steps.throw, error)

    async def _perform(self, effect: Effect, choose: Choose | None) -> Any:
        match effect:
            case Send():
                return await self._send(effect)
            case Wait(seconds):
                return await sleep(seconds)
            case Dial():
                return await self._dial(effect)
            case Hear(line):
                return await self._hear(line)
            case HangUp(line):
                self._lines.discard(line)
                return await line.close()
            case Ask(view) if choose is not None:
                return await ask(choose, view)

    async def _send(self, request: Send) -> Answer:
        try:
            answer = await self._http.request(
                request.method, request.path, headers=request.headers, content=request.content
            )
        except httpx.TransportError as error:
            raise unreachable(error, sent=not isinstance(error, UNSENT)) from error
        return Answer(answer.status_code, dict(answer.headers), answer.content)

    async def _dial(self, call: Dial) -> ClientConnection:
        try:
            line = await connect(call.url)
        except (OSError, EOFError, WebSocketException) as error:
            raise unreachable(error) from error
        self._lines.add(line)
        try:
            for word in call.words:
                await line.send(word, text=True)
        except ConnectionClosed as error:
            await self._perform(HangUp(line), None)
            raise closed(error) from error
        return line

    async def _hear(self, line: ClientConnection) -> Any:
        try:
            return await line.recv()
        except ConnectionClosed as error:
            raise closed(error) from error

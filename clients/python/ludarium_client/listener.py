"""A WebSocket conversation that is resumed whenever the connection is lost."""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from ludarium_client.bodies import ProblemDetails, Root
from ludarium_client.calls import TRANSIENT, Caller
from ludarium_client.decoding import decode, encode
from ludarium_client.effects import Dial, HangUp, Hear, Line, Steps, Wait
from ludarium_client.messages import GoingAway, Hello, ProblemAnswer
from ludarium_client.patience import Patience
from ludarium_client.problems import Garbled, Problem, Unreachable

OURS_TO_MEND = {1002, 1007, 1008, 1009}
"""Codes with which the server closes on a client that breaks the protocol.

Reconnecting would not help.
"""


class Message(msgspec.Struct):
    """The fields that tell messages apart.

    Answers have `ok`, events have `seq`, and everything else has only a `type`.
    """

    type: str = ""
    ok: bool | None = None
    seq: int = -1
    head: str | None = None


class Push(NamedTuple):
    """A pushed message.

    seq: -1 if it has none. head: the hash of the event. text: the whole message.
    """

    seq: int
    type: str
    head: str | None
    text: Any


class Listener:
    """Sends hello and one request on each connection, and receives the pushes."""

    def __init__(self, caller: Caller, request: Callable[[], Any], table: str | None = None) -> None:
        """Create a listener that connects with the first `next`.

        Args:
            caller: has the token and the patience.
            request: returns the request for a new connection; its id must not be 1.
            table: the table that is followed, as a hint for proxies that route by table.
        """
        self._caller, self._request = caller, request
        self._hint = f"?table={table}" if table else ""
        self._patience = Patience(caller.patience)
        self._url: str | None = None
        self._line: Line | None = None

    def next(self) -> Steps[Push]:
        """Return the next push.

        Raises:
            Problem: the server refused the request.
            Unreachable: patience ran out.
        """
        url = yield from self._address()
        while True:
            try:
                push = yield from self._heard(url)
            except Unreachable as lost:
                yield from self._lost(lost)
            else:
                if push is not None:
                    return push

    def close(self) -> Steps[None]:
        line, self._line = self._line, None
        if line is not None:
            yield HangUp(line)

    def _heard(self, url: str) -> Steps[Push | None]:
        """Receive a message, and return it if it is a push."""
        if self._line is None:
            locale = self._caller.locale
            hello = Hello(id=1, token=self._caller.token, locale=locale, text=msgspec.UNSET if locale is None else True)
            self._line = yield Dial(url, (encode(hello), encode(self._request())))
        text = yield Hear(self._line)
        message: Message = decode(text, Message)
        match message:
            case Message(ok=False):
                yield from self._refused(decode(text, ProblemAnswer).problem)
            case Message(ok=True):
                self._patience.renew()
            case Message(type="going-away", seq=-1):
                yield from self._again(decode(text, GoingAway).retry_after_ms / 1000)
            case Message(type="lagging" | "ended", seq=-1):
                yield from self._again(0)
            case _:
                return Push(message.seq, message.type, message.head, text)
        return None

    def _address(self) -> Steps[str]:
        if self._url is None:
            root: Root = yield from self._caller.call(Root, "GET", "")
            self._url = root.ws_url + self._hint
        return self._url

    def _refused(self, details: ProblemDetails) -> Steps[None]:
        problem = Problem(details)
        if problem.code not in TRANSIENT:
            yield from self.close()
            raise problem
        yield from self._again(problem.retry_after)

    def _lost(self, lost: Unreachable) -> Steps[None]:
        yield from self.close()
        if lost.code in OURS_TO_MEND or isinstance(lost, Garbled):
            raise lost
        yield from self._again(0, lost)

    def _again(self, least: float, why: Exception | None = None) -> Steps[None]:
        """Close the connection and wait. Raise `why` if patience has run out."""
        yield from self.close()
        delay = self._patience.delay(least)
        if delay is None:
            raise why or Unreachable("the server sends us away again and again")
        yield Wait(delay)

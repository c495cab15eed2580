"""A conversation over the WebSocket that is taken up again whenever the line is lost."""

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
"""Codes with which the server closes on a client that breaks the protocol: coming back would not help."""


class Message(msgspec.Struct):
    """Enough of any message to know what it is: an answer has `ok`, an event `seq`, anything else only a `type`."""

    type: str = ""
    ok: bool | None = None
    seq: int = -1
    head: str | None = None


class Push(NamedTuple):
    """seq: -1 if it has none. head: of the event. text: the whole message."""

    seq: int
    type: str
    head: str | None
    text: Any


class Listener:
    """Says hello and makes one request, and again on each new line; then hears what the server pushes."""

    def __init__(self, caller: Caller, request: Callable[[], Any], table: str | None = None) -> None:
        """`request`: what is asked on a new line, with another id than 1. table: of which it is, so that a proxy before several
        gateways may bring those who follow it together."""
        self._caller, self._request = caller, request
        self._hint = f"?table={table}" if table else ""
        self._patience = Patience(caller.patience)
        self._url: str | None = None
        self._line: Line | None = None

    def next(self) -> Steps[Push]:
        """Raises Problem if the request is refused, Unreachable when patience is at an end."""
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
        """The next message, if it is a push."""
        if self._line is None:
            hello = Hello(id=1, token=self._caller.token)
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
        """Lets the line go and waits. Raises `why` when patience is at an end."""
        yield from self.close()
        delay = self._patience.delay(least)
        if delay is None:
            raise why or Unreachable("the server sends us away again and again")
        yield Wait(delay)

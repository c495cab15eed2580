"""One viewer's place at one table, over the WebSocket: each event once and in order, however often the line is lost."""

from typing import Any, Literal

import msgspec

from ludarium_client.bodies import Event, GameEndedEvent, ProblemDetails, Root
from ludarium_client.calls import TRANSIENT, Caller
from ludarium_client.decoding import decode, encode
from ludarium_client.effects import Dial, HangUp, Hear, Line, Steps, Wait
from ludarium_client.messages import GoingAway, Hello, Refused, Subscribe
from ludarium_client.patience import Patience
from ludarium_client.problems import Problem, Unreachable

OURS_TO_MEND = {1002, 1007, 1008, 1009}
"""Codes with which the server closes on a client that breaks the protocol: coming back would not help."""
Viewer = int | Literal["spectator"]


class Message(msgspec.Struct):
    """Enough of any message to know what it is: an answer has `ok`, an event `seq`, anything else only a `type`."""

    type: str = ""
    ok: bool | None = None
    seq: int = -1


class Follower:
    """Pulls events with `next`, and may be left and taken up again between two of them.

    after: the last `seq` that the caller has seen; -1: from the first. viewer: a seat of one's own or "spectator"; by
    default one's seat if there is one.
    """

    def __init__(self, caller: Caller, table: str, after: int, viewer: Viewer | None) -> None:
        self.seen, self.over = after, False
        self.table, self.viewer = table, viewer
        self._caller = caller
        self._patience = Patience(caller.patience)
        self._url: str | None = None
        self._line: Line | None = None

    def next(self) -> Steps[Event]:
        """The event behind `seen`. Raises Problem if this may not be followed, Unreachable when patience is at an end."""
        url = yield from self._address()
        while True:
            try:
                event = yield from self._heard(url)
            except Unreachable as lost:
                yield from self._lost(lost)
            else:
                if event is not None:
                    return event

    def close(self) -> Steps[None]:
        line, self._line = self._line, None
        if line is not None:
            yield HangUp(line)

    def _heard(self, url: str) -> Steps[Event | None]:
        """The event in the next message, if it has one and it is the next one."""
        if self._line is None:
            self._line = yield Dial(url, self._introduction())
        text = yield Hear(self._line)
        message: Message = decode(text, Message)
        if message.ok is False:
            yield from self._refused(decode(text, Refused).problem)
        elif message.ok:
            self._patience.renew()
        elif message.seq >= 0:
            return (yield from self._pushed(message.seq, text))
        else:
            yield from self._notice(message.type, text)
        return None

    def _address(self) -> Steps[str]:
        if self._url is None:
            root: Root = yield from self._caller.call(Root, "GET", "")
            self._url = root.ws_url
        return self._url

    def _introduction(self) -> tuple[bytes, ...]:
        subscribe = Subscribe(id=2, table=self.table, after=self.seen, as_=self.viewer)
        return encode(Hello(id=1, token=self._caller.token)), encode(subscribe)

    def _pushed(self, seq: int, text: Any) -> Steps[Event | None]:
        """Only the next event counts; a hole would be mended by coming again."""
        if seq > self.seen + 1:
            yield from self.close()
        if seq != self.seen + 1:
            return None
        event: Event = decode(text, Event)
        self.seen, self.over = seq, isinstance(event, GameEndedEvent)
        return event

    def _notice(self, kind: str, text: Any) -> Steps[None]:
        """What asks for coming again: as somebody else, if it was our seat that was given up."""
        match kind:
            case "going-away":
                yield from self._again(decode(text, GoingAway).retry_after_ms / 1000)
            case "lagging" | "ended":
                yield from self._again(0)

    def _refused(self, details: ProblemDetails) -> Steps[None]:
        problem = Problem(details)
        if problem.code not in TRANSIENT:
            yield from self.close()
            raise problem
        yield from self._again(problem.retry_after)

    def _lost(self, lost: Unreachable) -> Steps[None]:
        yield from self.close()
        if lost.code in OURS_TO_MEND:
            raise lost
        yield from self._again(0, lost)

    def _again(self, least: float, why: Exception | None = None) -> Steps[None]:
        """Lets the line go and waits. Raises `why` when patience is at an end."""
        yield from self.close()
        delay = self._patience.delay(least)
        if delay is None:
            raise why or Unreachable("the server sends us away again and again")
        yield Wait(delay)

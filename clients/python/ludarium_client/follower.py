"""One viewer's place at one table, over the WebSocket: each event once and in order, however often the line is lost."""

from typing import Literal

from ludarium_client.bodies import Event, RevealedEvent
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener
from ludarium_client.messages import Subscribe

Viewer = int | Literal["spectator"]


class Follower:
    """Pulls events with `next`, and may be left and taken up again between two of them.

    after: the last `seq` that the caller has seen; -1: from the first. viewer: a seat of one's own or "spectator"; by
    default one's seat if there is one. Who gives up that seat goes on as a spectator, if no viewer was named.
    """

    def __init__(self, caller: Caller, table: str, after: int, viewer: Viewer | None) -> None:
        self.seen, self.over = after, False
        self.table, self.viewer = table, viewer
        self._listener = Listener(caller, self._subscribe)

    def next(self) -> Steps[Event]:
        """The event behind `seen`. Raises Problem if this may not be followed, Unreachable when patience is at an end."""
        while True:
            seq, text = yield from self._listener.next()
            if seq > self.seen + 1:
                yield from self.close()                 # a hole: who comes again is told what is in it
            if seq == self.seen + 1:
                event: Event = decode(text, Event)
                self.seen, self.over = seq, isinstance(event, RevealedEvent)
                return event

    def close(self) -> Steps[None]:
        return self._listener.close()

    def _subscribe(self) -> Subscribe:
        return Subscribe(id=2, table=self.table, after=self.seen, as_=self.viewer)

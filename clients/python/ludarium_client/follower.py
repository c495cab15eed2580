"""One viewer's place at one table, over the WebSocket: each event once and in order, however often the line is lost."""

from typing import Literal

from msgspec import Struct

from ludarium_client.bodies import Event, SeedsRevealedEvent, TableView
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.listener import Listener, Push
from ludarium_client.messages import Subscribe

Viewer = int | Literal["spectator"]
Watcher = Viewer | Literal["everything"]


class ResetData(Struct, frozen=True, kw_only=True):
    view: TableView


class Reset(Struct, frozen=True, kw_only=True, tag="reset"):
    """The server's log has lost its newest events. Put `data.view` in the place of all that was told before; the events
    behind `seq` follow, some with numbers that were there before."""

    seq: int
    data: ResetData


class Follower:
    """Pulls events with `next`, and may be left and taken up again between two of them.

    after: the last `seq` that the caller has seen; -1: from the first. head: of that event, if the caller knows it. viewer:
    a seat of one's own or "spectator"; by default one's seat if there is one. Who gives up that seat goes on as a
    spectator, if no viewer was named.
    """

    def __init__(self, caller: Caller, table: str, after: int, viewer: Viewer | None, head: str | None = None) -> None:
        self.seen, self.head, self.over = after, head, False
        self.table, self.viewer = table, viewer
        self._listener = Listener(caller, self._subscribe)

    def next(self) -> Steps[Event | Reset]:
        """The event behind `seen`, or the table if the log has lost what was seen.

        Raises Problem if this may not be followed, Unreachable when patience is at an end.
        """
        while True:
            push = yield from self._listener.next()
            if push.type == "reset":
                return self._reset(push)
            if push.seq > self.seen + 1:
                yield from self.close()                 # a hole: who comes again is told what is in it
            if push.seq == self.seen + 1:
                event: Event = decode(push.text, Event)
                self.seen, self.head, self.over = push.seq, push.head, isinstance(event, SeedsRevealedEvent)
                return event

    def close(self) -> Steps[None]:
        return self._listener.close()

    def _reset(self, push: Push) -> Reset:
        reset: Reset = decode(push.text, Reset)
        view = reset.data.view
        self.seen, self.head, self.over = reset.seq, view.head, view.status == "over"
        return reset

    def _subscribe(self) -> Subscribe:
        return Subscribe(id=2, table=self.table, after=self.seen, head=self.head, as_=self.viewer)

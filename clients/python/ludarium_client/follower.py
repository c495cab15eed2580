"""One viewer's place at one table, over the WebSocket: each event once and in order, however often the line is lost."""

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ludarium_client.bodies import Event, SeedsRevealedEvent, TableView, Unknown
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Steps
from ludarium_client.folding import Astray, folded
from ludarium_client.listener import Listener, Push
from ludarium_client.messages import Subscribe
from ludarium_client.paths import path, query
from ludarium_client.problems import Problem

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
        self._caller, self._listener = caller, Listener(caller, self._subscribe, table)
        self._view: TableView | None = None             # the newest that this line has told, or that was folded from it

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
                event: Event | None = yield from self._whole(decode(push.text, Event))
                if event is None:
                    yield from self.close()             # the log has lost it again
                    continue
                self.seen, self.head, self.over = push.seq, push.head, isinstance(event, SeedsRevealedEvent)
                return event

    def _whole(self, event: Event) -> Steps[Event | None]:
        """With the view, where it comes with a change of it: folded from the one before, or asked for. None: there is none."""
        if isinstance(event, Unknown):
            return event
        before, self._view = self._view, event.data.view or None
        if event.data.change is UNSET:
            return event
        try:
            self._view = yield from self._folded(before, event)
        except Problem as problem:
            if problem.code != "future-sequence":
                raise
            return None
        return replace(event, data=replace(event.data, view=self._view, change=UNSET))

    def _folded(self, before: TableView | None, event: Event) -> Steps[TableView]:
        if before is not None and before.seq == event.seq - 1:
            try:
                return folded(before, event)
            except Astray:
                pass                                    # as if it had not been known
        asked = query(**{"as": self.viewer, "at": event.seq})
        found: TableView = yield from self._caller.call(TableView, "GET", path(self.table, "/view") + asked)
        return found

    def close(self) -> Steps[None]:
        return self._listener.close()

    def _reset(self, push: Push) -> Reset:
        reset: Reset = decode(push.text, Reset)
        view = reset.data.view
        self.seen, self.head, self.over, self._view = reset.seq, view.head, view.status == "over", view
        return reset

    def _subscribe(self) -> Subscribe:
        """On a new line, where one may be somebody else: the seat may be lost."""
        self._view = None
        return Subscribe(id=2, table=self.table, after=self.seen, head=self.head, as_=self.viewer, view="changes")

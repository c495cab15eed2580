"""The events of a table over the WebSocket, each once and in order.

Lost connections are opened again.
"""

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from ludarium_client.bodies import SeedsRevealedEvent, TableEvent, TableView, Unknown
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
    """The server's log has lost its newest events.

    Replace your view by `data.view`. The events after `seq` follow, and may reuse numbers that you have seen.
    """

    seq: int
    data: ResetData


class Follower:
    """The events of a table, one by one; reading can stop and continue later.

    Args:
        caller: sends the requests.
        table: the table's id.
        after: the `seq` of the last event seen; -1 starts at the first.
        viewer: one of the caller's seats, or "spectator". None stands for the caller's seat, if any; the server then continues
            with the spectators' view after the seat is given up.
        head: the hash of the event at `after`, if known.
    """

    def __init__(self, caller: Caller, table: str, after: int, viewer: Viewer | None, head: str | None = None) -> None:
        self.seen, self.head, self.over = after, head, False
        self.table, self.viewer = table, viewer
        self._caller, self._listener = caller, Listener(caller, self._subscribe, table)
        self._view: TableView | None = None             # the newest of this connection, received or folded

    def next(self) -> Steps[TableEvent | Reset]:
        """Return the event after `seen`, or a Reset if the log has lost seen events.

        Raises:
            Problem: the table cannot be followed.
            Unreachable: patience ran out.
        """
        while True:
            push = yield from self._listener.next()
            if push.type == "reset":
                return self._reset(push)
            if push.seq > self.seen + 1:
                yield from self.close()                 # a gap: a new subscription sends the missing events
            if push.seq == self.seen + 1:
                event: TableEvent | None = yield from self._whole(decode(push.text, TableEvent))
                if event is None:
                    yield from self.close()             # the log has lost the event meanwhile
                    continue
                self.seen, self.head, self.over = push.seq, push.head, isinstance(event, SeedsRevealedEvent)
                return event

    def _whole(self, event: TableEvent) -> Steps[TableEvent | None]:
        """Add the view to an event that only has a change of it.

        It is folded from the view before, or loaded. Returns None if the log has lost the event.
        """
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

    def _folded(self, before: TableView | None, event: TableEvent) -> Steps[TableView]:
        if before is not None and before.seq == event.seq - 1:
            try:
                return folded(before, event)
            except Astray:
                pass                                    # load the view, as without a known one
        asked = query(**{"as": self.viewer, "at": event.seq, "locale": self._caller.locale})
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
        """Return the request for a new connection.

        The view is forgotten, because the viewer may differ: the seat may have been lost.
        """
        self._view = None
        return Subscribe(id=2, table=self.table, after=self.seen, head=self.head, as_=self.viewer, view="changes")

"""Generated from `asynchronous.py` by `make schema`: do not edit."""
from __future__ import annotations

from typing import Self

from ludarium_client.bodies import (
    Accepted,
    ActionBody,
    Preference,
    TableEvent,
    TableView,
)
from ludarium_client.follower import Follower, Reset, Viewer
from ludarium_client.people import People
from ludarium_client.primitives import Choose, Run
from ludarium_client.records import Records
from ludarium_client.settings import PATIENCE
from ludarium_client.studies import Studies
from ludarium_client.tables import Tables
from ludarium_client.tournaments import Tournaments


class Events:
    """The events of a table, one by one; returned by `follow`.

    You can leave a loop over it and continue later.
    """

    def __init__(self, run: Run, follower: Follower) -> None:
        self.follower = follower
        self._run = run

    @property
    def seen(self) -> int:
        """The `seq` of the last event returned."""
        return self.follower.seen

    @property
    def head(self) -> str | None:
        """The hash of the event at `seen`, if known."""
        return self.follower.head

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> TableEvent | Reset:
        if self.follower.over:
            self.close()
            raise StopIteration
        event: TableEvent | Reset = self._run(self.follower.next())
        return event

    def close(self) -> None:
        """Close the connection. The next event opens it again."""
        self._run(self.follower.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Client(People, Tables, Records):
    """A player or program at a Ludarium server.

    Every method raises Problem or Unreachable.
    """

    def __init__(
        self, server: str, token: str | None = None, *, patience: float = PATIENCE, locale: str | None = None
    ) -> None:
        """Create a client; it connects with the first call.

        Args:
            server: the server's URL.
            token: the token to send; None for spectators and new guests.
            patience: how many seconds to keep repeating safe requests and reopening lost connections.
            locale: the language of the texts in views, events and problems, such as "es"; None for no texts.
        """
        super().__init__(server, token, patience, locale)
        self.tournaments = Tournaments(self._run, self._do.tournaments)
        self.studies = Studies(self._run, self._do.studies)

    def submit(
        self, table: str, seq: int, action: ActionBody, key: str | None = None, head: str | None = None
    ) -> Accepted:
        """Answer the question that your seat is asked.

        The command is carried out once, however often it has to be sent.

        Args:
            table: the table's id.
            seq: the `seq` of the view that you decided on.
            action: one of the view's offers, as `answer` makes it.
            key: the Idempotency-Key; by default a new one.
            head: the `head` of the view that you decided on.

        Raises:
            Problem: `lost-row`, if the server has lost the event at `head`: load the view again.
        """
        return self._run(self._do.submit(table, seq, action, key, head))

    def undo(self, table: str, seq: int, key: str | None = None, head: str | None = None) -> Accepted:
        """Undo your latest command, if it revealed nothing and drew nothing at random.

        `seq`, `key` and `head` are as in `submit`.
        """
        return self._run(self._do.undo(table, seq, key, head))

    def prefer(self, table: str, preference: Preference, key: str | None = None) -> Accepted:
        """Set whether your seat always passes a window."""
        return self._run(self._do.prefer(table, preference, key))

    def follow(self, table: str, after: int = -1, viewer: Viewer | None = None, head: str | None = None) -> Events:
        """Follow the events after `after`, each once and in order, until the game is over.

        Lost connections are opened again. If the server has lost events that you have seen, a Reset comes in between.

        Args:
            table: the table's id.
            after: the `seq` of the last event that you have seen; -1 starts at the first.
            viewer: one of your seats, or "spectator"; by default your seat, if you have one.
            head: the hash of the event at `after`, which lets the server detect that it has lost it.
        """
        return Events(self._run, self._do.follower(table, after, viewer, head))

    def play(self, table: str, choose: Choose, seat: int | None = None) -> TableView:
        """Play to the end of the game, and return its last view.

        Args:
            table: the table's id.
            choose: returns the answer to a view in which your seat owes one.
            seat: by default your seat.
        """
        with Events(self._run, self._do.follower(table, -1, seat)) as events:
            return self._run(self._do.play(events.follower), choose)

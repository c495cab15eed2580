"""Interfaces of what the live service needs: players, the log, and commands."""

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from ludarium.accounts.access import Access
from ludarium.platform.entropy import Entropy
from ludarium.platform.problems import Problem

Audience = int
"""A seat's index, or SPECTATOR."""
SPECTATOR: Audience = -1
ViewChannel = int
"""An audience, and whether it is sent changes instead of views; see `ludarium.platform.view_channel`."""


SHORT = 16
"""Events. A shorter page is the last one: the log had no more when it was read."""


class EventRef(NamedTuple):
    """An event as a viewer knows it: its number and its head."""

    seq: int
    head: str


class LastKnown(NamedTuple):
    """The newest event that a client has: its number, -1 for none, and its head, if the client knows it."""

    seq: int
    head: str | None = None


NOTHING_KNOWN = LastKnown(-1)


class Viewpoint(NamedTuple):
    """The audience as which a viewer watches a table, and why they may.

    Attributes:
        seq: number of the event up to which this is known to be valid.
        by: the viewer's own seat, if the right to watch depends on it; None if it cannot be lost.
        player: the viewer.
        guest: whether the right to watch comes from an invitation alone.
        row: the table's newest event when this was decided. If the log loses that event, it is decided again.
    """

    audience: Audience
    seq: int
    by: int | None = None
    player: str | None = None
    guest: bool = False
    row: EventRef | None = None

    def check_reached(self, known: LastKnown) -> None:
        """Raise Problem `future-sequence` if the log does not reach the event.

        With a head, the event may be lost.
        """
        if known.seq > self.seq and known.head is None:
            raise Problem("future-sequence", seq=self.seq)


class LogCheckpoint(NamedTuple):
    """The log's progress: a position, and what identifies it after a fail-over."""

    position: int
    hash: bytes
    timeline: str


class LogProgress(NamedTuple):
    """The log's growth.

    Attributes:
        versions: the last event numbers of the tables with new events.
        whole: whether the log continues from `since`.
    """

    mark: LogCheckpoint
    versions: dict[str, int]
    whole: bool


EventPlace = tuple[str, int]
"""An event's table and number."""


class FoundEvents(NamedTuple):
    """Events that were looked up.

    Attributes:
        heads: by place, of the events that the log has.
        last: the number of each table's newest event.
    """

    heads: dict[EventPlace, str]
    last: dict[str, int]


class EventsAfter(NamedTuple):
    """A page of events for an audience.

    Attributes:
        head: of the event before the page, "" before the first, None if the log has no such event.
        events: JSON objects {"type", "seq", "head", "data"}.
        known: number of the newest event in the log, which a delayed audience is sent later.
    """

    head: str | None
    events: list[bytes]
    known: int = -1

    @property
    def last(self) -> bool:
        """True if the log held no more."""
        return len(self.events) < SHORT


class WholeTable(NamedTuple):
    """The table up to `seq`.

    `reset`: the JSON object {"type": "reset", "seq", "head", "data": {"view"}}.
    """

    seq: int
    reset: bytes


def feed_name(table: str, audience: Audience) -> str:
    """Return the `sub` of a table's events."""
    return f"{table}:{'spectator' if audience == SPECTATOR else audience}"


class Authenticator(Protocol):
    async def access(self, token: str) -> Access:
        """Return the access of a token. Raises Problem `invalid-token`."""

    def watched(self, access: Access, over: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `over` if the token ends within the context."""


class Log(Protocol):
    async def viewpoint(self, player: str | None, table: str, as_: Audience | None) -> Viewpoint:
        """Decide the audience as which a player may watch the table.

        Args:
            player: None for an anonymous viewer.
            as_: the wanted audience; None chooses the best.

        Raises:
            Problem: `not-found` or `forbidden`.
        """

    async def events_after(self, table: str, audience: Audience, after: int) -> EventsAfter:
        """Return a page of events after `after`, as the audience may see them.

        With `after` -1, it begins at the first event. Events are consecutive and ascending. A page shorter than SHORT
        is the last one.

        Raises:
            Problem: `future-sequence` if the log does not reach `after`; of status 503 while it cannot be read.
        """

    async def current_view(self, table: str, audience: Audience) -> WholeTable:
        """Return the table as the audience may see it now.

        Raises:
            Problem: `not-found`; of status 503 while the log cannot be read.
        """

    async def progress(self, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        """Return the log's progress, and which of the tables have events after `since`.

        Args:
            since: None returns the progress alone.

        Raises:
            Problem: of status 503, while the log cannot be read.
        """

    async def find_events(self, places: Collection[EventPlace]) -> FoundEvents:
        """Look up events in one query. Events of archived tables are not found.

        Raises:
            Problem: of status 503, while the log cannot be read.
        """

    def apply_replicated(self, table: str, row: bytes) -> None:
        """Apply an event that another process has appended. Never raises."""


class CommandPort(Protocol):
    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        """Take the JSON body of a command and return the JSON of its answer.

        Args:
            key: the Idempotency-Key.
            received: when the command arrived, by the monotonic clock.
            lag: last measured round trip to the client, in seconds.
            minimal: leave out the view.

        Raises:
            Problem: as for the HTTP request.
        """


class Ports(NamedTuple):
    players: Authenticator
    log: Log
    commands: CommandPort
    entropy: Entropy

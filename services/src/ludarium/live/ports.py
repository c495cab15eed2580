"""Interfaces to the players, the log and the commands that live updates need."""

from collections.abc import Awaitable, Callable, Collection
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
"""Minimum number of events in a page that is not the last. After a shorter page, the log had no more events."""


class EventRef(NamedTuple):
    """A reference to an event by its number and head."""

    seq: int
    head: str


class LastKnown(NamedTuple):
    """The newest event that a client has.

    Attributes:
        seq: the event's number, -1 if the client has no event.
        head: the event's head, None if the client does not know it.
    """

    seq: int
    head: str | None = None


NOTHING_KNOWN = LastKnown(-1)


class Viewpoint(NamedTuple):
    """The audience as which a viewer watches a table, and why the viewer may watch.

    Attributes:
        audience: the audience.
        seq: the number of the event up to which the right is known to be valid.
        by: the viewer's seat, if the right depends on that seat; None if the right cannot be lost.
        player: the viewer, None if anonymous.
        guest: whether the right depends on an invitation.
        row: the table's newest event when the right was decided. If the log loses that event, the right is decided
            again.
    """

    audience: Audience
    seq: int
    by: int | None = None
    player: str | None = None
    guest: bool = False
    row: EventRef | None = None

    def check_reached(self, known: LastKnown) -> None:
        """Raise Problem `future-sequence` if the log has never reached the known event.

        If the client knows the event's head, the log may have lost the event, so nothing is raised.
        """
        if known.seq > self.seq and known.head is None:
            raise Problem("future-sequence", seq=self.seq)


class LogCheckpoint(NamedTuple):
    """A position in the log, with data that identify it after a fail-over."""

    position: int
    hash: bytes
    timeline: str


class LogProgress(NamedTuple):
    """The growth of the log since a checkpoint.

    Attributes:
        mark: the new checkpoint.
        versions: the number of the newest event of each table that has new events.
        whole: whether the log still contains everything up to the old checkpoint.
    """

    mark: LogCheckpoint
    versions: dict[str, int]
    whole: bool


EventPlace = tuple[str, int]
"""The table and the number of an event."""


class FoundEvents(NamedTuple):
    """Events that were looked up.

    Attributes:
        heads: the head of each event that the log has.
        last: the number of each table's newest event.
    """

    heads: dict[EventPlace, str]
    last: dict[str, int]


class EventsAfter(NamedTuple):
    """A page of events for an audience.

    Attributes:
        head: the head of the event before the page; "" before the first event, None if the log has no such event.
        events: the events as JSON objects {"type", "seq", "head", "data"}.
        known: the number of the newest event in the log; delayed audiences are sent that event later.
    """

    head: str | None
    events: list[bytes]
    known: int = -1

    @property
    def last(self) -> bool:
        """True if the log had no further events."""
        return len(self.events) < SHORT


class WholeTable(NamedTuple):
    """The view of a table after event `seq`.

    Attributes:
        reset: the JSON object {"type": "reset", "seq", "head", "data": {"view"}}.
    """

    seq: int
    reset: bytes


def feed_name(table: str, audience: Audience) -> str:
    """Return the subscription name (`sub`) of a table's events for an audience."""
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
            as_: the requested audience; None means the player's own seat or, without a seat, spectators.

        Raises:
            Problem: `not-found` or `forbidden`.
        """

    async def events_after(self, table: str, audience: Audience, after: int) -> EventsAfter:
        """Return a page of events after `after`, as the audience may see them.

        With `after` -1, the page begins at the first event. Events are consecutive and ascending. A page with fewer than
        SHORT events is the last one.

        Raises:
            Problem: `future-sequence` if the log does not reach `after`; with status 503 while the log cannot be read.
        """

    async def current_view(self, table: str, audience: Audience) -> WholeTable:
        """Return the current view of the table for an audience.

        Raises:
            Problem: `not-found`; with status 503 while the log cannot be read.
        """

    async def progress(self, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        """Return the log's progress, and which of the tables have events after `since`.

        Args:
            tables: the tables whose events matter.
            since: the last checkpoint; with None, only a new checkpoint is returned.

        Raises:
            Problem: with status 503, while the log cannot be read.
        """

    async def find_events(self, places: Collection[EventPlace]) -> FoundEvents:
        """Look up events in one query. Events of archived tables are not found.

        Raises:
            Problem: with status 503, while the log cannot be read.
        """

    def apply_replicated(self, table: str, row: bytes) -> None:
        """Apply an event that another process has appended. Never raises."""


class Texts(Protocol):
    """The texts of a table in one language, with the names of its players."""

    def event(self, encoded: bytes) -> bytes:
        """Return an event with texts."""


class TextSource(Protocol):
    """See docs/decisions/135."""

    async def of(self, table: str, audience: Audience, locale: str) -> Texts:
        """Return the texts of a table, with the current names of the players whom the audience may know there.

        Raises:
            Problem: `not-found`; with status 503 while names or the log cannot be read.
        """

    async def answered(self, table: str, player: str | None, locale: str | None, work: Awaitable[bytes]) -> bytes:
        """Return the answer to a player's command, with texts if a locale is given.

        Raises:
            Problem: of the command, whose events have texts too.
        """


class CommandPort(Protocol):
    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        """Carry out a command that is given as JSON, and return the response as JSON.

        Args:
            key: the Idempotency-Key.
            received: when the command arrived, by the monotonic clock, in seconds.
            lag: the last measured round trip to the client, in seconds.
            minimal: leave the view out of the response.

        Raises:
            Problem: as for the HTTP request.
        """


class Ports(NamedTuple):
    players: Authenticator
    log: Log
    commands: CommandPort
    entropy: Entropy
    texts: TextSource

"""What the live service asks of its neighbours: who a player is, what the log says, and to take a command."""

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
"""An audience, and whether it is told of changes in place of views: as `ludarium.platform.view_channel` has it."""


SHORT = 16
"""Events. Of fewer is only the last page of a log: it held no more when it was read."""


class EventRef(NamedTuple):
    """An event as a viewer knows it: its number and its `head`."""

    seq: int
    head: str


class Viewpoint(NamedTuple):
    """From where somebody looks at a table. `seq`: the number of the event up to which this is known to hold.

    `by`: the looker's own seat, if without it they might not look from here; None if nobody can lose this place.
    `player`: who looks. `guest`: whether an invitation alone gives them this place. `row`: the newest event of the table when
    this was decided; without that event it has to be decided again.
    """

    audience: Audience
    seq: int
    by: int | None = None
    player: str | None = None
    guest: bool = False
    row: EventRef | None = None

    def check_reached(self, after: int, head: str | None) -> None:
        """Raises Problem `future-sequence` where there is nothing at `after`; a `head` says that it may be lost."""
        if after > self.seq and head is None:
            raise Problem("future-sequence", seq=self.seq)


class LogCheckpoint(NamedTuple):
    """How far the log had come: a position, and by what one can tell later if the log goes on from there."""

    position: int
    hash: bytes
    timeline: str


class LogProgress(NamedTuple):
    """versions: the last numbers of the tables that have moved. whole: whether the log goes on from `since`."""

    mark: LogCheckpoint
    versions: dict[str, int]
    whole: bool


EventPlace = tuple[str, int]
"""An event's table and number."""


class FoundEvents(NamedTuple):
    """heads: by place, of those events that the log has. last: the number of each table's newest event."""

    heads: dict[EventPlace, str]
    last: dict[str, int]


class EventsAfter(NamedTuple):
    """head: of the row behind which they stand, "" before the first, None where the log has none. events: as JSON objects
    {"type", "seq", "head", "data"}. known: the number of the newest row that the log was seen to have, which a delayed
    audience is told later."""

    head: str | None
    events: list[bytes]
    known: int = -1

    @property
    def last(self) -> bool:
        """Whether the log held no more."""
        return len(self.events) < SHORT


class WholeTable(NamedTuple):
    """The table up to `seq`. reset: the JSON object {"type": "reset", "seq", "head", "data": {"view"}}."""

    seq: int
    reset: bytes


def feed_name(table: str, audience: Audience) -> str:
    """The `sub` under which clients know a table's events."""
    return f"{table}:{'spectator' if audience == SPECTATOR else audience}"


class Authenticator(Protocol):
    async def access(self, token: str) -> Access:
        """What it is worth. Raises Problem `invalid-token`."""

    def watched(self, access: Access, over: Callable[[], None]) -> AbstractContextManager[None]:
        """Within the context `over` is called when the token ends."""


class Log(Protocol):
    async def viewpoint(self, player: str | None, table: str, as_: Audience | None) -> Viewpoint:
        """As whom `player` (None: nobody in particular) may follow the table; with `as_` None, whatever suits best.

        Raises Problem `not-found` or `forbidden`.
        """

    async def events_after(self, table: str, audience: Audience, after: int) -> EventsAfter:
        """The rows after `after` (-1: from the first), fit for the audience.

        A page of them, contiguous and ascending, and not SHORT unless the log holds no more. Raises Problem
        `future-sequence` if the log does not reach `after`, and one of status 503 while it cannot be read.
        """

    async def current_view(self, table: str, audience: Audience) -> WholeTable:
        """The table as the audience may see it now. Raises Problem `not-found`, and one of status 503 as `missed` does."""

    async def progress(self, tables: Collection[str], since: LogCheckpoint | None) -> LogProgress:
        """How far the whole log has come, and which of the tables have got rows behind `since`.

        With `since` None only how far. Raises a Problem of status 503 while the log cannot be read.
        """

    async def find_events(self, places: Collection[EventPlace]) -> FoundEvents:
        """Look up events in one query. Events of archived tables are not found.

        Raises a Problem of status 503 while the log cannot be read.
        """

    def apply_replicated(self, table: str, row: bytes) -> None:
        """Another process says that it has appended this row. Raises nothing, whatever it is."""


class CommandPort(Protocol):
    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, received: float, lag: float,
        minimal: bool = False,
    ) -> bytes:  # fmt: skip
        """Takes the JSON body of `POST /tables/{table}/commands` and gives the JSON of its answer.

        `key`: what REST takes as Idempotency-Key. `received`: when it had come, by the monotonic clock; `lag`: seconds that the
        way to the client and back was last measured to take. `minimal`: without the view. Raises Problem.
        """


class Ports(NamedTuple):
    players: Authenticator
    log: Log
    commands: CommandPort
    entropy: Entropy

"""What the live service asks of its neighbours: who a player is, what the log says, and to take a command."""

from collections.abc import Collection
from typing import NamedTuple, Protocol

Audience = int
"""A seat's index, or SPECTATOR."""
SPECTATOR: Audience = -1


SHORT = 16
"""Events. Of fewer is only the last page of a log: it held no more when it was read."""


class Place(NamedTuple):
    """From where somebody looks at a table. `seq`: the number of the event up to which this is known to hold.

    `by`: the looker's own seat, if without it they might not look from here; None if nobody can lose this place.
    """

    audience: Audience
    seq: int
    by: int | None = None


class Authenticator(Protocol):
    async def player(self, token: str) -> str:
        """The id of the player to whom `token` was given. Raises Problem `invalid-token`."""


class Log(Protocol):
    async def place(self, player: str | None, table: str, as_: Audience | None) -> Place:
        """As whom `player` (None: nobody in particular) may follow the table; with `as_` None, whatever suits best.

        Raises Problem `not-found` or `forbidden`.
        """

    async def missed(self, table: str, audience: Audience, after: int) -> list[bytes]:
        """The rows after `after` (-1: from the first), as JSON objects {"type", "seq", "data"} fit for the audience.

        A page of them, contiguous and ascending, and not SHORT unless the log holds no more. Raises Problem
        `future-sequence` if the log does not reach `after`, and one of status 503 while it cannot be read.
        """

    async def advanced(self, tables: Collection[str], since: int | None) -> tuple[int, dict[str, int]]:
        """How long the whole log is, and which of the tables have got rows behind position `since`: their last numbers.

        With `since` None only the length. Raises a Problem of status 503 while the log cannot be read.
        """


class Commands(Protocol):
    async def submit(self, player: str | None, table: str, key: str | None, body: bytes) -> bytes:
        """Takes the JSON body of `POST /tables/{table}/commands` and gives the JSON of its answer.

        `key`: what REST takes as Idempotency-Key. Raises Problem.
        """


class Ports(NamedTuple):
    players: Authenticator
    log: Log
    commands: Commands

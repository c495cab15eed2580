"""What the live service asks of its neighbours: who a player is, what the log says, and to take a command."""

from typing import Literal, NamedTuple, Protocol

Audience = int
"""A seat's index, or SPECTATOR."""
SPECTATOR: Audience = -1


class Authenticator(Protocol):
    async def player(self, token: str) -> str:
        """The id of the player to whom `token` was given. Raises Problem `invalid-token`."""


class Log(Protocol):
    async def audience(self, player: str | None, table: str, as_: int | Literal["spectator"] | None) -> Audience:
        """As whom `player` (None: nobody in particular) may follow the table; with `as_` None, whatever suits best.

        Raises Problem `not-found` or `forbidden`.
        """

    async def missed(self, table: str, audience: Audience, after: int) -> list[bytes]:
        """The rows after `after` (-1: from the first), as JSON objects {"seq", "type", "data"} fit for the audience.

        A page of them, contiguous and ascending; empty only when the log holds no more. Raises Problem
        `future-sequence` if the log does not reach `after`, and one of status 503 while it cannot be read.
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

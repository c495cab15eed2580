"""Commands, from bytes to bytes. HTTP and the WebSocket share it, so a command means the same wherever it comes in."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from eventstore import StoreUnavailable
from services import ids
from services.api.parameters import KEY
from services.idempotency import LONGEST_KEY, PATTERN, Identity, identity_of
from services.parsing import parsed
from services.problems import Problem
from services.tables.bodies import Command
from services.tables.tables import Tables

_decoder = msgspec.json.Decoder(Command)
_encode = msgspec.json.Encoder().encode


class Commands:
    """Takes commands as bytes and answers in bytes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._under_way: set[tuple[UUID, UUID]] = set()

    async def submit(
        self, player: str | None, table: str, key: str | None, body: bytes, *, minimal: bool = False
    ) -> bytes:
        """The JSON of what `POST /tables/{table}/commands` takes, and that of its answer. Raises Problem."""
        if player is None:
            raise Problem("unauthenticated")
        stream, command = stream_of(table), parsed(body, _decoder)
        identity = identity_of(key, player, command)
        with self._alone(stream, identity), stored():
            accepted = await self._tables.command(stream, player, command, identity)
        return _encode(msgspec.structs.replace(accepted, view=UNSET) if minimal else accepted)

    @contextmanager
    def _alone(self, stream: UUID, identity: Identity | None) -> Iterator[None]:
        """One at a time with the same key; two processes are told apart by the store."""
        if identity is None:
            yield
            return
        claim = stream, identity.key
        if claim in self._under_way:
            raise Problem("key-in-use", retry_after=1)
        self._under_way.add(claim)
        try:
            yield
        finally:
            self._under_way.remove(claim)


@contextmanager
def stored() -> Iterator[None]:
    """A store that stays away is a problem of its own. Raises Problem `unavailable`."""
    try:
        yield
    except StoreUnavailable as error:
        raise Problem("unavailable", retry_after=5) from error


def stream_of(table_id: str) -> UUID:
    """Raises Problem `not-found`: an id is opaque, a malformed one is one that does not exist."""
    try:
        return ids.decode(table_id)
    except ValueError:
        raise Problem("not-found") from None


POST_COMMAND: dict[str, Any] = {
    "operationId": "post_command",
    "tags": ["tables"],
    "summary": "Answer what one's seat is asked.",
    "description": """Accepted iff the choice's `since` <= `expected_seq` <= the table's `seq` and the action is among
the choice's offers. An older `expected_seq` is told which events it missed.""",
    "parameters": [
        {
            "name": "table_id",
            "in": "path",
            "required": True,
            "description": "The table's id.",
            "schema": {"type": "string", "pattern": ids.PATTERN},
        },
        {
            "name": KEY.name,
            "in": "header",
            "required": False,
            "description": KEY.description,
            "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": PATTERN},
        },
        {
            "name": "Prefer",
            "in": "header",
            "required": False,
            "description": "`return=minimal` leaves the view out of the answer; other wishes are passed over.",
            "schema": {"type": "string", "maxLength": 256},
        },
    ],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"$ref": "#/components/schemas/Command"},
                "example": {"expected_seq": 7, "action": {"id": "lead:3", "subset": [12, 48]}},
            }
        },
    },
    "responses": {
        "200": {
            "description": "The events that the command made, as its seat may see them, and the view after them.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Accepted"}}},
        }
    },
}
"""What the OpenAPI document says of commands; `front` serves them, which Litestar does not know."""

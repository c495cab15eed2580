"""Chat at tables, with one room for the seats and one for spectators.

Messages are not stored in the log, so they can be removed, and they expire.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
KEPT = timedelta(days=30)
"""How long messages are kept."""
EVERY = 60.0
"""Seconds between two deletions of expired messages."""
MOST = 1000
"""Maximum number of messages deleted at a time."""
MANY, WITHIN = 10, timedelta(seconds=30)
"""How many messages a player may send within how much time, at all tables together."""
Room = Literal["seats", "spectators"]
Gone = Literal["hidden", "deleted"]
COLUMNS = "id, room, number, player, phrase, text, at, gone"


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message.

    - `number` counts the messages of the room.
    - `phrase` is the id of a predefined phrase; all other messages have a `text`.
    - `at` is the time in RFC 3339.
    - `gone` says that the message is no longer shown: `hidden` by its author, or `deleted` by the table's host.
    """

    id: str
    room: Room
    number: int
    player: str
    phrase: str | None
    text: str | None
    at: str
    gone: Gone | None


class Chat:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def say(
        self, stream: UUID, room: Room, player: str, message: UUID, phrase: str | None, text: str | None
    ) -> ChatMessage:
        """Store a message, unless it is stored already. Raises Problem `rate-limited`."""
        if said := await self.find(stream, message):
            return said
        await self._check_pace(player)
        await self._database.row(
            """with next as (
                 insert into chat.rooms as r (table_id, room, last)
                 select $2, $3, 1 where not exists (select from chat.messages where id = $1)
                 on conflict (table_id, room) do update set last = r.last + 1 returning last
               )
               insert into chat.messages (id, table_id, room, number, player, phrase, text)
               select $1, $2, $3, last, $4, $5, $6 from next on conflict (id) do nothing""",
            message, stream, room, player, phrase, text,
        )  # fmt: skip
        return await self.found(stream, message)

    async def found(self, stream: UUID, message: UUID) -> ChatMessage:
        """Return a message. Raises Problem `not-found`."""
        said = await self.find(stream, message)
        if said is None:
            raise Problem("not-found")
        return said

    async def find(self, stream: UUID, message: UUID) -> ChatMessage | None:
        row = await self._database.row(
            f"select {COLUMNS} from chat.messages where id = $1 and table_id = $2", message, stream
        )
        return None if row is None else message_of(row)

    async def page(
        self, stream: UUID, room: Room, after: int, limit: int, barred: Collection[str] = ()
    ) -> Sequence[ChatMessage]:
        """Return messages, oldest first. Messages from barred players appear as hidden."""
        rows = await self._database.rows(
            f"""select {COLUMNS} from chat.messages where table_id = $1 and room = $2 and number > $3
                order by number limit $4""",
            stream, room, after, limit,
        )  # fmt: skip
        return [message_of(row, row["player"] in barred) for row in rows]

    async def read_by(self, stream: UUID, room: Room, player: str) -> int:
        """Return the number of the last message that the player has read."""
        row = await self._database.row(
            "select number from chat.reads where player = $1 and table_id = $2 and room = $3", player, stream, room
        )
        return row["number"] if row else 0

    async def mark_read(self, stream: UUID, room: Room, player: str, number: int) -> None:
        """Record that the player has read all messages up to this number. Never goes back.

        A number that was not given yet stands for the last message.
        """
        await self._database.row(
            """insert into chat.reads as d (player, table_id, room, number)
               select $1, table_id, room, least(last, $4) from chat.rooms where table_id = $2 and room = $3
               on conflict (player, table_id, room) do update set number = excluded.number, at = clock_timestamp()
               where d.number < excluded.number""",
            player, stream, room, number,
        )  # fmt: skip

    async def hide(self, stream: UUID, message: UUID) -> ChatMessage:
        """Hide a message. Its content is kept until it expires, but no longer shown."""
        await self._database.row("update chat.messages set gone = 'hidden' where id = $1 and gone is null", message)
        return await self.found(stream, message)

    async def delete(self, stream: UUID, message: UUID) -> ChatMessage:
        """Delete a message's content."""
        await self._database.row(
            "update chat.messages set gone = 'deleted', phrase = null, text = null where id = $1", message
        )
        return await self.found(stream, message)

    async def keep(self) -> None:
        """Delete expired messages regularly, until cancelled."""
        while True:
            try:
                while await self.forget() == MOST:
                    continue
            except Problem as problem:
                tried_again(log, "old messages are kept until the next round: %s", problem)
            await asyncio.sleep(EVERY)

    async def forget(self) -> int:
        """Delete up to MOST expired messages, and return how many were deleted."""
        rows = await self._database.rows(
            """delete from chat.messages where id in
                 (select id from chat.messages where at <= clock_timestamp() - $1::interval limit $2) returning id""",
            KEPT, MOST,
        )  # fmt: skip
        return len(rows)

    async def _check_pace(self, player: str) -> None:
        """Raise Problem `rate-limited` if the player has sent too many messages.

        The limit is for each player, so that others at the same network address are not affected.
        """
        row = await self._database.row(
            "select count(*) as said from chat.messages where player = $1 and at > clock_timestamp() - $2::interval",
            player, WITHIN,
        )  # fmt: skip
        if row is not None and row["said"] >= MANY:
            raise Problem("rate-limited", retry_after=round(WITHIN.total_seconds()))


def message_of(row: Any, hidden: bool = False) -> ChatMessage:
    gone: Gone | None = row["gone"] or ("hidden" if hidden else None)
    phrase, text = (None, None) if gone else (row["phrase"], row["text"])
    return ChatMessage(
        ids.encode(row["id"]), row["room"], row["number"], row["player"], phrase, text, row["at"].isoformat(), gone
    )

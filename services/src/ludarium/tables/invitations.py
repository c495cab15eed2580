"""Invitations to tables, by name or by link.

Invitations can be revoked. They are not stored in the log, so events never contain a link's secret.
"""
from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Collection
from datetime import datetime
from hashlib import blake2b
from uuid import UUID

import msgspec
from asyncpg import Record

from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.tables.model.access import Proof

MOST = 100
"""Maximum number of links and invited players of one table, together."""
SECRET = 32
"""Random bytes in a link's secret."""
LONGEST = 64
"""Maximum number of characters of a secret in a request."""


class Link(msgspec.Struct, frozen=True):
    """An invitation link.

    - `secret` is returned only once, to the player who made the link.
    - `used` is the number of players who have joined by it, and `most` is the limit.
    - `expires_at` is in RFC 3339.
    """

    id: str
    most: int
    used: int
    expires_at: str
    revoked: bool
    secret: str | None = None


class TableGuest(msgspec.Struct, frozen=True):
    """An invited player.

    `way` says whether the player was invited by name (`invitation`) or by a link.
    """

    player: str
    way: Proof
    link: str | None


class Invited(msgspec.Struct, frozen=True):
    """A table to which the player is invited."""

    table: str
    way: Proof


ROOM = f"""select (select count(*) from entry.links where table_id = $1)
                + (select count(*) from entry.guests where table_id = $1) < {MOST} as is_left"""
"""SQL query whose `is_left` is true if table $1 may have another invitation."""


class Invitations:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def proof(self, stream: UUID, player: str | None) -> Proof | None:
        """Return whether an invitation or a link lets the player in, None if neither does."""
        if player is None:
            return None
        row = await self._database.row(
            """select g.link from entry.guests g left join entry.links l on l.id = g.link
               where g.table_id = $1 and g.player = $2 and g.revoked_at is null and l.revoked_at is null""",
            stream, player,
        )  # fmt: skip
        return None if row is None else "invitation" if row["link"] is None else "link"

    # --- by name ------------------------------------------------------------------------------------------------------
    async def invite(self, stream: UUID, player: str, seat: int | None = None, *, again: bool = True) -> None:
        """Invite a player. Raises Problem `too-many-invitations`.

        Args:
            seat: the seat that the player gets if it is free and the player chooses no other.
            again: whether to renew the invitation of a player who was invited before or has declined.
        """
        row = await self._database.row_one_at_a_time(
            stream,
            f"""with room as ({ROOM}),
                     made as (insert into entry.guests (table_id, player, seat) select $1, $2, $3 from room where is_left
                              on conflict (table_id, player) do update
                              set link = null, revoked_at = null, invited_at = now(), seat = excluded.seat where $4)
                select is_left from room""",
            stream, player, seat, again,
        )  # fmt: skip
        check_room(row)

    async def seat_of(self, stream: UUID, player: str) -> int | None:
        """Return the seat for which a player is invited."""
        row = await self._database.row(
            "select seat from entry.guests where table_id = $1 and player = $2 and revoked_at is null", stream, player
        )
        return row["seat"] if row else None

    async def revoke(self, stream: UUID, player: str) -> None:
        """End an invitation, because the host withdraws it or the player declines it."""
        await self._database.row(
            "update entry.guests set revoked_at = now() where table_id = $1 and player = $2 and revoked_at is null",
            stream, player,
        )  # fmt: skip

    async def guests(self, stream: UUID) -> list[TableGuest]:
        rows = await self._database.rows(
            """select player, link from entry.guests where table_id = $1 and revoked_at is null
               order by invited_at, player""",
            stream,
        )
        return [TableGuest(row["player"], *way_of(row["link"])) for row in rows]

    async def of(self, player: str, barred: Collection[str] = ()) -> list[Invited]:
        """Return the player's invitations, the newest first.

        Tables with barred players are left out.
        """
        rows = await self._database.rows(
            """select table_id, link from entry.guests g where player = $1 and revoked_at is null
                 and not exists (select from entry.links l where l.id = g.link and l.revoked_at is not null)
                 and not exists (select from turns.parts p where p.id = g.table_id and p.player = any($3))
               order by invited_at desc, table_id limit $2""",
            player, MOST, [*barred],
        )  # fmt: skip
        return [Invited(ids.encode(row["table_id"]), way_of(row["link"])[0]) for row in rows]

    # --- by link ------------------------------------------------------------------------------------------------------
    async def new_link(self, stream: UUID, link: UUID, most: int, expires_at: datetime, key: str | None) -> Link:
        """Create a link. If a request is repeated with the same key, the secret is equal.

        Raises:
            Problem: `too-many-invitations`.
        """
        identifier, secret = link, secret_of(key or secrets.token_urlsafe(SECRET), link)
        row = await self._database.row_one_at_a_time(
            stream,
            f"""with room as ({ROOM}),
                     made as (insert into entry.links (id, table_id, secret, most, expires_at)
                              select $2, $1, $3, $4, $5 from room where is_left on conflict do nothing)
                select is_left from room""",
            stream, identifier, digest(secret), most, expires_at,
        )  # fmt: skip
        check_room(row)
        return Link(ids.encode(identifier), most, 0, expires_at.isoformat(), False, secret)

    async def links(self, stream: UUID) -> list[Link]:
        rows = await self._database.rows("select * from entry.links where table_id = $1 order by id", stream)
        return [
            Link(ids.encode(row["id"]), row["most"], row["used"], row["expires_at"].isoformat(), row["revoked_at"] is not None)
            for row in rows
        ]

    async def revoke_link(self, stream: UUID, link: UUID) -> None:
        """Revoke a link. Players who came by the link but have no seat lose their access.

        Raises:
            Problem: `not-found` if the table has no such link.
        """
        row = await self._database.row(
            "update entry.links set revoked_at = coalesce(revoked_at, now()) where table_id = $1 and id = $2 returning id",
            stream, link,
        )  # fmt: skip
        if row is None:
            raise Problem("not-found")

    async def led_to(self, secret: str) -> UUID | None:
        """Return the table of the link with this secret, None if there is no such link.

        The link may have expired or been revoked.
        """
        row = await self._database.row("select table_id from entry.links where secret = $1", digest(secret))
        return None if row is None else row["table_id"]

    async def accept(self, player: str, secret: str) -> UUID:
        """Invite the player by a link, and return the link's table.

        If the same player uses the link repeatedly, only the first use is counted.

        Raises:
            Problem: `not-found`, `invitation-revoked`, `invitation-used`.
        """
        link = await self._database.row(
            """select id, table_id, revoked_at is not null or expires_at < now() as over from entry.links
               where secret = $1""",
            digest(secret),
        )
        if link is None:
            raise Problem("not-found")
        if link["over"]:
            raise Problem("invitation-revoked")
        if await self.proof(link["table_id"], player) is None and not await self._let_in(link["id"], player):
            raise Problem("invitation-used")
        table: UUID = link["table_id"]
        return table

    async def _let_in(self, link: UUID, player: str) -> bool:
        row = await self._database.row(
            """with l as (update entry.links set used = used + 1 where id = $1 and used < most and revoked_at is null
                          returning id, table_id)
               insert into entry.guests (table_id, player, link) select table_id, $2, id from l
               on conflict (table_id, player) do update set link = excluded.link, revoked_at = null, invited_at = now()
               returning player""",
            link, player,
        )  # fmt: skip
        return row is not None


def check_room(row: Record | None) -> None:
    """Raise Problem `too-many-invitations` if `is_left` in this row is false."""
    if row and not row["is_left"]:
        raise Problem("too-many-invitations")


def way_of(link: UUID | None) -> tuple[Proof, str | None]:
    return ("invitation", None) if link is None else ("link", ids.encode(link))


def secret_of(key: str, link: UUID) -> str:
    made = blake2b(key.encode(), digest_size=SECRET, salt=link.bytes, person=b"table link").digest()
    return urlsafe_b64encode(made).decode().rstrip("=")


def digest(secret: str) -> bytes:
    return blake2b(secret.encode(), digest_size=32).digest()

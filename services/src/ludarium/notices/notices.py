"""What waits for players now, derived from tables, invitations and moderation.

A notice is nowhere stored as such: it is in the list for as long as its cause lasts, so a settled one is gone at once.
Only what players do with notices is stored.
"""
from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from ludarium.moderation.acts import VISIBLE_TO_PLAYER
from ludarium.notices.schemas import Notice, NoticePage
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.registry import Projections
from ludarium.projections.turns import DEADLINE
from ludarium.tables.model.timing import ms, timestamp

MAX_RULINGS = 50
"""Number of rulings about a player in the list, the newest ones."""
PLAYERS = "with me as (select * from unnest($1::text[], $2::uuid[]) as me(player, id))"
AT_TABLES = f"""
    select w.player, w.kind, w.id as "table", w.seat, w.seq, w.at, w.by, w.detail as question, w.ruleset,
           case when w.kind = 'your_turn' then {DEADLINE} end as until, null as verdict, null as reason,
           null::uuid as inviter, w.seq::text as mark
    from me join turns.waiting w on w.player = me.player left join turns.parts p on p.id = w.id and p.part = w.seat
    where not exists (select from unnest($3::text[], $4::text[]) as b(player, other)
                      where (b.player, b.other) = (w.player, w.by))"""
"""Selects what waits at tables, except what blocked players caused."""
INVITATIONS = """
    select g.player, 'invited', g.table_id, g.seat::int, null, g.invited_at, host.player, null,
           host.ruleset, a.until, null, null, a.host_id, ''
    from me join entry.guests g on g.player = me.player
    join lateral (select body ->> 'ruleset' as ruleset, body ->> 'creator' as player from turns.parts p
                  where p.id = g.table_id and p.status = 'open' limit 1) host on true
    left join accounts.asked a on a.object = g.table_id and a.player_id = me.id
    where g.revoked_at is null and g.link is null and coalesce(a.until >= now(), true)
      and not exists (select from turns.parts p where p.id = g.table_id and p.player = g.player and p.part >= 0
                      and p.body -> 'seats' -> p.part ->> 'player' = g.player)
      and not exists (select from unnest($3::text[], $4::text[]) as b(player, other)
                      join turns.parts p on p.id = g.table_id and p.player = b.other where b.player = g.player)"""
"""Selects invitations by name to open tables where the player does not sit, and where nobody blocked has a part."""
RULINGS = f"""
    select me.player, 'ruling', null, null, null, a.at, null, null, null, a.until, a.kind, a.reason, null, a.id::text
    from me join lateral (select * from accounts.acts where player_id = me.id and kind = any($5)
                          order by at desc limit {MAX_RULINGS}) a on true"""
"""Selects the acts of moderators that players may read."""
SELECT = f"""
    {PLAYERS}, notices as ({AT_TABLES} union all {INVITATIONS} union all {RULINGS})
    select * from notices"""


class Notices:
    """The notices of players."""

    def __init__(self, database: Database, projections: Projections) -> None:
        self._database, self._projections = database, projections

    async def of(self, players: Collection[str]) -> dict[str, list[Notice]]:
        """Return each player's notices, the newest first."""
        decoded = [ids.decode(player) for player in players]
        barred = await self._barred_pairs(decoded)
        rows = await self._database.rows(
            SELECT, [*players], decoded, [a for a, _ in barred], [b for _, b in barred], [*VISIBLE_TO_PLAYER]
        )
        read = await self._read_by(decoded)
        found: dict[str, list[Notice]] = {player: [] for player in players}
        for row in rows:
            found[row["player"]].append(notice_of(row, read))
        return {player: sorted(notices, key=lambda notice: notice.id, reverse=True) for player, notices in found.items()}

    async def page(self, player: str, after: str | None, limit: int, unread: bool) -> NoticePage:
        """Return a page of the player's notices, which include all that this process has committed.

        Args:
            unread: whether to leave out those that the player has read.
        """
        await self._projections.turns_settled()
        found = (await self.of([player]))[player]
        count = sum(not notice.read for notice in found)
        listed = [notice for notice in found if not (unread and notice.read)]
        rest = [notice for notice in listed if after is None or notice.id < after]
        return NoticePage(rest[:limit], count, rest[limit - 1].id if len(rest) > limit else None)

    async def mark_read(self, player: str, notices: Collection[str]) -> None:
        """Mark some of the player's notices as read. Those that are settled already are skipped.

        Marks of settled notices are deleted.
        """
        current = [notice.id for notice in (await self.of([player]))[player]]
        await self._database.rows(
            """with settled as (delete from notices.reads where player_id = $1 and notice <> all($2))
               insert into notices.reads (player_id, notice) select $1, * from unnest($3::uuid[]) on conflict do nothing""",
            ids.decode(player), [ids.decode(notice) for notice in current],
            [ids.decode(notice) for notice in current if notice in notices],
        )  # fmt: skip

    async def _barred_pairs(self, players: Sequence[UUID]) -> list[tuple[str, str]]:
        rows = await self._database.rows(
            """select player_id as a, other_id as b from accounts.blocks where player_id = any($1)
               union select other_id, player_id from accounts.blocks where other_id = any($1)""",
            players,
        )
        return [(ids.encode(row["a"]), ids.encode(row["b"])) for row in rows]

    async def _read_by(self, players: Sequence[UUID]) -> set[tuple[str, UUID]]:
        rows = await self._database.rows("select player_id, notice from notices.reads where player_id = any($1)", players)
        return {(ids.encode(row["player_id"]), row["notice"]) for row in rows}


def notice_of(row: Any, read: Collection[tuple[str, UUID]]) -> Notice:
    table, until, inviter = row["table"], row["until"], row["inviter"]
    identifier = identifier_of(row["at"], row["kind"], table, row["mark"])
    return Notice(
        id=ids.encode(identifier), kind=row["kind"], at=timestamp(row["at"]), read=(row["player"], identifier) in read,
        table=table and ids.encode(table), ruleset=row["ruleset"], seat=seat_of(row["seat"]), seq=row["seq"],
        by=ids.encode(inviter) if inviter else row["by"], question=row["question"], until=until and timestamp(until),
        verdict=row["verdict"], reason=row["reason"],
    )  # fmt: skip


def seat_of(seat: int | None) -> int | None:
    return None if seat is None or seat < 0 else seat


def identifier_of(at: datetime, kind: str, subject: UUID | None, mark: str) -> UUID:
    """Return the id of a notice, which follows from what it is about. Ids sort by time.

    Args:
        mark: distinguishes notices of the same kind about the same table, such as the number of an event.
    """
    return ids.derived_id(ms(at), b"", f"{kind} {subject} {mark}".encode())

"""Current notices, derived from tables, invitations, chats and other features.

Notices themselves are not stored. A notice is in the list as long as its cause lasts, so a settled notice is gone
immediately. Only what players do with notices is stored. See docs/decisions/138.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace

from ludarium.moderation.acts import VISIBLE_TO_PLAYER
from ludarium.notices.preferences import ALL_WANTED, PreferenceStore
from ludarium.notices.schemas import Notice, NoticePage
from ludarium.notices.selection import SELECT
from ludarium.notices.tournament_calls import TournamentCalls, notices_of_calls
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.projections.registry import Projections
from ludarium.tables.model.timing import ms, timestamp

LOW = 0.9
"""The part of the time for a turn after which the clock is low."""


class Notices:
    """The notices of players."""

    def __init__(
        self, database: Database, projections: Projections, calls: TournamentCalls, now: Callable[[], datetime]
    ) -> None:
        self._database, self._projections, self._calls, self._now = database, projections, calls, now
        self.preferences = PreferenceStore(database)

    async def of(self, players: Collection[str]) -> dict[str, list[Notice]]:
        """Return each player's notices, the newest first."""
        decoded = [ids.decode(player) for player in players]
        barred = await self._barred_pairs(decoded)
        rows = await self._database.rows(
            SELECT, [*players], decoded, [a for a, _ in barred], [b for _, b in barred], [*VISIBLE_TO_PLAYER]
        )
        called, read, wanted = await self._calls.of(players), await self._read_by(decoded), await self.preferences.of(decoded)
        found = {player: [*notices_of_calls(called.get(player, ()))] for player in players}
        for row in rows:
            found[row["player"]] += notices_of(row, self._now())
        return {
            player: ordered(filter(wanted.get(player, ALL_WANTED).allow, notices), read.get(player, set()))
            for player, notices in found.items()
        }

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

    async def _read_by(self, players: Sequence[UUID]) -> dict[str, set[str]]:
        rows = await self._database.rows("select player_id, notice from notices.reads where player_id = any($1)", players)
        found: dict[str, set[str]] = {}
        for row in rows:
            found.setdefault(ids.encode(row["player_id"]), set()).add(ids.encode(row["notice"]))
        return found


def ordered(notices: Iterable[Notice], read: Collection[str]) -> list[Notice]:
    """Return notices with the newest first, marked as read if their ids are in `read`."""
    marked = [replace(notice, read=True) if notice.id in read else notice for notice in notices]
    return sorted(marked, key=lambda notice: notice.id, reverse=True)


def notices_of(row: Any, now: datetime) -> Iterator[Notice]:
    """Yield the notice of a row, and for a turn whose time is nearly over another one of the clock."""
    yield notice_of(row, row["kind"], row["at"])
    if row["kind"] == "your_turn" and row["until"] is not None:
        low_at = row["at"] + LOW * (row["until"] - row["at"])
        if now >= low_at:
            yield notice_of(row, "clock_low", low_at)


def notice_of(row: Any, kind: Any, at: datetime) -> Notice:
    table, tournament, until, inviter = row["table"], row["tournament"], row["until"], row["inviter"]
    identifier = identifier_of(at, kind, table or tournament, row["mark"])
    return Notice(
        id=ids.encode(identifier), kind=kind, at=timestamp(at), read=False, table=table and ids.encode(table),
        tournament=tournament and ids.encode(tournament), ruleset=row["ruleset"], seat=seat_of(row["seat"]), seq=row["seq"],
        by=ids.encode(inviter) if inviter else row["by"], question=row["question"], until=until and timestamp(until),
        verdict=row["verdict"], reason=row["reason"], count=row["count"],
    )  # fmt: skip


def seat_of(seat: int | None) -> int | None:
    return None if seat is None or seat < 0 else seat


def identifier_of(at: datetime, kind: str, subject: UUID | None, mark: str) -> UUID:
    """Return the id of a notice, which follows from what it is about. Ids sort by time.

    Args:
        mark: distinguishes notices of the same kind about the same table, such as the number of an event.
    """
    return ids.derived_id(ms(at), b"", f"{kind} {subject} {mark}".encode())

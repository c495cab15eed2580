"""Checks whom a player may invite or seat, and limits on open invitations.

They apply to joining, invitations to tables, rematches, bulk tables, imports of entries and substitutes. See
docs/decisions/099.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Literal
from uuid import UUID

from ludarium.accounts import relations
from ludarium.accounts.access import Access, Player
from ludarium.accounts.accounts import Accounts
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

MAX_OF_HOST = 2000
"""Maximum number of open invitations from one host."""
MAX_OF_PLAYER = 100
"""Maximum number of open invitations to one player, from all hosts together."""
MAX_FROM_HOST = 20
"""Maximum number of open invitations from one host to one player, so that a host cannot use up the player's limit."""
INSERT_INVITATIONS = """
with gone as (delete from accounts.asked where until < now() and (host_id = $1 or player_id = any($3))),
     wanted as (select object, player_id from unnest($2::uuid[], $3::uuid[]) as wanted (object, player_id)
                join accounts.players p on p.id = player_id
                where not exists (select from accounts.asked a where (a.object, a.player_id) = (wanted.object, wanted.player_id)
                                  and a.until >= now())),
     mine as (select count(*) as many from accounts.asked where host_id = $1 and until >= now()),
     open as (select player_id, count(*) as many, count(*) filter (where host_id = $1) as from_host
              from accounts.asked where player_id = any($3) and until >= now() group by player_id),
     theirs as (select w.player_id, count(distinct w.object) + coalesce(max(o.many), 0) as many,
                       count(distinct w.object) + coalesce(max(o.from_host), 0) as from_host
                from wanted w left join open o using (player_id) group by w.player_id),
     room as (select (select many from mine) + (select count(*) from wanted) <= $5
                     and not exists (select from theirs where many > $6 or from_host > $8) as is_left),
     made as (insert into accounts.asked (kind, object, player_id, host_id, until)
              select $7, object, player_id, $1, $4 from wanted, room where is_left
              on conflict (object, player_id) do update set host_id = excluded.host_id, until = excluded.until, at = now()
              returning object, player_id)
select (select is_left from room) as is_left, array(select player_id from made) as made,
       array(select object from made) as objects
"""
Kind = Literal["table", "tournament"]
Invitation = tuple[UUID, str]
"""Id of a table or tournament, and the id of the invited player."""


class Consent:
    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database, self._accounts = database, accounts

    async def reachable(self, host: str, players: Iterable[str]) -> dict[str, Player]:
        """Return the players that a host may invite or seat, by id.

        Players who block the host, or whom the host blocks, are left out as if they did not exist.
        """
        found = await self._accounts.named(players)
        barred = await relations.blocked_either_way(self._database, host)
        return {player: one for player, one in found.items() if player not in barred}

    async def ask(
        self, host: str, kind: Kind, invitations: Collection[Invitation], until: datetime, from_host: int = MAX_FROM_HOST
    ) -> list[Invitation]:
        """Reserve room for a host's invitations before they are sent, for all or none.

        Args:
            until: when unanswered invitations expire.
            from_host: how many open invitations a player may have from this host.

        Returns:
            The new invitations, without those that were already open.

        Raises:
            Problem: `too-many-invitations` if the host or one of the players would have too many.
        """
        if not invitations:
            return []
        row = await self._database.row_one_at_a_time(
            "invitations", INSERT_INVITATIONS, ids.decode(host), [object for object, _ in invitations],
            [ids.decode(one) for _, one in invitations],
            until, MAX_OF_HOST, MAX_OF_PLAYER, kind, from_host,
        )  # fmt: skip
        if row is None or not row["is_left"]:
            raise Problem("too-many-invitations")
        return [(object, ids.encode(player)) for object, player in zip(row["objects"], row["made"], strict=True)]

    async def settle(self, invitations: Collection[Invitation]) -> None:
        """Close invitations that were accepted, declined, withdrawn or never sent."""
        if invitations:
            await self._database.rows(
                """delete from accounts.asked a using unnest($1::uuid[], $2::uuid[]) as over (object, player_id)
                   where (a.object, a.player_id) = (over.object, over.player_id)""",
                [object for object, _ in invitations], [ids.decode(player) for _, player in invitations],
            )  # fmt: skip

    async def open_to(self, player: str, kind: Kind) -> list[UUID]:
        """Return the tables or tournaments that the player is invited to, newest first."""
        rows = await self._database.rows(
            "select object from accounts.asked where player_id = $1 and kind = $2 and until >= now() order by at desc, object",
            ids.decode(player), kind,
        )
        return [row["object"] for row in rows]


def may_seat_directly(access: Access) -> bool:
    """Return whether this player may seat others without their consent.

    Organisers may, since their players sign up elsewhere.
    """
    return access.role == "organiser"

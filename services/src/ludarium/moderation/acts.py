"""Moderators' acts on players, and the audit log that records all acts."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import asyncpg
import msgspec
from cachetools import TTLCache
from msgspec import Meta

from ludarium.accounts.access import STAFF, Access, Role
from ludarium.accounts.names import MAX_NAME_LENGTH, checked_name
from ludarium.accounts.secrets import digest, new_key, rejoin_code_of
from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem

MIN_SECONDS, MAX_SECONDS = 60, 10 * 365 * 86_400
MAX_SECONDS_BY_MODERATOR = 30 * 86_400
"""Seconds of the longest ban that a moderator can set; administrators can set longer ones."""
RANKS: dict[Role, int] = {"player": 0, "organiser": 0, "moderator": 1, "admin": 2}
OPERATOR = 3
"""The highest rank: a person with access to the machine."""
PAGE_SIZE = 50
DRAIN_CACHE_SECONDS = 1.0
"""For how long a process caches whether new tables are refused."""
PlayerActKind = Literal["warn", "mute", "unmute", "ban", "unban", "rename", "revoke"]
ActKind = Literal[
    PlayerActKind, "hide", "unlist", "close", "void", "unrate", "sanction", "drain", "undrain", "report", "grant", "enrol",
]  # fmt: skip
TIMED_ACTS = ("mute", "ban")
VISIBLE_TO_PLAYER = ("warn", "mute", "unmute", "ban", "unban", "rename", "hide", "unlist")
"""Acts that the affected player can read."""
MAX_REASON_LENGTH = 500
Reason = Annotated[
    str, Meta(min_length=1, max_length=MAX_REASON_LENGTH, examples=["Insults at the table, after a warning"])
]
INSERT_ACT = """with act as (insert into accounts.acts (id, kind, by_id, player_id, table_id, reason, until)
                         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning *)"""
INSERT_SANCTION = """insert into accounts.sanctions (player_id, kind, until, reason)
              select player_id, '{kind}', until, reason from act
              on conflict (player_id, kind) do update set until = excluded.until, reason = excluded.reason"""
END_SANCTION = "update accounts.sanctions s set until = now() from act where s.player_id = act.player_id and s.kind = '{kind}'"
EFFECTS = {
    "mute": INSERT_SANCTION.format(kind="mute"), "unmute": END_SANCTION.format(kind="mute"),
    "ban": INSERT_SANCTION.format(kind="ban"), "unban": END_SANCTION.format(kind="ban"),
    "rename": "update accounts.players p set name = $8 from act where p.id = act.player_id",
    "revoke": """, families as (delete from accounts.grants g using act where g.player_id = act.player_id)
                 delete from accounts.tokens t using act where t.player_id = act.player_id or t.player_id in
                 (select id from accounts.players where owner_id = act.player_id)""",
    "hide": """, comment as (update studies.comments c set hidden_at = now() from act where c.id = $8)
               update studies.studies s set hidden_at = now() from act where s.id = $8""",
    "unlist": """update tournament_texts.names n set name = '', withdrawn = true from act
                 where (n.tournament, n.player_id) = (act.table_id, act.player_id)""",
    "grant": "update accounts.players p set role = $8 from act where p.id = act.player_id",
    "enrol": "insert into accounts.enrolments (hash, player_id) select $8, player_id from act",
    "drain": "insert into accounts.drains (reason) select reason from act on conflict do nothing",
    "undrain": "delete from accounts.drains using act",
    "report": """update accounts.reports r set closed_at = now(), closed_by = by_id from act
                 where r.id = $8 and closed_at is null""",
}  # fmt: skip
"""SQL that applies an act, run in the statement that records it. Other kinds are only recorded."""


class NewAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An act on a player.

    - `reason` is stored in the audit, and shown to the player except for `revoke`.
    - `seconds` is the length of a mute or ban.
    - `name` is the new name for a rename.
    """

    act: PlayerActKind
    reason: Reason
    seconds: Annotated[int, Meta(ge=MIN_SECONDS, le=MAX_SECONDS)] | None = None
    name: Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)] | None = None


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the audit.

    - `by` is the id of the moderator; null for an operator.
    - `player` and `table` are those that the act concerns. For `sanction` and `unlist`, `table` is the tournament.
    """

    id: str
    kind: ActKind
    by: str | None
    player: str | None
    table: str | None
    reason: str
    until: datetime | None
    at: datetime


class Moderation:
    def __init__(self, database: Database, tokens: Tokens) -> None:
        self._database, self._tokens = database, tokens
        self._drain_cache: TTLCache[None, tuple[str | None]] = TTLCache(1, DRAIN_CACHE_SECONDS)

    async def act(self, by: Access | None, player: str, act: NewAct, act_id: UUID) -> None:
        """Apply an act to a player and record it; a repeated `act_id` changes nothing.

        Args:
            by: the moderator, None for an operator at the command line.

        Raises:
            Problem: `not-found`, `forbidden`, `invalid-request`, `unkind-words`.
        """
        check_fields(act)
        await self._check_rank(by, player)
        if by is not None and by.role != "admin" and (act.act == "revoke" or (act.seconds or 0) > MAX_SECONDS_BY_MODERATOR):
            raise Problem("forbidden", "for administrators")
        until = datetime.now(UTC) + timedelta(seconds=act.seconds) if act.seconds else None
        extra = [checked_name(act.name)] if act.name else []
        await self.record(by, act.act, act_id, act.reason, *extra, player=player, until=until)
        self._tokens.forget_player(player)
        self._tokens.end([])

    async def record(
        self, by: Access | None, kind: ActKind, act_id: UUID, reason: str, *extra: Any, player: str | None = None,
        table: str | None = None, until: datetime | None = None,
    ) -> None:  # fmt: skip
        """Record an act and apply its effect in one SQL statement.

        A repeated `act_id` changes nothing.

        Args:
            extra: the parameters of the effect, from $8 on.
        """
        by_id, player_id, table_id = (each and ids.decode(each) for each in (by and by.player.id, player, table))
        effect = EFFECTS.get(kind, "select from act")
        await self._database.row(f"{INSERT_ACT} {effect}", act_id, kind, by_id, player_id, table_id, reason, until, *extra)
        self._drain_cache.clear()

    async def is_recorded(self, act_id: UUID) -> bool:
        """Return whether the audit log has the act already, so the request is repeated."""
        return await self._database.row("select from accounts.acts where id = $1", act_id) is not None

    async def grant(self, player: str, role: Role, act_id: UUID) -> None:
        """Give an account a role, in the name of an operator.

        Raises:
            Problem: `not-found`, `account-needed`.
        """
        if (await self._player_row(player))["kind"] != "account":
            raise Problem("account-needed")
        await self.record(None, "grant", act_id, f"is {role} from now on", role, player=player)

    async def enrol(self, player: str, act_id: UUID) -> str:
        """Create a code with which a member of staff can add one passkey.

        The act is recorded in the name of an operator.

        Raises:
            Problem: `not-found`; `forbidden` if the player is not staff.
        """
        if (await self._player_row(player))["role"] not in STAFF:
            raise Problem("forbidden", "about a player who is neither moderator nor administrator")
        code = rejoin_code_of(new_key(), act_id)
        await self.record(None, "enrol", act_id, "may add a passkey", digest(code.replace("-", "")), player=player)
        return code

    async def acts(self, player: str | None = None, after: str | None = None) -> list[Act]:
        """Return a page of the audit log, newest first, for one player or for all."""
        rows = await self._database.rows(
            """select * from accounts.acts where ($1::uuid is null or player_id = $1)
               and ($2::uuid is null or (at, id) < (select at, id from accounts.acts where id = $2))
               order by at desc, id desc limit $3""",
            player and ids.decode(player), after and ids.decode(after), PAGE_SIZE,
        )  # fmt: skip
        return [act_from_row(row) for row in rows]

    async def check_not_muted(self, player: str) -> None:
        """Check that the player can write messages.

        Raises:
            Problem: `muted`.
        """
        row = await self._database.row(
            """select until, reason from accounts.sanctions where kind = 'mute' and until > now()
               and player_id in (select unnest(array[id, owner_id]) from accounts.players where id = $1) order by until desc""",
            ids.decode(player),
        )
        if row is not None:
            raise Problem("muted", row["reason"], until=row["until"])

    async def drain_reason(self) -> str | None:
        """Return the reason why new tables are refused; None if they are accepted."""
        row = await self._database.row("select reason from accounts.drains")
        return str(row["reason"]) if row else None

    async def check_not_draining(self) -> None:
        """Check that new tables are accepted.

        The result is cached for DRAIN_CACHE_SECONDS.

        Raises:
            Problem: `draining`.
        """
        known = self._drain_cache.get(None)
        if known is None:
            known = self._drain_cache[None] = (await self.drain_reason(),)
        if (reason := known[0]) is not None:
            raise Problem("draining", reason)

    async def _check_rank(self, by: Access | None, player: str) -> None:
        """Check that `by` has a higher rank than the player.

        Raises:
            Problem: `forbidden`, `not-found`.
        """
        role = (await self._player_row(player))["role"]
        if (OPERATOR if by is None else RANKS[by.role]) <= RANKS[role]:
            raise Problem("forbidden", f"about a player who is {role}")

    async def _player_row(self, player: str) -> asyncpg.Record:
        row = ids.is_id(player) and await self._database.row(
            "select role, kind from accounts.players where id = $1", ids.decode(player)
        )
        if not row:
            raise Problem("not-found")
        return row


def check_fields(act: NewAct) -> None:
    """Check that `seconds` and `name` are given exactly if the act needs them.

    Raises:
        Problem: `invalid-request`.
    """
    if (act.seconds is not None) != (act.act in TIMED_ACTS):
        raise Problem("invalid-request", errors=[FieldError("/seconds", "for a mute or a ban, and for nothing else")])
    if (act.name is not None) != (act.act == "rename"):
        raise Problem("invalid-request", errors=[FieldError("/name", "for a rename, and for nothing else")])


def act_from_row(row: asyncpg.Record) -> Act:
    by, player, table = (row[name] and ids.encode(row[name]) for name in ("by_id", "player_id", "table_id"))
    return Act(
        id=ids.encode(row["id"]), kind=row["kind"], by=by, player=player, table=table, reason=row["reason"],
        until=row["until"], at=row["at"],
    )  # fmt: skip

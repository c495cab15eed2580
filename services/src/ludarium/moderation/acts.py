"""What moderators do to people, and the audit of all that they do: nothing is done that does not stand there."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import asyncpg
import msgspec
from cachetools import TTLCache
from msgspec import Meta

from ludarium.accounts.access import STAFF, Access, Role
from ludarium.accounts.names import LONGEST_NAME, checked_name
from ludarium.accounts.secrets import digest, new_key, rejoin_code_of
from ludarium.accounts.tokens import Tokens
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import FieldError, Problem

SHORTEST, LONGEST = 60, 10 * 365 * 86_400
MODERATORS_LONGEST = 30 * 86_400
"""Seconds of a ban by who is no administrator."""
RANKS: dict[Role, int] = {"player": 0, "organiser": 0, "moderator": 1, "admin": 2}
OPERATOR = 3
"""Above all: at the machine itself."""
PAGE = 50
FRESH = 1.0
"""Seconds for which a process knows whether the house takes new tables."""
What = Literal["warn", "mute", "unmute", "ban", "unban", "rename", "revoke"]
Kind = Literal[What, "hide", "unlist", "close", "void", "unrate", "sanction", "drain", "undrain", "report", "grant", "enrol"]
TIMED = ("mute", "ban")
TOLD = ("warn", "mute", "unmute", "ban", "unban", "rename", "hide", "unlist")
"""Acts that whom they are about can read."""
LONGEST_REASON = 500
Reason = Annotated[str, Meta(min_length=1, max_length=LONGEST_REASON, examples=["Insults at the table, after a warning"])]
RECORD = """with act as (insert into accounts.acts (id, kind, by_id, player_id, table_id, reason, until)
                         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning *)"""
SANCTION = """insert into accounts.sanctions (player_id, kind, until, reason) select player_id, '{kind}', until, reason from act
              on conflict (player_id, kind) do update set until = excluded.until, reason = excluded.reason"""
LIFT = "update accounts.sanctions s set until = now() from act where s.player_id = act.player_id and s.kind = '{kind}'"
EFFECTS = {
    "mute": SANCTION.format(kind="mute"), "unmute": LIFT.format(kind="mute"),
    "ban": SANCTION.format(kind="ban"), "unban": LIFT.format(kind="ban"),
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
"""What comes of an act, in the statement that records it. Those that are not here are records and nothing else."""


class NewAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """reason: kept in the audit, and told to the player but for `revoke`. seconds: of a mute or a ban. name: of a rename."""

    act: What
    reason: Reason
    seconds: Annotated[int, Meta(ge=SHORTEST, le=LONGEST)] | None = None
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None = None


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """by: a moderator's id; null for an operator. player, table: whom and which it was about; of `sanction` and `unlist`, table
    is the tournament."""

    id: str
    kind: Kind
    by: str | None
    player: str | None
    table: str | None
    reason: str
    until: datetime | None
    at: datetime


class Notice(msgspec.Struct, frozen=True):
    """What was done about somebody, as they read it: not by whom."""

    kind: Literal["warn", "mute", "unmute", "ban", "unban", "rename", "hide", "unlist"]
    reason: str
    until: datetime | None
    at: datetime


class Moderation:
    def __init__(self, database: Database, tokens: Tokens) -> None:
        self._database, self._tokens = database, tokens
        self._drained: TTLCache[None, tuple[str | None]] = TTLCache(1, FRESH)

    async def act(self, by: Access | None, player: str, wanted: NewAct, made: UUID) -> None:
        """by: None for an operator. made: the id of the act, of which there is one.

        Raises Problem `not-found`, `forbidden`, `invalid-request`, `unkind-words`.
        """
        check_fields(wanted)
        await self._check_rank(by, player)
        if by is not None and by.role != "admin" and (wanted.act == "revoke" or (wanted.seconds or 0) > MODERATORS_LONGEST):
            raise Problem("forbidden", "for administrators")
        until = datetime.now(UTC) + timedelta(seconds=wanted.seconds) if wanted.seconds else None
        more = [checked_name(wanted.name)] if wanted.name else []
        await self.record(by, wanted.act, made, wanted.reason, *more, player=player, until=until)
        self._tokens.forget_player(player)
        self._tokens.end([])

    async def record(
        self, by: Access | None, kind: Kind, made: UUID, reason: str, *more: Any, player: str | None = None,
        table: str | None = None, until: datetime | None = None,
    ) -> None:  # fmt: skip
        """Together with what comes of it, once for each `made`. more: what its effect takes besides."""
        who, whom, which = (each and ids.decode(each) for each in (by and by.player.id, player, table))
        effect = EFFECTS.get(kind, "select from act")
        await self._database.row(f"{RECORD} {effect}", made, kind, who, whom, which, reason, until, *more)
        self._drained.clear()

    async def is_recorded(self, made: UUID) -> bool:
        """Whether this very act stands in the audit: its request is sent again."""
        return await self._database.row("select from accounts.acts where id = $1", made) is not None

    async def grant(self, player: str, role: Role, made: UUID) -> None:
        """By an operator. Raises Problem `not-found`, `account-needed`."""
        if (await self._whom(player))["kind"] != "account":
            raise Problem("account-needed")
        await self.record(None, "grant", made, f"is {role} from now on", role, player=player)

    async def enrol(self, player: str, made: UUID) -> str:
        """Make a code with which a member of staff adds a passkey, once. By an operator.

        Raises:
            Problem: `not-found`; `forbidden` about a player who is not staff.
        """
        if (await self._whom(player))["role"] not in STAFF:
            raise Problem("forbidden", "about a player who is neither moderator nor administrator")
        code = rejoin_code_of(new_key(), made)
        await self.record(None, "enrol", made, "may add a passkey", digest(code.replace("-", "")), player=player)
        return code

    async def acts(self, player: str | None = None, after: str | None = None) -> list[Act]:
        """The newest first; of all, or about one player."""
        rows = await self._database.rows(
            """select * from accounts.acts where ($1::uuid is null or player_id = $1)
               and ($2::uuid is null or (at, id) < (select at, id from accounts.acts where id = $2))
               order by at desc, id desc limit $3""",
            player and ids.decode(player), after and ids.decode(after), PAGE,
        )  # fmt: skip
        return [act_of(row) for row in rows]

    async def notices(self, player: str) -> list[Notice]:
        """What the player is told, the newest first."""
        rows = await self._database.rows(
            """select kind, reason, until, at from accounts.acts where player_id = $1 and kind = any($2)
               order by at desc limit $3""",
            ids.decode(player), [*TOLD], PAGE,
        )  # fmt: skip
        return [Notice(*row) for row in rows]

    async def check_talk(self, player: str) -> None:
        """Raises Problem `muted`."""
        row = await self._database.row(
            """select until, reason from accounts.sanctions where kind = 'mute' and until > now()
               and player_id in (select unnest(array[id, owner_id]) from accounts.players where id = $1) order by until desc""",
            ids.decode(player),
        )
        if row is not None:
            raise Problem("muted", row["reason"], until=row["until"])

    async def draining(self) -> str | None:
        """Why no new tables are taken; None if they are."""
        row = await self._database.row("select reason from accounts.drains")
        return str(row["reason"]) if row else None

    async def check_open(self) -> None:
        """Raises Problem `draining`. A process asks once in FRESH seconds, however many tables are opened."""
        known = self._drained.get(None)
        if known is None:
            known = self._drained[None] = (await self.draining(),)
        if (reason := known[0]) is not None:
            raise Problem("draining", reason)

    async def _check_rank(self, by: Access | None, player: str) -> None:
        """Nobody acts on who stands as high as they do. Raises Problem `forbidden`, `not-found`."""
        role = (await self._whom(player))["role"]
        if (OPERATOR if by is None else RANKS[by.role]) <= RANKS[role]:
            raise Problem("forbidden", f"about a player who is {role}")

    async def _whom(self, player: str) -> asyncpg.Record:
        row = ids.is_id(player) and await self._database.row(
            "select role, kind from accounts.players where id = $1", ids.decode(player)
        )
        if not row:
            raise Problem("not-found")
        return row


def check_fields(wanted: NewAct) -> None:
    """Raises Problem `invalid-request`."""
    if (wanted.seconds is not None) != (wanted.act in TIMED):
        raise Problem("invalid-request", errors=[FieldError("/seconds", "for a mute or a ban, and for nothing else")])
    if (wanted.name is not None) != (wanted.act == "rename"):
        raise Problem("invalid-request", errors=[FieldError("/name", "for a rename, and for nothing else")])


def act_of(row: asyncpg.Record) -> Act:
    by, player, table = (row[name] and ids.encode(row[name]) for name in ("by_id", "player_id", "table_id"))
    return Act(
        id=ids.encode(row["id"]), kind=row["kind"], by=by, player=player, table=table, reason=row["reason"],
        until=row["until"], at=row["at"],
    )  # fmt: skip

"""Everything that is kept about somebody, as one JSON document that is made page by page, however long it becomes."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import msgspec

from ludarium.clocks.playing_hours import decode as rest
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.privacy import schemas

PAGE = 500
"""Rows that are in memory at a time."""
PREFIX = "/api/v1"
ACCOUNT = """
    select p.id, p.name, p.kind, p.role, p.created_at, l.name as login, m.address as mail, m.verified_at as mail_verified_at,
           w.changed_at as password_changed_at, p.hides_history, p.hides_presence
    from accounts.players p left join accounts.logins l on l.player_id = p.id left join accounts.mails m on m.player_id = p.id
    left join accounts.passwords w on w.player_id = p.id where p.id = $1"""


class Section(NamedTuple):
    """A list of the document. statement: its rows, of player $1 (as an id) or $2 (as the text of that id); by which of their
    columns they come in order, and which tells apart those of one moment. made: the body of a row, if its columns are not."""

    name: str
    kind: type[msgspec.Struct]
    statement: str
    at: str = "created_at"
    key: str = "created_at"
    made: Callable[[dict[str, Any]], dict[str, Any]] = dict


def tie(table: str) -> str:
    return f"select other_id as player, at from accounts.{table} where player_id = $1"


def table_of(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"record": f"{PREFIX}/tables/{row['id']}/record", "seat": None if row["seat"] < 0 else row["seat"]}


def imported(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"record": f"{PREFIX}/imports/{row['id']}/record"}


SECTIONS = (
    Section("codes", schemas.KeptCode, "select created_at from accounts.rejoin_codes where player_id = $1"),
    Section("letters", schemas.KeptLetter, "select purpose, address, created_at from accounts.letters where player_id = $1"),
    Section("passkeys", schemas.KeptPasskey, "select name, created_at, used_at from accounts.passkeys where player_id = $1"),
    Section(
        "tokens", schemas.KeptToken,
        "select kind, name, scopes, created_at, expires_at, used_at from accounts.tokens where player_id = $1",
    ),
    Section(
        "sign_ins", schemas.KeptSignIn,
        "select id, at, way, succeeded, network, client from accounts.sign_ins where player_id = $1", "at", "id",
    ),
    Section("apps", schemas.KeptApp, "select id, name, redirects, created_at from accounts.apps where owner_id = $1", key="id"),
    Section(
        "approvals", schemas.KeptApproval,
        """select g.app_id as app, a.name, g.scopes, g.created_at, g.expires_at
           from accounts.grants g join accounts.apps a on a.id = g.app_id where g.player_id = $1""",
    ),
    Section("bots", schemas.KeptBot, "select id, name, created_at from accounts.players where owner_id = $1", key="id"),
    Section(
        "sanctions", schemas.KeptSanction, "select kind, reason, until from accounts.sanctions where player_id = $1",
        "until", "kind",
    ),
    Section("acts", schemas.KeptAct, "select id, kind, reason, until, at from accounts.acts where player_id = $1", "at", "id"),
    Section("follows", schemas.KeptTie, tie("follows"), "at", "player"),
    Section("blocks", schemas.KeptTie, tie("blocks"), "at", "player"),
    Section(
        "reports", schemas.KeptReport,
        """select id, reason, player_id as player, table_id as "table", message_id as message, text, at, closed_at
           from accounts.reports where reporter_id = $1""",
        "at", "id",
    ),
    Section(
        "messages", schemas.KeptMessage,
        'select id, table_id as "table", room, phrase, text, at, gone from chat.messages where player = $2', "at", "id",
    ),
    Section(
        "invitations", schemas.KeptInvitation,
        'select table_id as "table", invited_at, revoked_at from entry.guests where player = $2', "invited_at", '"table"',
    ),
    Section(
        "tickets", schemas.KeptTicket,
        'select id, wanted, match as "table", made_at from entry.tickets where player = $2', "made_at", "id",
        lambda row: row | {"wanted": msgspec.Raw(row["wanted"])},
    ),
    Section(
        "rests", schemas.KeptRest, "select since, data as rest from clocks.rests where player = $2", "since", "since",
        lambda row: row | {"rest": rest(row["rest"])},
    ),
    Section(
        "imports", schemas.KeptImport, "select id, at, size from imports.records where player_id = $1", "at", "id", imported
    ),
    Section(
        "studies", schemas.KeptStudy,
        """select v.id, s.id as study, v.version, s.table_id as "table", v.title, v.chapters::text as chapters, s.shared, v.at
           from studies.studies s join studies.versions v on v.study_id = s.id where s.player_id = $1""",
        "at", "id", lambda row: row | {"chapters": msgspec.Raw(row["chapters"].encode())},
    ),
    Section(
        "comments", schemas.KeptComment,
        'select id, table_id as "table", moment, text, at from studies.comments where player_id = $1', "at", "id",
    ),
    Section(
        "listings", schemas.KeptListing, "select tournament, name, at from tournament_texts.names where player_id = $1", "at",
        "tournament",
    ),
    Section(
        "tournament_texts", schemas.KeptTournamentText,
        "select id, tournament, title, body, code, at from tournament_texts.texts where player_id = $1", "at", "id",
    ),
    Section(
        "tables", schemas.KeptTable,
        """select id, body ->> 'ruleset' as ruleset, status, part as seat, listed_at as opened_at
           from turns.parts where player = $2""",
        "opened_at", "id", table_of,
    ),
)  # fmt: skip


async def export_of(pool: Database, player: str) -> AsyncIterator[bytes]:
    """The document, bit by bit. Raises Problem `not-found` before the first of them."""
    row = await pool.row(ACCOUNT, ids.decode(player))
    if row is None:
        raise Problem("not-found")
    return document(pool, player, msgspec.json.encode(schemas.KeptAccount(**told(row))))


async def document(pool: Database, player: str, account: bytes) -> AsyncIterator[bytes]:
    yield b'{"account":' + account
    for section in SECTIONS:
        yield b',"%b":[' % section.name.encode()
        between = b""
        async for page in pages(pool, section, player):
            yield between + b",".join(msgspec.json.encode(section.kind(**section.made(told(row)))) for row in page)
            between = b","
        yield b"]"
    yield b"}"


async def pages(pool: Database, section: Section, player: str) -> AsyncIterator[list[asyncpg.Record]]:
    """The rows in their order, each once; what comes meanwhile may be missed. $1 and $2 are named, lest one be of no type."""
    at, key = section.at, section.key
    statement = f"""
        select s.*, s.{key}::text as key_ from ({section.statement}) s
        where $1::uuid is not null and $2::text is not null
          and ($3::timestamptz is null or (s.{at} >= $3 and (s.{at}, s.{key}::text) > ($3, $4::text)))
        order by s.{at}, s.{key}::text limit $5"""
    last: tuple[datetime | None, str] = None, ""
    while rows := await pool.rows(statement, ids.decode(player), player, *last, PAGE):
        yield rows
        if len(rows) < PAGE:
            return
        last = rows[-1][at], rows[-1]["key_"]


def told(row: asyncpg.Record) -> dict[str, Any]:
    """As the API tells it: ids in their letters."""
    shown = {name: value for name, value in row.items() if name != "key_"}
    return {name: ids.encode(value) if isinstance(value, UUID) else value for name, value in shown.items()}

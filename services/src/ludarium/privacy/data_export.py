"""Export of all stored data of a player as one JSON document."""
from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import msgspec

from ludarium.clocks.playing_hours import decode as decode_rest
from ludarium.platform import ids
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem
from ludarium.privacy import schemas

PAGE_SIZE = 500
"""Rows in memory at a time."""
API_PREFIX = "/api/v1"
SELECT_ACCOUNT = """
    select p.id, p.name, p.kind, p.role, p.created_at, l.name as login, m.address as mail, m.verified_at as mail_verified_at,
           w.changed_at as password_changed_at, p.hides_history, p.hides_presence
    from accounts.players p left join accounts.logins l on l.player_id = p.id left join accounts.mails m on m.player_id = p.id
    left join accounts.passwords w on w.player_id = p.id where p.id = $1"""


class Section(NamedTuple):
    """A list in the exported document.

    Attributes:
        kind: the schema of an entry.
        statement: selects the rows of player $1 (as UUID) or $2 (as text).
        at: the column that orders the rows.
        key: the column that orders rows with equal `at`.
        convert: turns a row into the fields of `kind`.
    """

    name: str
    kind: type[msgspec.Struct]
    statement: str
    at: str = "created_at"
    key: str = "created_at"
    convert: Callable[[dict[str, Any]], dict[str, Any]] = dict


def relation_query(table: str) -> str:
    """Return the query for the players that a player follows or blocks."""
    return f"select other_id as player, at from accounts.{table} where player_id = $1"


def with_table_links(row: dict[str, Any]) -> dict[str, Any]:
    """Add the path of the table's record, and replace seat -1 (not seated) by None."""
    return row | {"record": f"{API_PREFIX}/tables/{row['id']}/record", "seat": None if row["seat"] < 0 else row["seat"]}


def with_import_link(row: dict[str, Any]) -> dict[str, Any]:
    """Add the path of the imported record."""
    return row | {"record": f"{API_PREFIX}/imports/{row['id']}/record"}


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
    Section("follows", schemas.KeptTie, relation_query("follows"), "at", "player"),
    Section("blocks", schemas.KeptTie, relation_query("blocks"), "at", "player"),
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
        "read_messages", schemas.KeptReadMessages,
        """select table_id as "table", room, number, at, concat(table_id, room) as nth from chat.reads where player = $2""",
        "at", "nth", lambda row: {name: row[name] for name in ("table", "room", "number", "at")},
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
        lambda row: row | {"rest": decode_rest(row["rest"])},
    ),
    Section(
        "imports", schemas.KeptImport, "select id, at, size from imports.records where player_id = $1", "at", "id",
        with_import_link,
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
        "notices", schemas.KeptNotice,
        """select kind, id as "table", at, concat(id, kind) as nth from turns.waiting where player = $2""", "at", "nth",
        lambda row: {name: row[name] for name in ("kind", "table", "at")},
    ),
    Section(
        "notice_preferences", schemas.KeptNoticePreferences,
        "select kinds, tables, people, at from notices.preferences where player_id = $1", "at", "at",
    ),
    Section(
        "read_notices", schemas.KeptReadNotice, "select notice, at from notices.reads where player_id = $1", "at", "notice",
    ),
    Section(
        "tables", schemas.KeptTable,
        """select id, body ->> 'ruleset' as ruleset, status, part as seat, listed_at as opened_at
           from turns.parts where player = $2""",
        "opened_at", "id", with_table_links,
    ),
)  # fmt: skip


async def export_player(database: Database, player: str) -> AsyncIterator[bytes]:
    """Return the document as chunks of JSON.

    Raises:
        Problem: `not-found`, before the first chunk.
    """
    row = await database.row(SELECT_ACCOUNT, ids.decode(player))
    if row is None:
        raise Problem("not-found")
    return document_chunks(database, player, msgspec.json.encode(schemas.KeptAccount(**json_fields(row))))


async def document_chunks(database: Database, player: str, account: bytes) -> AsyncIterator[bytes]:
    """Yield the account and then each section."""
    yield b'{"account":' + account
    for section in SECTIONS:
        yield b',"%b":[' % section.name.encode()
        separator = b""
        async for rows in row_pages(database, section, player):
            yield separator + b",".join(msgspec.json.encode(section.kind(**section.convert(json_fields(row)))) for row in rows)
            separator = b","
        yield b"]"
    yield b"}"


async def row_pages(database: Database, section: Section, player: str) -> AsyncIterator[list[asyncpg.Record]]:
    """Yield each row once, in order and in pages.

    Rows that are added during the export may be missing. The SQL condition mentions $1 and $2 so that PostgreSQL knows the
    types of both.
    """
    at, key = section.at, section.key
    statement = f"""
        select s.*, s.{key}::text as key_ from ({section.statement}) s
        where $1::uuid is not null and $2::text is not null
          and ($3::timestamptz is null or (s.{at} >= $3 and (s.{at}, s.{key}::text) > ($3, $4::text)))
        order by s.{at}, s.{key}::text limit $5"""
    last: tuple[datetime | None, str] = None, ""
    while rows := await database.rows(statement, ids.decode(player), player, *last, PAGE_SIZE):
        yield rows
        if len(rows) < PAGE_SIZE:
            return
        last = rows[-1][at], rows[-1]["key_"]


def json_fields(row: asyncpg.Record) -> dict[str, Any]:
    """Return the row's columns by name, with ids as text as in the API."""
    columns = {name: value for name, value in row.items() if name != "key_"}
    return {name: ids.encode(value) if isinstance(value, UUID) else value for name, value in columns.items()}

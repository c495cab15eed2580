"""Checks imported files, and describes their games, in the worker process."""
from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ludarium.platform.problems import Problem
from ludarium.projections.frames import frame_page, game_states
from ludarium.projections.replay_worker import gzipped
from ludarium.projections.replays import ReplayBuilder, fold_with_clocks
from ludarium.records.links import content_of
from ludarium.records.reading import InvalidRecord, ReadRecord, read_record
from ludarium.records.verify import log_of, table_of, verify
from ludarium.sharing.imports.schemas import ImportCheck, ImportedGame, ImportedSeat
from ludarium.tables.event_schemas import EventPage
from ludarium.tables.event_views import event_body
from ludarium.tables.model import documents
from ludarium.tables.model.event_types import NAMING
from ludarium.tables.model.events import GameStarted, NamesRules, TableOpened
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import timestamp
from ludarium.tables.schemas import TableView
from ludarium.tables.views import table_view
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.describe import describe_view
from ludarium_engine.registry import titles

MAX_BYTES = 8 * 1024 * 1024
"""Maximum size of a file in bytes."""
MAX_ROWS = 20_000
"""The limit of events of a table."""
MAX_NAME_LENGTH = 32
ROW_MARK = b'"leaf_0"'
"""Bytes that occur once in each row of a record."""
NOT_SHOWABLE = (ArithmeticError, LookupError, TypeError, ValueError)
encode = msgspec.json.Encoder().encode


class ImportedLog(NamedTuple):
    """The log of an imported record, and the state of the table after its last event."""

    table: TableState
    rows: list[LogEntry]


# --- check a file ---------------------------------------------------------------------------------------------------------
def check_import(data: bytes) -> ImportedGame:
    """Verify a complete record and return a summary of its game.

    Raises:
        Problem: `no-record`, `unknown-ruleset`, `superseded-rules`, `record-not-whole`; `record-broken` with the number of
            the invalid row.
    """
    record = parse_file(data)
    check_whole(record)
    report = verify(record)
    if report.finding is not None:
        raise Problem("record-broken", report.finding.what, seq=report.finding.seq)
    game = game_of(record)
    if report.made_under:
        check_showable(game)
    checked = ImportCheck(report.rows, report.roots, report.draws, report.rerun, report.made_under)
    return game_body(record, game.table, checked)


def parse_file(data: bytes) -> ReadRecord:
    """Parse the file. The number of rows is checked before and after."""
    if data.count(ROW_MARK) > MAX_ROWS:
        raise wrong_length()
    try:
        record = read_record(data)
    except InvalidRecord as error:
        raise Problem("no-record", str(error)[:500]) from None
    if not 0 < len(record.rows) <= MAX_ROWS:
        raise wrong_length()
    return record


def wrong_length() -> Problem:
    return Problem("no-record", f"it has more than {MAX_ROWS:,} rows, or none")


def check_whole(record: ReadRecord) -> None:
    """Check that the record is complete, and its rules known.

    The record of a running game shows only one audience, so it is refused.

    Raises:
        Problem: `record-not-whole`, `unknown-ruleset`, `superseded-rules`.
    """
    leaves = record.rows[0].opened
    if not leaves or leaves[0].leaf:
        raise Problem("record-not-whole")
    row = content_of(record.rows[0])
    if not isinstance(row, TableOpened):
        return
    if row.ruleset not in titles():
        raise Problem("unknown-ruleset")
    for row_of_record in record.rows:
        if row_of_record.type in NAMING and isinstance(named := content_of(row_of_record), NamesRules):
            named.check_supported(titles()[row.ruleset])


def check_showable(game: ImportedLog) -> None:
    """Describe every state of a game under other rules, to check that it can be shown."""
    table, rows = game
    first = next((entry.version for entry in rows if isinstance(entry.event, GameStarted)), len(rows))
    seq = first
    try:
        for seq, state in enumerate(game_states(table, rows), first):
            for audience in table.audiences:
                describe_view(table.title, table.as_today(state, seq), audience, table.shown(seq))
                event_body(rows[seq], audience, table)
    except NOT_SHOWABLE as error:
        raise Problem("record-broken", "what it says cannot be shown", seq=seq) from error


def game_body(record: ReadRecord, table: TableState, checked: ImportCheck) -> ImportedGame:
    ended, names = table.ended, record.claims.names
    seats = [
        ImportedSeat(seat.player, seat.bot, safe_name(names.get(seat.player or ""))) if seat else ImportedSeat(None, None, None)
        for seat in table.seats
    ]
    return ImportedGame(
        table.id, table.opened.ruleset, table.all_options, table.rules, seats, ended.reason if ended else None,
        ended.outcome if ended else None, table.hash.hex(), timestamp(table.opened_at), timestamp(table.at), checked,
    )  # fmt: skip


def safe_name(name: str | None) -> str | None:
    """Shorten a name and replace control characters.

    Such characters could control a terminal or the direction of text.
    """
    shortened = (name or "")[:MAX_NAME_LENGTH]
    return "".join("\ufffd" if unicodedata.category(letter)[0] == "C" else letter for letter in shortened) or None


# --- answer questions about stored files, gzipped -------------------------------------------------------------------------
def game_of(record: ReadRecord) -> ImportedLog:
    """Return the log of a record with its table.

    Raises:
        Problem: `record-not-whole`.
    """
    check_whole(record)
    documents.keep(record.documents.layouts, record.documents.zones)
    rows = log_of(record, [content_of(row) for row in record.rows])
    table = fold(table_of(record), rows)
    return ImportedLog(table, rows[: table.version + 1])


decode_record = json_decoder(ReadRecord)


def answer(data: bytes, audience: int, make: Callable[..., bytes], *arguments: int | None) -> bytes:
    """Call one of the functions below with the game in a gzipped file.

    Raises:
        Problem: `no-such-seat`, `future-sequence`.
    """
    game = game_of(decode_record(gzip.decompress(data)))
    if audience >= game.table.opened.seats:
        raise Problem("no-such-seat")
    return make(game, audience, *arguments)


def events(game: ImportedLog, audience: int, after: int, limit: int) -> bytes:
    """Return a page of events as JSON; the table's newest event includes the view."""
    table, rows = game
    check_version(table, after)
    view = table_view(table, audience)
    page = [
        event_body(entry, audience, table, view if entry.version == table.version else UNSET)
        for entry in rows[after + 1 :][:limit]
    ]
    return encode(EventPage(page, page[-1].seq if len(page) == limit else None))


def view(game: ImportedLog, audience: int, at: int | None) -> bytes:
    return encode(view_at(game, audience, at))


def view_at(game: ImportedLog, audience: int, at: int | None) -> TableView:
    table, rows = game
    if at is None or at == table.version:
        return table_view(table, audience)
    check_version(table, at)
    return table_view(fold(table.stream, rows, upto=at), audience)


def frames(game: ImportedLog, audience: int, after: int, limit: int) -> bytes:
    """Return a page of views as gzipped JSON."""
    return gzipped(frame_page(*game, audience, after, limit))


def replay(game: ImportedLog, audience: int) -> bytes:
    """Return the replay as gzipped JSON."""
    table, rows = game
    return gzipped(ReplayBuilder(table, rows, fold_with_clocks(table.stream, rows)[1], audience).replay())


def check_version(table: TableState, version: int) -> None:
    if version > table.version:
        raise Problem("future-sequence", seq=table.version)

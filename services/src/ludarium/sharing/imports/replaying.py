"""Beside the event loop: files checked, and the games in them told as those of tables are."""
from __future__ import annotations

import gzip
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ludarium.platform.problems import Problem
from ludarium.projections.frames import frame_page, states
from ludarium.projections.replay_worker import gzipped
from ludarium.projections.replays import ReplayBuilder, fold_with_clocks
from ludarium.records.links import content_of
from ludarium.records.reading import NoRecord, ReadRecord, read_record
from ludarium.records.verify import log_of, table_of, verify
from ludarium.sharing.imports.schemas import Checked, ImportedGame, ImportedSeat
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

LARGEST = 8 * 1024 * 1024
"""Bytes of a file."""
MOST_ROWS = 20_000
"""As a table has at most."""
LONGEST_NAME = 32
ROW = b'"leaf_0"'
"""Stands once in each row of a record."""
NOT_SHOWABLE = (ArithmeticError, LookupError, TypeError, ValueError)
encode = msgspec.json.Encoder().encode


class ImportedLog(NamedTuple):
    """A record's log, folded to its end."""

    table: TableState
    rows: list[LogEntry]


# --- a file that somebody brings ------------------------------------------------------------------------------------------
def check_import(data: bytes) -> ImportedGame:
    """What a whole record says, if all of it holds.

    Raises Problem `no-record`, `unknown-ruleset`, `superseded-rules`, `record-not-whole`, `record-broken` with the row that
    does not fit.
    """
    record = checked_file(data)
    check_whole(record)
    report = verify(record)
    if report.finding is not None:
        raise Problem("record-broken", report.finding.what, seq=report.finding.seq)
    game = game_of(record)
    if report.made_under:
        check_shown(game)
    checked = Checked(report.rows, report.roots, report.draws, report.rerun, report.made_under)
    return game_body(record, game.table, checked)


def checked_file(data: bytes) -> ReadRecord:
    """Rows are counted before the file is parsed, and after."""
    if data.count(ROW) > MOST_ROWS:
        raise too_long()
    try:
        record = read_record(data)
    except NoRecord as error:
        raise Problem("no-record", str(error)[:500]) from None
    if not 0 < len(record.rows) <= MOST_ROWS:
        raise too_long()
    return record


def too_long() -> Problem:
    return Problem("no-record", f"it has more than {MOST_ROWS:,} rows, or none")


def check_whole(record: ReadRecord) -> None:
    """Of a running game a record shows one audience what it saw, which cannot be replayed for the others.

    Raises Problem `record-not-whole`, `unknown-ruleset`, `superseded-rules`.
    """
    leaves = record.rows[0].opened
    if not leaves or leaves[0].leaf:
        raise Problem("record-not-whole")
    row = content_of(record.rows[0])
    if not isinstance(row, TableOpened):
        return
    if row.ruleset not in titles():
        raise Problem("unknown-ruleset")
    for kept in record.rows:
        if kept.type in NAMING and isinstance(named := content_of(kept), NamesRules):
            named.check_supported(titles()[row.ruleset])


def check_shown(game: ImportedLog) -> None:
    """What other rules came to is not made again: whether it can be shown is tried out."""
    table, rows = game
    first = next((entry.version for entry in rows if isinstance(entry.event, GameStarted)), len(rows))
    seq = first
    try:
        for seq, state in enumerate(states(table, rows), first):
            for audience in table.audiences:
                describe_view(table.title, table.as_today(state, seq), audience, table.shown(seq))
                event_body(rows[seq], audience, table)
    except NOT_SHOWABLE as error:
        raise Problem("record-broken", "what it says cannot be shown", seq=seq) from error


def game_body(record: ReadRecord, table: TableState, checked: Checked) -> ImportedGame:
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
    """Cut, and without the characters that steer a terminal or the direction of a text."""
    kept = (name or "")[:LONGEST_NAME]
    return "".join("\ufffd" if unicodedata.category(letter)[0] == "C" else letter for letter in kept) or None


# --- what it tells: of files that were found to hold, gzipped -------------------------------------------------------------
def game_of(record: ReadRecord) -> ImportedLog:
    """Raises Problem `record-not-whole`."""
    check_whole(record)
    documents.keep(record.documents.layouts, record.documents.zones)
    rows = log_of(record, [content_of(row) for row in record.rows])
    table = fold(table_of(record), rows)
    return ImportedLog(table, rows[: table.version + 1])


_record = json_decoder(ReadRecord)


def answer(data: bytes, audience: int, make: Callable[..., bytes], *arguments: int | None) -> bytes:
    """make: one of those below. Raises Problem `no-such-seat`, `future-sequence`."""
    game = game_of(_record(gzip.decompress(data)))
    if audience >= game.table.opened.seats:
        raise Problem("no-such-seat")
    return make(game, audience, *arguments)


def events(game: ImportedLog, audience: int, after: int, limit: int) -> bytes:
    """As those of a table: the newest brings the view after it."""
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
    """Gzipped."""
    return gzipped(frame_page(*game, audience, after, limit))


def replay(game: ImportedLog, audience: int) -> bytes:
    """Gzipped."""
    table, rows = game
    return gzipped(ReplayBuilder(table, rows, fold_with_clocks(table.stream, rows)[1], audience).replay())


def check_version(table: TableState, version: int) -> None:
    if version > table.version:
        raise Problem("future-sequence", seq=table.version)

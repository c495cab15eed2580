"""`ludarium verify` and `log`: verify a game, and print its events."""
from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from ludarium.commands.progress import progress_bar
from ludarium.commands.running import fail, open_database, open_store, run, store_at
from ludarium.ops.log_verification import LogSource, archive_has_hash, available_cores, table_report, verify_log
from ludarium.platform import ids
from ludarium.platform.config import read_config
from ludarium.platform.locale import ENGLISH
from ludarium.platform.problems import Problem
from ludarium.records.links import VerificationFailed
from ludarium.records.reading import InvalidRecord, ReadRecord, read_record
from ludarium.records.verify import TableReport, verify
from ludarium.tables import story
from ludarium.tables.event_views import event_body
from ludarium.tables.model.documents import provide_for
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import Damaged, LogEntry, NewerRelease, NoTable, decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.story.transcript import plain
from ludarium_eventstore import Fault, has_hash


def register(app: typer.Typer) -> None:
    app.command("verify")(verify_command)
    app.command("log")(log_command)


def verify_command(
    what: Annotated[str | None, typer.Argument(help="A record's file, - for standard input, or a table's id.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Verify all tables of the database, and the whole log.")] = False,
    head: Annotated[str | None, typer.Option(help="A saved hash of 16 or more digits that the log must still contain.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Number of processes that verify with --all.")] = available_cores(),
) -> None:
    """Verify a game: its hash chain, its chance and its facts.

    Chance is checked against the committed seed, facts against the rules.
    """
    kept = parse_head(head) if head else b""
    if everything:
        return run(verify_all(kept, jobs))
    if what is None:
        fail("Tell what to verify: a record's file, a table's id, or --all.")
    if what == "-" or Path(what).exists():
        record = read_file(what)
        check_head(what, kept, [row.link for row in record.rows])
        return print_result(what, verify(record))
    run(verify_table(what, kept))


def parse_head(text: str) -> bytes:
    """Parse a hash as printed by `verify` or `proof`."""
    if not re.fullmatch("([0-9a-f]{2}){8,32}", text):
        raise typer.BadParameter("a head is 16 to 64 hexadecimal digits")
    return bytes.fromhex(text)


def check_head(name: str, kept: bytes, hashes: Iterable[bytes]) -> None:
    if not any(hash_.startswith(kept) for hash_ in hashes):
        fail(f"{name}: no event has the head {kept.hex()}: it has lost events, or has become another log.")


def read_file(path: str) -> ReadRecord:
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return read_record(data)
    except InvalidRecord as error:
        fail(f"{path} is no record: {error}")


def print_result(name: str, report: TableReport) -> None:
    if report.finding is not None:
        typer.secho(f"{name}: {describe_finding(report.finding)}", fg=typer.colors.RED, err=True)
        raise typer.Exit(1)
    print(f"{name} holds: {'; '.join(describe_checks(report))}.")


def describe_finding(broken: VerificationFailed) -> str:
    return broken.what if broken.seq is None else f"event {broken.seq}: {broken.what}"


def describe_checks(report: TableReport) -> Iterator[str]:
    """Yield lines that say what was checked."""
    yield f"{report.rows} events in their chain"
    if report.roots:
        yield f"{report.roots} roots and {report.draws} draws computed again"
    if report.rerun:
        yield f"{report.rerun} decisions made again"
    if report.made_under:
        yield f"made under {', '.join(report.made_under)}: these rules were not checked"


async def verify_table(table: str, kept: bytes) -> None:
    try:
        stream = ids.decode(table)
    except ValueError:
        fail(f"{table} is neither a file nor a table's id.")
    async with open_store() as store:
        stored = await store.read(stream)
        if not stored:
            fail(f"There is no table {table}.")
        check_head(table, kept, [row.hash for row in stored])
        print_result(table, await table_report(store, stored))
    print(f"Its head is {stored[-1].hash.hex()}.")


async def verify_all(kept: bytes, jobs: int) -> None:
    config = read_config()
    async with open_database(config) as url, await store_at(url, config) as store:
        with progress_bar("Verifying") as report_progress:
            whole = await verify_log(LogSource(url, config.archive), store, jobs, report_progress)
        if kept and not await has_hash(store, kept) and not await archive_has_hash(store, kept):
            whole.faults.append(Fault(None, None, f"no row has the head {kept.hex()}: the log was set back, or is another one"))
    for fault in whole.faults:
        typer.secho(describe_fault(fault), fg=typer.colors.RED, err=True)
    if whole.faults:
        raise typer.Exit(1)
    head = f" Its head is {whole.head.hex()}." if whole.head else ""
    print(f"The log holds: {whole.tables} tables, {whole.rows} events.{head}")


def describe_fault(fault: Fault) -> str:
    return f"{fault.stream} version {fault.version}: {fault.what}" if fault.stream else fault.what


def log_command(
    table: Annotated[str, typer.Argument(help="A table's id.")],
    locale: Annotated[str, typer.Option(help="Language: en, es or hu.")] = ENGLISH,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per event.")] = False,
) -> None:
    """Print what has happened at a table, as spectators see it."""
    run(print_log(table, json_lines if as_json else partial(text_lines, locale=locale)))


async def print_log(table: str, lines_of: Callable[[TableState, list[LogEntry]], Iterable[bytes]]) -> None:
    async with open_store() as store:
        try:
            rows = decoded_entries(await store.read(ids.decode(table)))
            await provide_for(store.document, [entry.event for entry in rows])
            table_state = fold(ids.decode(table), rows)
            lines = [*lines_of(table_state, rows[: table_state.version + 1])]
        except (ValueError, Damaged, NewerRelease, NoTable, Problem) as problem:
            fail(problem)
    sys.stdout.buffer.writelines(lines)


def json_lines(table: TableState, rows: list[LogEntry]) -> Iterator[bytes]:
    return (msgspec.json.encode(event_body(entry, SPECTATOR, table)) + b"\n" for entry in rows)


def text_lines(table: TableState, rows: list[LogEntry], locale: str) -> Iterator[bytes]:
    words = story.words_of(table, locale, {})
    if words.locale != locale:
        typer.secho(f"There is no {locale}; this is {words.locale}.", err=True)
    yield plain(story.story_of(table, rows, SPECTATOR, story.BEGINNING, words), words).encode()

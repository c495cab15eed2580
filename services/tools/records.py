"""`ludarium verify` and `log`."""
from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated
from uuid import UUID

import msgspec
import typer
from rich.console import Console
from rich.progress import track

from engine import titles
from engine.kernel import SPECTATOR
from eventstore import EventStore, audit
from services import ids
from services.records.record import Record
from services.records.verify import Report, verify, verify_stream
from services.tables.data import provide_for
from services.tables.events import event_body
from services.tables.history import Damaged, Entry, entries, opened
from services.tools.running import fail, opened_store, run


def register(app: typer.Typer) -> None:
    app.command("verify")(verify_command)
    app.command("log")(log_command)


def verify_command(
    what: Annotated[str | None, typer.Argument(help="A record's file, - for standard input, or a table's id.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every table of the database, and the log as a whole.")] = False,
) -> None:
    """Check a game: its hash chain, its chance against the seed committed to, its facts against the rules."""
    if everything:
        return run(verify_all())
    if what is None:
        fail("Tell what to verify: a record's file, a table's id, or --all.")
    if what == "-" or Path(what).exists():
        return tell(what, verify(read_record(what)))
    run(verify_table(what))


def read_record(path: str) -> Record:
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return msgspec.json.decode(data, type=Record)
    except msgspec.DecodeError as error:
        fail(f"{path} is no record: {error}")


def tell(name: str, report: Report) -> None:
    for finding in report.findings:
        typer.secho(f"{name}: event {finding.seq}: {finding.what}", fg=typer.colors.RED, err=True)
    if report.findings:
        raise typer.Exit(1)
    again = f"; {report.draws} draws and {report.rerun} decisions computed again" if report.rerun else ""
    print(f"{name} holds: {report.rows} events in their chain{again}.")


async def verify_table(table: str) -> None:
    try:
        stream = ids.decode(table)
    except ValueError:
        fail(f"{table} is neither a file nor a table's id.")
    async with opened_store() as store:
        tell(table, await report_of(store, stream))


async def verify_all() -> None:
    """Every stream of the log, also one that a row was moved to."""
    async with opened_store() as store:
        faults = [f"{fault.stream} version {fault.version}: {fault.what}" for fault in await audit(store)]
        streams = [stream async for stream in streams_of(store)]
        for stream in track(streams, "Verifying", console=Console(stderr=True)):
            report = await report_of(store, stream)
            faults += [f"{stream} version {finding.seq}: {finding.what}" for finding in report.findings]
    for fault in faults:
        typer.secho(fault, fg=typer.colors.RED, err=True)
    if faults:
        raise typer.Exit(1)
    print(f"The log holds: {len(streams)} tables.")


async def report_of(store: EventStore, stream: UUID) -> Report:
    stored = await store.read(stream)
    with suppress(Damaged):                     # what follows tells of it
        await provide_for(store.document, entries(stored))
    return verify_stream(stream, stored)


async def streams_of(store: EventStore) -> AsyncIterator[UUID]:
    for row in await store.fetch("select distinct stream_id from es.events order by 1"):
        yield row["stream_id"]


def log_command(table: Annotated[str, typer.Argument(help="A table's id.")]) -> None:
    """A table's log for people: one JSON object an event, as spectators see it."""
    run(print_log(table))


async def print_log(table: str) -> None:
    async with opened_store() as store:
        try:
            rows = entries(await store.read(ids.decode(table)))
            lines = [*described(ids.decode(table), rows)]
        except (ValueError, Damaged) as problem:
            fail(problem)
    sys.stdout.buffer.writelines(lines)


def described(stream: UUID, rows: list[Entry]) -> list[bytes]:
    title = titles()[opened(stream, rows).opened.ruleset]
    return [msgspec.json.encode(event_body(entry, SPECTATOR, title)) + b"\n" for entry in rows]

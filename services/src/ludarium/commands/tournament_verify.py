"""`ludarium tournament verify`: recompute a tournament from a log or a file."""
from __future__ import annotations

from pathlib import Path
from typing import Annotated
from uuid import UUID

import msgspec
import typer

from ludarium.commands.running import fail, open_store, run
from ludarium.platform import ids
from ludarium.records.tournament_tables import faults_of_tables
from ludarium.records.tournaments import TournamentReport, verify_events
from ludarium.tournaments.event_types import OPENED
from ludarium.tournaments.stream_export import import_stream
from ludarium_eventstore import EventStore, Fault


def verify(what: Annotated[str, typer.Argument(help="A tournament's id, or a file of GET /tournaments/{id}/stream.")]) -> None:
    """Recompute a tournament: its chain, seeds, pairings, results and tables.

    A file does not contain the logs of tables, so these are not checked.
    """
    if Path(what).exists():
        try:
            stream, stored = import_stream(Path(what).read_bytes())
        except (ValueError, msgspec.MsgspecError, OverflowError) as error:
            fail(f"{what} is no tournament's stream: {error}")
        return print_report(what, verify_events(stream, stored, keyed=False)[1])
    try:
        run(verify_stored(what, ids.decode(what)))
    except ValueError:
        fail(f"{what} is neither a file nor a tournament's id.")


async def verify_stored(name: str, stream: UUID) -> None:
    async with open_store() as store:
        print_report(name, await tournament_report(store, stream, name))


async def tournament_report(store: EventStore, stream: UUID, name: str) -> TournamentReport:
    stored = await store.read(stream)
    if not stored or stored[0].type != OPENED:
        fail(f"There is no tournament {name}.")
    state, report = verify_events(stream, stored, keyed=True)
    if state is None or report.fault:
        return report
    async for fault in faults_of_tables(store, state):
        return report._replace(fault=fault)
    return report


def print_report(name: str, report: TournamentReport) -> None:
    if report.fault is not None:
        typer.secho(f"{name}: {describe_fault(report.fault)}", fg=typer.colors.RED, err=True)
        raise typer.Exit(1)
    print(f"{name} holds: {report.rows} rows in their chain; {report.rounds} rounds paired again; {report.tables} tables.")


def describe_fault(fault: Fault) -> str:
    where = "" if fault.version is None else f", row {fault.version}"
    return f"{ids.encode(fault.stream) if fault.stream else ''}{where}: {fault.what}"

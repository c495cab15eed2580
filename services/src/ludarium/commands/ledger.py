"""`ludarium ledger`: store changes that must survive a restore.

The command is for a PostgreSQL that is backed up by other tools.
"""
from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from time import monotonic
from typing import Annotated

import asyncpg
import typer

from ludarium.commands.backups import Place
from ludarium.commands.running import open_database, read_config_or_fail, run, stop_event
from ludarium.ops.backups import ledger as entries
from ludarium.ops.backups.applying import Ledger, check_complete, read_ledger
from ludarium.ops.backups.base import record_done
from ludarium.ops.backups.checking import known_mark_number
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.formats import open_place
from ludarium.ops.backups.marks import write_next_mark
from ludarium.ops.backups.restoring import apply_ledger, read_log_head
from ludarium.ops.backups.vault import Vault, read_keys
from ludarium.platform.config import Config
from ludarium_eventstore import is_down

log = logging.getLogger(__name__)
INTERVAL = 5.0
"""Seconds between two runs."""
MARK_INTERVAL = 60.0
"""Seconds between two marks while there is nothing new."""
KEEP_LEDGER = "insert into backups.done values ('ledger', now()) on conflict do nothing"
EMBEDDED_ONLY = "`ludarium backup` and `ludarium restore` do this for the embedded servers."

group = typer.Typer(help="Save and repeat changes that must survive a restore of PostgreSQL.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="ledger")


@group.callback()
def ledger() -> None:
    """Save and repeat changes that must survive a restore, for a PostgreSQL that you back up yourself."""


@group.command()
def ship(
    place: Place,
    follow: Annotated[bool, typer.Option("--follow", help="keep running, every five seconds")] = False,
) -> None:
    """Move new revocations, deletions and bans to encrypted files in a place.

    It connects as the database's owner.
    """
    run(ship_ledger(read_config_or_fail(), place, follow))


async def ship_ledger(config: Config, place: str, follow: bool) -> None:
    require_external(config)
    vault = open_place(place, read_keys(config), make=True)
    async with open_database(config) as url:
        sent = await ship_once(url, vault)
        typer.echo(f"{sent} entries are in {vault.place}.")
        if follow:
            await ship_until(url, vault, stop_event())


async def ship_until(url: str, vault: Vault, stop: asyncio.Event) -> None:
    """Ship the ledger until `stop` is set, logging errors and trying again."""
    marked_at = monotonic()
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), INTERVAL)
        try:
            is_due = monotonic() > marked_at + MARK_INTERVAL
            await ship_once(url, vault, is_due=is_due)
            marked_at = monotonic() if is_due else marked_at
        except Exception as error:
            if not (isinstance(error, BackupError) or is_down(error)):
                raise
            log.warning("the ledger waits: %s", error)


async def ship_once(url: str, vault: Vault, *, is_due: bool = True) -> int:
    """Ship new entries of the ledger, and return their number.

    Args:
        is_due: write a mark even if there are no new entries.
    """
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(KEEP_LEDGER)          # first, so that entries made from now on are stored
        sent = await entries.ship_all(connection, vault)
        if vault.written or is_due:             # also for earlier files whose mark could not be written
            await write_next_mark(connection, vault, None, follows=False)
        await record_done(connection, "ledger")
        return sent
    finally:
        await connection.close()


@group.command()
def apply(
    place: Place,
    up_to_hole: Annotated[bool, typer.Option("--up-to-hole", help="accept missing files, and print what is lost")] = False,
) -> None:
    """Repeat all changes after a restore, before anything is started.

    It also records which events may be lost.
    """
    run(apply_to_restored(read_config_or_fail(), place, up_to_hole=up_to_hole))


async def apply_to_restored(config: Config, place: str, *, up_to_hole: bool = False) -> None:
    require_external(config)
    vault = open_place(place, read_keys(config), make=False)
    async with open_database(config) as url:
        await check_promoted(url)
        found = await asyncio.to_thread(read_ledger, vault, await read_mark_number(url, vault))
        if not up_to_hole:
            check_complete(vault, found)
        head = await read_log_head(url)
        again = await apply_ledger(url, head, [], found.entries)
    typer.echo(f"{again} entries of the ledger done again. The log has {head.position} rows; what came after is noted as lost.")
    print_end(found)


def print_end(found: Ledger) -> None:
    """Print the end of the ledger, and the problems that `--up-to-hole` has accepted."""
    if found.mark is not None:
        typer.echo(f"The ledger goes up to {found.mark.at:%Y-%m-%dT%H:%M:%SZ}, mark {found.mark.number}.")
    for problem in found.problems:
        typer.secho(f"  {problem}", fg=typer.colors.RED, err=True)


async def read_mark_number(url: str, vault: Vault) -> int:
    """Return the number of the newest mark that the restored database knows."""
    connection = await asyncpg.connect(url)
    try:
        return await known_mark_number(connection, vault)
    finally:
        await connection.close()


async def check_promoted(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("select pg_is_in_recovery()"):
            raise BackupError("This PostgreSQL still goes through its log, or is a standby: try again when it is the primary.")
    finally:
        await connection.close()


def require_external(config: Config) -> None:
    if config.database_url is None:
        raise BackupError(EMBEDDED_ONLY)

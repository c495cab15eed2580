"""`ludarium ledger`: what must outlive a restore, of a PostgreSQL that others back up."""
from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Annotated

import asyncpg
import typer

from eventstore import is_down
from services.backups import ledger as entries
from services.backups.base import mark
from services.backups.errors import BackupError
from services.backups.restoring import settled, tip_of
from services.backups.vault import Vault, keys_of
from services.config import Config
from services.tools.backups import Place
from services.tools.running import configured, database, run
from services.tools.serving import told_to_stop

log = logging.getLogger(__name__)
EVERY = 5.0
"""Seconds."""
KEPT = "insert into backups.done values ('ledger', now()) on conflict do nothing"
OWN = "`ludarium backup` and `ludarium restore` do this for the embedded servers."

group = typer.Typer(help="What must outlive a restore, of a PostgreSQL that others back up.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="ledger")


@group.callback()
def ledger() -> None:
    """What must outlive a restore, of a PostgreSQL that others back up."""


@group.command()
def ship(
    place: Place,
    follow: Annotated[bool, typer.Option("--follow", help="go on, every five seconds")] = False,
) -> None:
    """Move revocations, deletions and bans since the last time to sealed files in a place, as the database's owner."""
    run(shipping(configured(), place, follow))


async def shipping(config: Config, place: str, follow: bool) -> None:
    elsewhere_only(config)
    vault = Vault(place, keys_of(config), make=True)
    async with database(config) as url:
        sent = await shipped(url, vault)
        typer.echo(f"{sent} entries are in {vault.place}.")
        if follow:
            await following(url, vault, told_to_stop())


async def following(url: str, vault: Vault, stop: asyncio.Event) -> None:
    """Until `stop`. What goes wrong is said, and tried again."""
    while not stop.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), EVERY)
        try:
            await shipped(url, vault)
        except Exception as error:
            if not (isinstance(error, BackupError) or is_down(error)):
                raise
            log.warning("the ledger waits: %s", error)


async def shipped(url: str, vault: Vault) -> int:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(KEPT)          # before: what comes meanwhile is kept
        sent = await entries.ship_all(connection, vault)
        vault.written.clear()                   # a place of its own has no mark
        await mark(connection, "ledger")
        return sent
    finally:
        await connection.close()


@group.command()
def apply(place: Place) -> None:
    """After a restore and before anything is started on it: do it all again, and note since when rows may be lost."""
    run(applying(configured(), place))


async def applying(config: Config, place: str) -> None:
    elsewhere_only(config)
    vault = Vault(place, keys_of(config), make=False)
    found = await asyncio.to_thread(entries.read, vault)
    async with database(config) as url:
        await check_promoted(url)
        tip = await tip_of(url)
        again = await settled(url, tip, [], found)
    typer.echo(f"{again} entries of the ledger done again. The log has {tip.position} rows; what came after is noted as lost.")


async def check_promoted(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        if await connection.fetchval("select pg_is_in_recovery()"):
            raise BackupError("This PostgreSQL still goes through its log, or is a standby: try again when it is the primary.")
    finally:
        await connection.close()


def elsewhere_only(config: Config) -> None:
    if config.database_url is None:
        raise BackupError(OWN)

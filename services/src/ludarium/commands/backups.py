"""`ludarium backup`, `restore`, `backup-key`: backups of the embedded servers."""
from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import asyncpg
import pyrage
import typer

from ludarium.commands.running import open_database, read_config_or_fail, run, stop_event
from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import check_format, data_folder, locked, new_data_folder
from ludarium.embedded.postgres import database_url
from ludarium.ops.archive.bundles import BundleFiles, open_bundle_files
from ludarium.ops.backups import bundles, ledger
from ludarium.ops.backups.base import retire_old, take_base
from ludarium.ops.backups.checking import check_place, connect_if_running, known_mark_number, save_report
from ludarium.ops.backups.errors import BackupError
from ludarium.ops.backups.following import Follower, is_followed
from ludarium.ops.backups.formats import open_place
from ludarium.ops.backups.marks import Mark, write_next_mark
from ludarium.ops.backups.restoring import RestoreReport, run_drill
from ludarium.ops.backups.restoring import restore as restore_backup
from ludarium.ops.backups.vault import Keys, Vault, read_keys
from ludarium.platform.config import Config
from ludarium.platform.signing_keys import Signer

Place = Annotated[str, typer.Argument(help="a folder, or a bucket as s3://name/path with the usual AWS_* variables")]
NOT_EMBEDDED = "This PostgreSQL is not ours: docs/backups.md says how it is backed up and restored."


def register(app: typer.Typer) -> None:
    app.command()(backup)
    app.command()(restore)
    app.command("backup-key")(backup_key)


def backup(
    place: Place,
    follow: Annotated[bool, typer.Option("--follow", help="keep running, with a base backup every day")] = False,
    keep: Annotated[int, typer.Option(min=1, help="number of base backups to keep; older ones are deleted")] = 7,
    check: Annotated[bool, typer.Option("--check", help="only check that all files are present and unchanged")] = False,
) -> None:
    """Make an encrypted backup of the embedded PostgreSQL.

    Ludarium may run or not; with --follow, it has to.
    """
    if check and follow:
        raise typer.BadParameter("--check looks at a place, --follow writes there: run two commands.")
    run(print_check(read_config_or_fail(), place) if check else make_backup(read_config_or_fail(), place, follow, keep))


async def print_check(config: Config, place: str) -> None:
    """Check whether a place is complete.

    The result is saved in the database that is backed up, if it runs here.

    Raises:
        BackupError: the place is not complete, or cannot be used.
    """
    require_embedded(config)
    vault = open_place(place, Keys(None, None, Signer(config.signing_key, config.signing_keys_before)), make=False)
    connection = await connect_if_running(database_url((config.home.resolve() / "data/run").resolve()))
    try:
        seen = await known_mark_number(connection, vault) if connection else 0
        found = await asyncio.to_thread(check_place, vault, datetime.now(UTC), seen)
        if connection:
            await save_report(connection, vault, found)
    finally:
        if connection:
            await connection.close()
    typer.echo(f"{found.files} files, {found.size} bytes. {describe_mark(vault, found.mark)}")
    if found.faults:
        raise BackupError("\n".join([f"{vault.place} is not complete:", *(f"  {fault}" for fault in found.faults)]))


def describe_mark(vault: Vault, mark: Mark | None) -> str:
    if mark is None:
        return "How far the log goes is not known."
    signed = f"signed by {mark.key}" if mark.key else "not signed"
    if mark.key and not vault.keys.signer.keys:
        signed += ", not verified: LUDARIUM_SIGNING_KEYS_BEFORE names no public key here"
    return f"All until {mark.at:%Y-%m-%dT%H:%M:%SZ} ({mark.reach}); mark {mark.number}, {signed}."


async def make_backup(config: Config, place: str, follow: bool, keep: int) -> None:
    require_embedded(config)
    vault = open_place(place, read_keys(config), make=True)
    if follow:
        await follow_log(config, vault, keep)
    else:
        await back_up_once(config, vault, keep)


async def back_up_once(config: Config, vault: Vault, keep: int) -> None:
    async with open_database(config) as url:
        base = await take_base(url, vault)
        await asyncio.to_thread(retire_old, vault, keep)
        connection = await asyncpg.connect(url)
        try:
            await ledger.ship_all(connection, vault)
            await bundles.ship(connection, vault, open_bundle_files(config.archive), 0)
            await write_next_mark(connection, vault, None, follows=await is_followed(connection))
        finally:
            await connection.close()
    typer.echo(f"{vault.place}/{base.folder}: all until {base.ended:%Y-%m-%dT%H:%M:%SZ}")


async def follow_log(config: Config, vault: Vault, keep: int) -> None:
    stop, data = stop_event(), config.home.resolve() / "data"
    check_format(config.home)
    if not (data / "postgres").exists():
        raise BackupError("There is no data yet: start `ludarium serve` first.")
    # The folder changes at each start, and the link to it is too long a path for a socket.
    files = open_bundle_files(config.archive)
    follower = Follower(lambda: database_url((data / "run").resolve()), vault, data / "backup", keep, files)
    typer.echo(f"Following into {vault.place}. Ctrl-C stops it.")
    await follower.follow(stop)


def restore(
    place: Place,
    to: Annotated[str | None, typer.Option(help="end of the restore, such as 2026-01-31T20:15:00Z")] = None,
    drill: Annotated[bool, typer.Option("--drill", help="only test the restore, next to the running server")] = False,
    up_to_hole: Annotated[bool, typer.Option("--up-to-hole", help="accept missing files, and print what is lost")] = False,
) -> None:
    """Restore the embedded PostgreSQL's data from a backup.

    Existing data is never touched.
    """
    run(print_drill(read_config_or_fail(), place) if drill else restore_data(read_config_or_fail(), place, to, up_to_hole))


async def print_drill(config: Config, place: str) -> None:
    require_embedded(config)
    vault, account = open_place(place, read_keys(config), make=False), choose_account(config.pg_user)
    async with open_database(config) as url:
        found = await run_drill(vault, url, data_folder(config.home, account) / "drill", account)
    typer.echo(f"It could be: {found.rows} rows of the log are there, {found.missing_rows} newer ones are not.")


async def restore_data(config: Config, place: str, to: str | None, up_to_hole: bool = False) -> None:
    require_embedded(config)
    vault = open_place(place, read_keys(config), make=False)
    account = choose_account(config.pg_user)
    check_format(config.home)
    with new_data_folder(config.home, account) as data, locked(data):
        check_empty(data)
        files = BundleFiles(config.archive, make=True) if config.archive else None
        found = await restore_backup(vault, data, account, parse_moment(to), files, up_to_hole=up_to_hole)
    until = f"{found.head.at:%Y-%m-%dT%H:%M:%SZ}" if found.head.at else "nothing was played yet"
    typer.echo(f"Restored: {found.head.position} rows of the log, the last of {until}.")
    typer.echo(f"Rows are known to be lost of {found.lost_tables} tables; {found.reapplied} entries of the ledger done again.")
    if found.bundles.restored:
        typer.echo(f"{found.bundles.restored} bundles of archived games were put back.")
    print_losses(vault, found)
    typer.echo("`ludarium verify --all` looks through all of it; `ludarium serve` goes on.")


def print_losses(vault: Vault, found: RestoreReport) -> None:
    """Print what is missing in a restore with `--up-to-hole`."""
    if not found.problems:
        typer.echo(f"The backup was complete. {describe_mark(vault, found.mark)}")
        return
    typer.secho("The backup was not complete:", fg=typer.colors.RED, err=True)
    for problem in found.problems:
        typer.secho(f"  {problem}", fg=typer.colors.RED, err=True)
    if found.mark is None:
        lost = "How many rows of the log are lost is not known"
    else:
        rows = max(0, found.mark.reach.rows - found.head.position)
        lost = f"{rows} rows of the log are lost, and all that came after the mark of {found.mark.at:%Y-%m-%dT%H:%M:%SZ}"
    told = f"{lost}. Revocations and bans in missing files of the ledger are not done again."
    typer.secho(told, fg=typer.colors.RED, err=True)


def check_empty(data: Path) -> None:
    if (data / "postgres").exists():
        raise BackupError(
            f"There is a database in {data / 'postgres'} already, and it is not touched: move it away, or name another home by "
            "LUDARIUM_HOME."
        )


def parse_moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise BackupError(f"{text} is no moment: write it as 2026-01-31T20:15:00Z.") from None


def backup_key() -> None:
    """Make a pair of keys for backups. Store the second one away from the backups."""
    identity = pyrage.x25519.Identity.generate()
    typer.echo(f"LUDARIUM_BACKUP_RECIPIENT={identity.to_public()}")
    typer.echo(f"LUDARIUM_BACKUP_KEY={identity}")


def require_embedded(config: Config) -> None:
    if config.database_url is not None:
        raise BackupError(NOT_EMBEDDED)

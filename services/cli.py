"""The command `ludarium`."""

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, NoReturn

import typer
import uvloop

from services.api import artefacts
from services.config import Config, ConfigError, read_config
from services.embedded import EmbeddedError, provided
from services.server import migrated, running

main = typer.Typer(name="ludarium", no_args_is_help=True, pretty_exceptions_enable=False)


@main.callback()
def ludarium() -> None:
    """An event-sourced home for tabletop games."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


@main.command()
def serve() -> None:
    """Serve the API and the live gateway; with PostgreSQL and Valkey of our own unless others are named."""
    _run(_serve)


@main.command()
def migrate() -> None:
    """Bring the database up to date."""
    _run(_migrate)


@main.command()
def services() -> None:
    """Run the embedded PostgreSQL and Valkey until Ctrl-C."""
    _run(_run_services)


@main.command()
def schema(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if a file is not up to date.")] = False,
) -> None:
    """Write the files that are made from the code: api-schema/ and docs/errors.md."""
    project = Path.cwd()
    found = artefacts.stale(project) if check else artefacts.write(project)
    for path in found:
        typer.echo(f"{path} {'is not up to date: make schema' if check else 'written'}")
    raise typer.Exit(bool(check and found))


def _run(work: Callable[[Config], Coroutine[None, None, None]]) -> None:
    try:
        uvloop.run(work(read_config()))
    except (ConfigError, EmbeddedError) as problem:
        fail(problem)


async def _serve(config: Config) -> None:
    told_to_stop = _stop_signals()
    async with provided(config) as where:
        if where.supervisors:
            await migrated(where.database_url)
        async with running(config, where.database_url, where.redis_url) as address:
            typer.echo(f"API        {address.http}/api/v1\nDocs       {address.http}/docs\nWebSocket  {address.ws}")
            await told_to_stop.wait()


async def _migrate(config: Config) -> None:
    async with provided(config) as where:
        done = await migrated(where.database_url)
    typer.echo("\n".join(done) or "The database is up to date.")


async def _run_services(config: Config) -> None:
    told_to_stop = _stop_signals()
    async with provided(config) as where:
        typer.echo(f"PostgreSQL  {where.database_url}\nValkey      {where.redis_url}")
        await told_to_stop.wait()


def _stop_signals() -> asyncio.Event:
    told_to_stop = asyncio.Event()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, told_to_stop.set)
    return told_to_stop


def fail(problem: Exception) -> NoReturn:
    """End the command with `problem` as its message."""
    typer.secho(str(problem), fg=typer.colors.RED, err=True)
    raise typer.Exit(1)

"""The command `ludarium`."""

import asyncio
import logging
import signal
from typing import NoReturn

import typer

from services.config import Config, ConfigError, read_config
from services.embedded import EmbeddedError, provided

main = typer.Typer(name="ludarium", no_args_is_help=True, pretty_exceptions_enable=False)


@main.callback()
def ludarium() -> None:
    """An event-sourced home for tabletop games."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


@main.command()
def services() -> None:
    """Run the embedded PostgreSQL and Valkey until Ctrl-C."""
    try:
        asyncio.run(_run_services(read_config()))
    except (ConfigError, EmbeddedError) as problem:
        fail(problem)


async def _run_services(config: Config) -> None:
    told_to_stop = asyncio.Event()
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(signum, told_to_stop.set)
    async with provided(config) as running:
        typer.echo(f"PostgreSQL  {running.database_url}\nValkey      {running.redis_url}")
        await told_to_stop.wait()


def fail(problem: Exception) -> NoReturn:
    """End the command with `problem` as its message."""
    typer.secho(str(problem), fg=typer.colors.RED, err=True)
    raise typer.Exit(1)

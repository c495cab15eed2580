"""`ludarium services`, `migrate`: what is done without the service, so nothing of it is imported."""
from __future__ import annotations

import typer

from ludarium.commands.running import configured, run, say, told_to_stop
from ludarium.embedded import services_for
from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import Login


def register(app: typer.Typer) -> None:
    app.command()(services)
    app.command()(migrate)


def services() -> None:
    """Run the embedded PostgreSQL and Valkey alone, until Ctrl-C."""
    run(only_servers(configured()))


async def only_servers(config: Config) -> None:
    stop = told_to_stop()
    async with services_for(config) as servers:
        say(f"PostgreSQL  {servers.database_url}", f"Valkey      {servers.redis_url}")
        await stop.wait()


def migrate() -> None:
    """Bring the database up to date; does nothing the second time."""
    run(migrating(configured()))


async def migrating(config: Config) -> None:
    async with services_for(config) as servers:
        for name in await migrated(servers.database_url, Login.of(servers.service_url)):
            say(name)
    say("The database is up to date.")

"""`ludarium services` and `migrate`, which import no other part of the service."""
from __future__ import annotations

import typer

from ludarium.commands.running import print_lines, read_config_or_fail, run, stop_event
from ludarium.embedded import services_for
from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium_eventstore import Login


def register(app: typer.Typer) -> None:
    app.command()(services)
    app.command()(migrate)


def services() -> None:
    """Run only the embedded PostgreSQL and Valkey, until Ctrl-C."""
    run(run_servers(read_config_or_fail()))


async def run_servers(config: Config) -> None:
    stop = stop_event()
    async with services_for(config) as servers:
        print_lines(f"PostgreSQL  {servers.database_url}", f"Valkey      {servers.redis_url}")
        await stop.wait()


def migrate() -> None:
    """Update the database's schema. Running it again does nothing."""
    run(run_migrations(read_config_or_fail()))


async def run_migrations(config: Config) -> None:
    async with services_for(config) as servers:
        for name in await migrated(servers.database_url, Login.of(servers.service_url)):
            print_lines(name)
    print_lines("The database is up to date.")

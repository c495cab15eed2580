"""`ludarium doctor` and `ludarium config`."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import typer

from ludarium.commands.running import OLD_DATA_EXIT, fail
from ludarium.embedded import AlreadyRunning, EmbeddedError, OldHome, services_for
from ludarium.embedded.postgres import LOGIN, database_url
from ludarium.embedded.valkey import redis_url
from ludarium.ops.doctor.database import check_database
from ludarium.ops.doctor.findings import OLD, Finding, wrong
from ludarium.ops.doctor.hints import check_valkey
from ludarium.ops.doctor.keys import keys
from ludarium.ops.doctor.machine import check_machine
from ludarium.platform.config import Config, ConfigError, read_config, settings

COLOURS = {"ok": typer.colors.GREEN, "warning": typer.colors.YELLOW, "wrong": typer.colors.RED}


class ServerUrls(NamedTuple):
    database: str
    redis: str


def register(app: typer.Typer) -> None:
    app.command()(doctor)
    app.command()(config)


def doctor() -> None:
    """Check the setup, whether Ludarium runs or not.

    Exits with 1 on errors, with 3 if the data is too old.
    """
    if code := asyncio.run(print_findings()):
        raise typer.Exit(code)


def config() -> None:
    """Print all settings: value without passwords, origin and meaning."""
    try:
        for setting in settings():
            typer.echo(f"{setting.variable}={setting.value}  # {setting.origin}: {setting.told}")
    except ConfigError as problem:
        fail(problem)


async def print_findings() -> int:
    """Print each finding as soon as it is known; return the exit code."""
    code = 0
    async for finding in findings():
        print_finding(finding)
        if finding.level == "wrong":
            code = OLD_DATA_EXIT if finding.what == OLD else code or 1
    return code


async def findings() -> AsyncIterator[Finding]:
    try:
        config = read_config()
    except ConfigError as problem:
        yield wrong("settings", str(problem), "Correct it; `ludarium config` lists them all.")
        return
    async for finding in check_machine(config):
        yield finding
    for finding in keys(config):
        yield finding
    try:
        async with open_servers(config) as places:
            async for finding in server_findings(places, config.archive):
                yield finding
    except OldHome as problem:
        yield Finding("wrong", OLD, str(problem))
    except EmbeddedError as problem:
        yield wrong("servers", str(problem), "See the embedded servers in docs/operators.md.")


async def server_findings(places: ServerUrls | None, archive: str | None) -> AsyncIterator[Finding]:
    if places is None:
        yield Finding("ok", "servers", "no data yet: `ludarium serve` makes them")
        return
    async for finding in check_database(places.database, archive):
        yield finding
    async for finding in check_valkey(places.redis):
        yield finding


@asynccontextmanager
async def open_servers(config: Config) -> AsyncIterator[ServerUrls | None]:
    """Yield the URLs of the servers, None if there is no data.

    These are the configured servers or the embedded ones. Embedded servers that are not running are started for the
    context.

    Raises:
        EmbeddedError: the embedded servers cannot be started.
    """
    if not (config.database_url or config.redis_url or (config.home / "data" / "postgres").exists()):
        yield None
        return
    running = services_for(config)
    try:
        services = await running.__aenter__()
    except AlreadyRunning:
        sockets = config.home.resolve() / "data" / "run"
        yield ServerUrls(database_url(sockets, user=LOGIN), redis_url(sockets))
        return
    try:
        yield ServerUrls(services.service_url, services.redis_url)
    finally:
        await running.__aexit__(None, None, None)


def print_finding(finding: Finding) -> None:
    typer.secho(f"{finding.level:8}", fg=COLOURS[finding.level], nl=False)
    typer.echo(f" {finding.what}: {finding.detail}")
    if finding.remedy:
        typer.echo(f"         {finding.remedy}")

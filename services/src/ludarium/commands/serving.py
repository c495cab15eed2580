"""`ludarium serve`: run the server."""
from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Annotated
from urllib.parse import urlsplit

import typer

from ludarium.api.waiting import waiting
from ludarium.commands.running import print_lines, read_config_or_fail, run, stop_event
from ludarium.commands.workers import PROGRAM, Worker, WorkersFailed, bind_ports, join_command, run_all, worker_environment
from ludarium.embedded import services_for
from ludarium.platform.config import Config, ConfigError
from ludarium.platform.entropy import Entropy, SystemEntropy
from ludarium.platform.http_server import http
from ludarium.platform.schema_check import lacking, migrated
from ludarium.platform.sockets import listening, released
from ludarium.server import Address, running
from ludarium_eventstore import Login

log = logging.getLogger(__name__)
CHECK_INTERVAL = 2.0
"""Seconds between two checks whether the database has been migrated."""
YOUNG_THRESHOLD, MIDDLE_THRESHOLD, OLD_THRESHOLD = 10_000, 10, 20
"""Thresholds of the garbage collector for its three generations."""


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    workers: Annotated[int, typer.Option(min=1, max=64, help="number of processes that share the ports")] = 1,
    inherit: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Run Ludarium: the API, the live gateway, and the servers they need.

    PostgreSQL and Valkey are embedded unless the settings name others.
    """
    serve_with(SystemEntropy(), PROGRAM, workers, inherit)


def serve_with(
    entropy: Entropy, program: Sequence[str], workers: int, inherit: str, *, starts_replays: bool = True
) -> None:
    """Run Ludarium with this source of randomness.

    Args:
        program: the command that starts a worker with the same source.
    """
    if workers > 1:
        run(run_workers(read_config_or_fail(), workers, program))
    else:
        run(run_server(read_config_or_fail(), entropy, inherit, starts_replays))


async def run_workers(config: Config, count: int, program: Sequence[str]) -> None:
    """Run several processes with all roles, and restart those that die.

    Args:
        count: the number of processes.
        program: the command that starts a process.
    """
    check_shared(config)
    stop = stop_event()
    async with services_for(config) as servers:
        if servers.supervisors:
            await migrated(servers.database_url, Login.of(servers.service_url))
        else:
            await lacking(servers.service_url)      # each worker waits for missing migrations; here, an old database is refused
        urls = {"LUDARIUM_DATABASE_URL": servers.service_url, "LUDARIUM_REDIS_URL": servers.redis_url}
        await released(addresses(config, count), stop)
        with bind_ports(config) as sockets:
            workers = [Worker(nth, sockets, worker_environment(config, nth) | urls, program) for nth in range(count)]
            if await run_all(workers, stop, print_lines):
                return
    raise WorkersFailed("A worker did not start; the lines above say why.")


def check_shared(config: Config) -> None:
    if not config.roles.complete and config.database_url is None:
        raise ConfigError("A process with some roles works beside others: LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL must "
                          "name what they share, or leave LUDARIUM_ROLES away.")


async def run_server(config: Config, entropy: Entropy, inherit: str, starts_replays: bool) -> None:
    """Run a single server process.

    Args:
        inherit: the sockets that a worker shares with others. A worker ends with the command that started it.
    """
    check_shared(config)
    stop = stop_event()
    if inherit:
        join_command(inherit)
    async with services_for(config) as servers:
        if servers.supervisors:                 # with an external database, `ludarium migrate` is a separate step
            await migrated(servers.database_url, Login.of(servers.service_url))
        await released(addresses(config), stop)
        port = config.port if config.roles.answers_http else config.ws_port
        await wait_until_migrated(config, port, servers.service_url, stop)
        if stop.is_set():
            return
        async with running(config, servers.service_url, servers.redis_url, entropy, starts_replays=starts_replays) as address:
            tune_garbage_collection()
            print_lines("Ludarium is running.", *address_lines(config, address), "Ctrl-C stops it.")
            await stop.wait()
            print_lines("Stopping …")


def addresses(config: Config, workers: int = 1) -> list[tuple[str, int]]:
    """Return the addresses that the processes of one command listen on."""
    ports = [config.port] if config.roles.answers_http else []
    ports += [config.ws_port] if "live" in config.roles else []
    metrics = range(config.metrics_port, config.metrics_port + workers) if config.metrics_port else ()
    return [*((config.host, port) for port in ports), *((config.metrics_host, port) for port in metrics)]


def address_lines(config: Config, address: Address) -> Iterator[str]:
    if "api" in config.roles:
        yield f"  play           {web_address(config, address)}/"
        yield f"  API            {address.http}/api/v1"
        yield f"  documentation  {address.http}/docs"
    elif address.http:
        yield f"  health         {address.http}/healthz"
    if address.ws:
        yield f"  live           {address.ws}" + (f" on port {address.ws_port}" if config.ws_url else "")
    if address.metrics:
        yield f"  metrics        {address.metrics}"


async def wait_until_migrated(config: Config, port: int, url: str, stop: asyncio.Event) -> None:
    """Wait until the database is migrated or `stop` is set.

    In the meantime, the process reports on `port` that it is not ready.
    """
    missing, reported = await lacking(url), None
    if missing is None:
        return
    with listening(config.host, port) as listener:
        async with http(waiting(), listener, config.trusted_proxies):
            while missing and not stop.is_set():
                if missing != reported:
                    log.warning("Waiting: %s.", missing)
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), CHECK_INTERVAL)
                missing, reported = await lacking(url), missing


def web_address(config: Config, address: Address) -> str:
    """Return the address to open in a browser.

    Passkeys need the configured origin, so it is preferred if it has the right port.
    """
    port = urlsplit(address.http).port or 0
    origin = config.origins(port).first
    return origin if urlsplit(origin).port == port else address.http


def tune_garbage_collection() -> None:
    """Exclude all current objects from garbage collection, and collect others rarely.

    A full collection stops the process for 60 ms. With 10,000 tables and their sockets, it takes most of a second.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_THRESHOLD, MIDDLE_THRESHOLD, OLD_THRESHOLD)

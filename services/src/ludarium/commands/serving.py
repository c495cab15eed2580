"""`ludarium serve`."""
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
from ludarium.commands.running import configured, run, say, told_to_stop
from ludarium.commands.workers import PROGRAM, Worker, WorkersFailed, bound, environment, take_part, together
from ludarium.embedded import services_for
from ludarium.platform.config import Config, ConfigError
from ludarium.platform.entropy import Entropy, SystemEntropy
from ludarium.platform.http_server import http
from ludarium.platform.schema_check import lacking, migrated
from ludarium.platform.sockets import listening, released
from ludarium.server import Address, running
from ludarium_eventstore import Login

log = logging.getLogger(__name__)
LOOK = 2.0
"""Seconds between two looks whether the database has been migrated."""
YOUNG, AGED, OLD = 10_000, 10, 20
"""So many objects more than there were, and the newest are looked through for garbage; after so many times those that stayed
are, and after so many of these all."""


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    workers: Annotated[int, typer.Option(min=1, max=64, help="processes that share the ports")] = 1,
    inherit: Annotated[str, typer.Option(hidden=True)] = "",
) -> None:
    """Run Ludarium: the API, the live gateway and, unless told where to find them, PostgreSQL and Valkey."""
    serve_with(SystemEntropy(), PROGRAM, workers, inherit)


def serve_with(
    entropy: Entropy, program: Sequence[str], workers: int, inherit: str, *, starts_replays: bool = True
) -> None:
    """Run Ludarium with this source of chance; `program` is what runs a worker with the same one."""
    if workers > 1:
        run(side_by_side(configured(), workers, program))
    else:
        run(serving(configured(), entropy, inherit, starts_replays))


async def side_by_side(config: Config, count: int, program: Sequence[str]) -> None:
    """count: processes, each with all of the roles; they are started again when they die. program: what runs each."""
    check_shared(config)
    stop = told_to_stop()
    async with services_for(config) as servers:
        if servers.supervisors:
            await migrated(servers.database_url, Login.of(servers.service_url))
        else:
            await lacking(servers.service_url)      # each worker waits for what is lacking; an old database is refused here
        urls = {"LUDARIUM_DATABASE_URL": servers.service_url, "LUDARIUM_REDIS_URL": servers.redis_url}
        await released(addresses(config, count), stop)
        with bound(config) as sockets:
            workers = [Worker(nth, sockets, environment(config, nth) | urls, program) for nth in range(count)]
            if await together(workers, stop, say):
                return
    raise WorkersFailed("A worker did not start; the lines above say why.")


def check_shared(config: Config) -> None:
    if not config.roles.complete and config.database_url is None:
        raise ConfigError("A process with some roles works beside others: LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL must "
                          "name what they share, or leave LUDARIUM_ROLES away.")


async def serving(config: Config, entropy: Entropy, inherit: str, starts_replays: bool) -> None:
    """inherit: of a worker, the sockets that it shares with others; it ends with the command that runs it."""
    check_shared(config)
    stop = told_to_stop()
    if inherit:
        take_part(inherit)
    async with services_for(config) as servers:
        if servers.supervisors:                 # elsewhere `ludarium migrate` is a step of the roll-out
            await migrated(servers.database_url, Login.of(servers.service_url))
        await released(addresses(config), stop)
        port = config.port if config.roles.answers_http else config.ws_port
        await until_migrated(config, port, servers.service_url, stop)
        if stop.is_set():
            return
        async with running(config, servers.service_url, servers.redis_url, entropy, starts_replays=starts_replays) as address:
            spare_what_stays()
            say("Ludarium is running.", *found_at(config, address), "Ctrl-C stops it.")
            await stop.wait()
            say("Stopping …")


def addresses(config: Config, workers: int = 1) -> list[tuple[str, int]]:
    """Return the addresses that the processes of one command listen on."""
    ports = [config.port] if config.roles.answers_http else []
    ports += [config.ws_port] if "live" in config.roles else []
    metrics = range(config.metrics_port, config.metrics_port + workers) if config.metrics_port else ()
    return [*((config.host, port) for port in ports), *((config.metrics_host, port) for port in metrics)]


def found_at(config: Config, address: Address) -> Iterator[str]:
    if "api" in config.roles:
        yield f"  play           {page_of(config, address)}/"
        yield f"  API            {address.http}/api/v1"
        yield f"  documentation  {address.http}/docs"
    elif address.http:
        yield f"  health         {address.http}/healthz"
    if address.ws:
        yield f"  live           {address.ws}" + (f" on port {address.ws_port}" if config.ws_url else "")
    if address.metrics:
        yield f"  metrics        {address.metrics}"


async def until_migrated(config: Config, port: int, url: str, stop: asyncio.Event) -> None:
    """The process says on `port` that it lives and is not ready, until the database has all that it needs, or `stop`."""
    lacks, said = await lacking(url), None
    if lacks is None:
        return
    with listening(config.host, port) as listener:
        async with http(waiting(), listener, config.trusted_proxies):
            while lacks and not stop.is_set():
                if lacks != said:
                    log.warning("Waiting: %s.", lacks)
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), LOOK)
                lacks, said = await lacking(url), lacks


def page_of(config: Config, address: Address) -> str:
    """Where to open it: passkeys work at the origin that is configured, if that leads here."""
    port = urlsplit(address.http).port or 0
    origin = config.origins(port).first
    return origin if urlsplit(origin).port == port else address.http


def spare_what_stays() -> None:
    """What a process has once it runs is no garbage: looking it through stops everybody for 60 ms, again and again. What it
    gets does so as well, for most of a second with 10,000 tables and their sockets: that is done seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, AGED, OLD)

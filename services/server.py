"""The composition root: everything that one process runs, put together."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from importlib.metadata import version
from importlib.resources import files
from typing import Any, NamedTuple, cast

import uvicorn
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from eventstore import EventStore, StoreUnavailable, migrate
from services.accounts.accounts import Accounts
from services.api.app import application
from services.api.commands import Commands
from services.api.front import Front
from services.api.limits import Limits
from services.api.state import Parts, Settings
from services.bots import Bots
from services.config import Config
from services.database import database
from services.live.gateway import Gateway
from services.live.hub import Hub
from services.live.limits import UNLIMITED
from services.live.ports import Ports
from services.live.publisher import Publisher
from services.live_ports import Doorkeeper, TableLog
from services.problems import Problem
from services.projections.lobby import Lobby
from services.tables.rows import NAMES
from services.tables.tables import Tables

log = logging.getLogger(__name__)

REDIS_PATIENCE = 1.0
"""Seconds until a Valkey that does not answer counts as away."""
RETRY = 5.0
"""Seconds until the sweep at the start is tried again."""
GRACE = 5
"""Seconds that requests under way get when the server stops."""


class AddressTaken(Exception):
    """Something else listens there, or we may not."""


class Address(NamedTuple):
    """Where a running server is found."""

    http: str
    ws: str


@asynccontextmanager
async def running(config: Config, database_url: str, redis_url: str) -> AsyncIterator[Address]:
    """A whole server process, serving while the context lasts, on a database that is migrated. Port 0: any free one."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        listener = stack.enter_context(listening(config.host, config.port))
        base, redis = await enter(database(database_url)), await enter(valkey(redis_url))
        store = await enter(await EventStore.open(database_url))
        await store.name_types(NAMES)
        publisher = await enter(Publisher(redis_url))
        tables = Tables(store, publisher, config.hot_tables)
        stack.push_async_callback(tables.close)
        accounts, lobby, commands = Accounts(base), Lobby(base), Commands(tables)
        bots = await enter(playing(tables))
        tables.listeners += [lobby.follow, bots.follow]
        ports = Ports(Doorkeeper(accounts), TableLog(tables), commands)
        hub = await enter(Hub(redis_url, ports.log))
        publisher.near = hub.audiences
        rates = None if config.rate_limits else UNLIMITED
        with free(config.host, config.ws_port):
            gateway = await enter(Gateway(config.host, config.ws_port, hub, ports, rates))
        settings = Settings(version=version("ludarium"), ws_port=gateway.port, ws_url=config.ws_url)
        parts = Parts(
            settings=settings, database=base, redis=redis, accounts=accounts, tables=tables, commands=commands,
            lobby=lobby,
        )  # fmt: skip
        limits = Limits(redis) if config.rate_limits else None
        await enter(http(Front(application(parts, limits), parts, limits), listener))
        await enter(background(resume(lobby, store, tables, bots)))
        yield Address(f"http://{host_of(config.host)}:{listener.getsockname()[1]}", ws_url_of(settings, config.host))


async def migrated(database_url: str) -> list[str]:
    """Brings the database up to date. The names of the migrations that were run."""
    folders = {name: files(f"services.{name}") / "schema" for name in ("accounts", "projections")}
    return await migrate(database_url, folders)


async def resume(lobby: Lobby, store: EventStore, tables: Tables, bots: Bots) -> None:
    """Takes up what a process that died has left: untold tables, bots that owe an answer."""
    while True:
        try:
            await lobby.read_up(store, tables)
            return await bots.sweep(await lobby.bots_playing())
        except (Problem, StoreUnavailable) as error:
            log.warning("What was left by others waits: %s", error)
            await asyncio.sleep(RETRY)


@asynccontextmanager
async def playing(tables: Tables) -> AsyncIterator[Bots]:
    bots = Bots(tables)
    try:
        yield bots
    finally:
        await bots.stop()


@asynccontextmanager
async def background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs beside the rest; a failure is logged and stops nothing else."""
    task = asyncio.create_task(work)
    task.add_done_callback(told)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def told(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("The start-up sweep failed", exc_info=error)


def host_of(host: str) -> str:
    """As it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def ws_url_of(settings: Settings, host: str) -> str:
    return settings.ws_url or f"ws://{host_of(host)}:{settings.ws_port}/"


@contextmanager
def free(host: str, port: int) -> Iterator[None]:
    """Raises AddressTaken if what happens within cannot listen there."""
    try:
        yield
    except OSError as error:
        others = "LUDARIUM_PORT and LUDARIUM_WS_PORT name others"
        raise AddressTaken(f"Cannot listen on {host}:{port}: {error.strerror}. {others}.") from error


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A bound socket: port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with free(host, port):
        listener = socket.create_server((host, port), family=family, backlog=1024)
    with listener:
        # Inherited by every connection; asyncio sets it only where a socket names its protocol. Else an answer in two
        # writes waits 40 ms for the client's acknowledgement.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield listener


@asynccontextmanager
async def valkey(url: str) -> AsyncIterator[Redis]:
    client = Redis.from_url(
        url, socket_timeout=REDIS_PATIENCE, socket_connect_timeout=REDIS_PATIENCE, retry=Retry(NoBackoff(), 0)
    )
    async with client:
        yield client


class HttpServer(uvicorn.Server):
    """Uvicorn inside a larger process, which takes the signals itself."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def http(app: Front, listener: socket.socket) -> AsyncIterator[None]:
    """Serves `app` on the socket; lets requests under way finish when the context ends."""
    server = HttpServer(
        uvicorn.Config(
            cast(Any, app), http="httptools", loop="none", ws="none", lifespan="on", access_log=False, log_config=None,
            log_level="warning", server_header=False, timeout_graceful_shutdown=GRACE,
        )
    )
    task = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not task.done():
        await asyncio.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        await task

"""The composition root: everything that one process runs, put together."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Any, cast

import uvicorn
from litestar import Litestar
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from services.accounts.accounts import Accounts
from services.api.app import application
from services.api.limits import Limits
from services.api.state import Parts, Settings
from services.config import Config
from services.database import database

REDIS_PATIENCE = 1.0
"""Seconds until a Valkey that does not answer counts as away."""
GRACE = 5
"""Seconds that requests under way get when the server stops."""


@asynccontextmanager
async def running(config: Config, database_url: str, redis_url: str) -> AsyncIterator[str]:
    """A whole server process, serving while the context lasts. Gives the URL of its HTTP API."""
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(listening(config.host, config.port))
        base = await stack.enter_async_context(database(database_url))
        redis = await stack.enter_async_context(valkey(redis_url))
        settings = Settings(
            version=version("ludarium"), host=config.host, ws_port=config.ws_port, ws_url=config.ws_url
        )
        parts = Parts(settings=settings, database=base, redis=redis, accounts=Accounts(base))
        app = application(parts, Limits(redis) if config.rate_limits else None)
        await stack.enter_async_context(http(app, listener))
        host, port = listener.getsockname()[:2]
        yield f"http://{host}:{port}"


@contextmanager
def listening(host: str, port: int) -> Iterator[socket.socket]:
    """A bound socket: port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=1024) as listener:
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
async def http(app: Litestar, listener: socket.socket) -> AsyncIterator[None]:
    """Serves `app` on the socket; lets requests under way finish when the context ends."""
    server = HttpServer(
        uvicorn.Config(
            cast(Any, app), http="httptools", loop="none", ws="none", lifespan="on", access_log=False, log_config=None,
            server_header=False, timeout_graceful_shutdown=GRACE,
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


async def migrated(database_url: str) -> None:
    from importlib.resources import files

    import asyncpg
    connection = await asyncpg.connect(database_url)
    await connection.execute((files("services.accounts") / "schema" / "0001_accounts.sql").read_text())
    await connection.close()

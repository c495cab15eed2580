"""Runs PostgreSQL and Valkey from their wheels, without any TCP port."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ludarium.embedded.account import choose_account
from ludarium.embedded.data_directory import check_format, data_folder, locked, socket_folder
from ludarium.embedded.errors import AlreadyRunning, EmbeddedError, OldHome
from ludarium.embedded.postgres import LOGIN, database_url, make_database, postgres
from ludarium.embedded.supervisor import Server, Supervisor
from ludarium.embedded.valkey import redis_url, valkey
from ludarium.platform.config import Config

__all__ = ["AlreadyRunning", "EmbeddedError", "OldHome", "Services", "embedded", "services_for"]


@dataclass(frozen=True)
class Services:
    """The addresses of PostgreSQL and Valkey, and the supervisors of embedded servers.

    Attributes:
        database_url: URL for asyncpg, with the role that owns the database and runs migrations.
        redis_url: URL for redis-py.
        service_url: URL for asyncpg, with the role of the service.
        supervisors: supervisors by server name; empty if the servers are not embedded.
    """

    database_url: str
    redis_url: str
    service_url: str
    supervisors: dict[str, Supervisor] = field(default_factory=dict)

    @property
    def restarts(self) -> int:
        """The number of times that an embedded server died and was restarted."""
        return sum(supervisor.restarts for supervisor in self.supervisors.values())


@asynccontextmanager
async def embedded(home: Path, *, user: str | None = None, durable: bool = True) -> AsyncIterator[Services]:
    """Run both servers with their data in `home` until the context ends.

    The URLs remain valid if a server dies and is restarted.

    Args:
        home: the data directory of Ludarium.
        user: the account that runs the servers if this process runs as root.
        durable: False makes PostgreSQL faster, but a crash of the machine loses data. Use it only for tests.

    Raises:
        OldHome: a release before 0.1.0 made the data.
        AlreadyRunning: another process runs the servers on the same data.
        EmbeddedError: the servers cannot run on this machine.
    """
    account = choose_account(user)
    check_format(home)
    async with AsyncExitStack() as stack:
        data = data_folder(home, account)
        stack.enter_context(locked(data))
        sockets = stack.enter_context(socket_folder(data, account))
        supervisors = {
            "postgres": await _run(stack, postgres(data, sockets, account, durable=durable)),
            "valkey": await _run(stack, valkey(data, sockets, account)),
        }
        await make_database(sockets)
        yield Services(database_url(sockets), redis_url(sockets), database_url(sockets, user=LOGIN), supervisors)


async def _run(stack: AsyncExitStack, server: Server) -> Supervisor:
    supervisor = Supervisor(server)
    stack.push_async_callback(supervisor.stop)
    await supervisor.start()
    return supervisor


@asynccontextmanager
async def services_for(config: Config) -> AsyncIterator[Services]:
    """Use the servers that `config` names, or run the embedded ones.

    Raises:
        EmbeddedError: `config` names only one of the two servers, or the embedded servers cannot run.
    """
    if config.database_url and config.redis_url:
        owner = config.database_owner_url or config.database_url
        yield Services(owner, config.redis_url, config.database_url)
    elif config.database_url or config.redis_url or config.database_owner_url:
        raise EmbeddedError("LUDARIUM_DATABASE_URL and LUDARIUM_REDIS_URL go together, and LUDARIUM_DATABASE_OWNER_URL with "
                            "both: set them, or none for the embedded servers.")
    else:
        async with embedded(config.home, user=config.pg_user) as services:
            yield services

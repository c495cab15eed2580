"""A cluster of Valkeys of a test's own: slots move, nodes die and come back."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

from redis.crc import key_slot
from redis.exceptions import RedisError

from services import valkey
from services.embedded.account import choose_account
from services.embedded.binaries import valkey_binary

NODES = 3
SLOTS = 16384


class Node:
    def __init__(self, folder: Path) -> None:
        account = choose_account(None)
        folder.mkdir()
        account.own(folder)
        self.port, self.bus = free_port(), free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        settings = {
            "port": str(self.port), "bind": "127.0.0.1", "dir": str(folder), "save": "", "cluster-enabled": "yes",
            "cluster-port": str(self.bus), "cluster-require-full-coverage": "no", "cluster-node-timeout": "1000",
        }  # fmt: skip
        options = [word for name, value in settings.items() for word in (f"--{name}", value)]
        self._command = account.command(valkey_binary(account), *options)
        self._log = folder / "log"

    async def __aenter__(self) -> Self:
        await self.start()
        self.id = str(await self.ask("CLUSTER", "MYID"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    async def ask(self, *command: str | int) -> object:
        async with valkey.single(self.url) as client:
            answer = await client.execute_command(*command)  # type: ignore[no-untyped-call]
        return answer.decode() if isinstance(answer, bytes) else answer

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(*self._command, stdout=log, stderr=log)
        async with asyncio.timeout(10):
            while not await self._answers():
                await asyncio.sleep(0.02)

    async def kill(self) -> None:
        if self.alive:
            self._process.kill()
        await self._process.wait()

    async def settled(self) -> bool:
        """Whether it knows where each slot is."""
        told = await self.ask("CLUSTER", "INFO")
        return all(line in str(told) for line in ("cluster_state:ok", f"cluster_slots_ok:{SLOTS}"))

    async def _answers(self) -> bool:
        try:
            return bool(await self.ask("PING"))
        except (RedisError, OSError):
            return False


class Cluster:
    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.url = nodes[0].url.replace("://", valkey.CLUSTER)

    def node_of(self, channel: bytes) -> Node:
        """As the slots were dealt at first."""
        return self.nodes[key_slot(channel) * NODES // SLOTS]

    async def form(self) -> None:
        for nth, node in enumerate(self.nodes):
            first, last = -(-nth * SLOTS // NODES), -(-(nth + 1) * SLOTS // NODES) - 1
            await node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            await node.ask("CLUSTER", "SET-CONFIG-EPOCH", nth + 1)
            await node.ask("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].bus)
        async with asyncio.timeout(20):
            while not all([await node.settled() for node in self.nodes]):
                await asyncio.sleep(0.05)

    async def move(self, channel: bytes, to: Node) -> None:
        """Gives the channel's slot to another node, as its tools do; it holds no keys."""
        slot, source = key_slot(channel), self.node_of(channel)
        await to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
        for node in (to, *[node for node in self.nodes if node.alive]):
            await node.ask("CLUSTER", "SETSLOT", slot, "NODE", to.id)


@asynccontextmanager
async def cluster_in(folder: Path) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(Node(folder / str(nth))) for nth in range(NODES)]
        cluster = Cluster(nodes)
        await cluster.form()
        yield cluster


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])

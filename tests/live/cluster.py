"""A cluster of Valkey nodes for one test.

Slots can be moved, and nodes can be killed and started again.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Self

from redis.crc import key_slot

from ludarium.platform import valkey
from tests.support import ports
from tests.support.valkey import TcpValkey
from tests.support.waiting import eventually

NODES = 3
SLOTS = 16384


class ClusterNode(TcpValkey):
    def __init__(self, folder: Path, **settings: str | int) -> None:
        self.bus = ports.reserve()
        super().__init__(
            folder, cluster_enabled="yes", cluster_port=self.bus, cluster_require_full_coverage="no",
            cluster_node_timeout=1000, **settings,
        )  # fmt: skip

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        self.id = str(await self.ask("CLUSTER", "MYID"))
        return self

    async def settled(self) -> bool:
        """Check whether the node knows which node has each slot."""
        told = await self.ask("CLUSTER", "INFO")
        return all(line in str(told) for line in ("cluster_state:ok", f"cluster_slots_ok:{SLOTS}"))


class Cluster:
    def __init__(self, nodes: list[ClusterNode]) -> None:
        self.nodes = nodes
        self.url = nodes[0].url.replace("://", valkey.CLUSTER)

    def node_of(self, channel: bytes) -> ClusterNode:
        """Return the node that got the channel's slot when the cluster was formed."""
        return self.nodes[key_slot(channel) * NODES // SLOTS]

    async def form(self) -> None:
        for nth, node in enumerate(self.nodes):
            first, last = -(-nth * SLOTS // NODES), -(-(nth + 1) * SLOTS // NODES) - 1
            await node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            await node.ask("CLUSTER", "SET-CONFIG-EPOCH", nth + 1)
            await node.ask("CLUSTER", "MEET", "127.0.0.1", self.nodes[0].port, self.nodes[0].bus)
        for node in self.nodes:
            await eventually(node.settled)

    async def move(self, channel: bytes, to: ClusterNode) -> None:
        """Move the channel's slot to another node, as Valkey's tools do.

        No keys have to be moved with the slot.
        """
        slot, source = key_slot(channel), self.node_of(channel)
        await to.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        await source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", to.id)
        for node in (to, *[node for node in self.nodes if node.alive]):
            await node.ask("CLUSTER", "SETSLOT", slot, "NODE", to.id)


@asynccontextmanager
async def cluster_in(folder: Path) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(ClusterNode(folder / str(nth))) for nth in range(NODES)]
        cluster = Cluster(nodes)
        await cluster.form()
        yield cluster

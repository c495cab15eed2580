"""Valkey fails over to a replica at the same address, and clients do not notice."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.live.outage import BURST, played, pushed, scene
from tests.live.proxy import good_line
from tests.support.entropy import ENTROPY
from tests.support.valkey import TcpValkey
from tests.support.waiting import eventually


@pytest.fixture
async def nodes() -> AsyncIterator[list[TcpValkey]]:
    """Yield a primary and its replica."""
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        Path(folder).chmod(0o711)
        one, two = [TcpValkey(Path(folder) / name, repl_diskless_sync_delay=0) for name in ("one", "two")]
        async with one as primary, two as replica:
            await replica.ask("REPLICAOF", "127.0.0.1", primary.port)
            await eventually(lambda: copied(replica))
            yield [primary, replica]


async def copied(replica: TcpValkey) -> bool:
    """Check whether the replica has all data of its primary."""
    return "'master_link_status': 'up'" in str(await replica.ask("INFO", "replication"))


async def test_a_replica_that_is_promoted_carries_on_and_nothing_is_missed(database_url: str, nodes: list[TcpValkey]) -> None:
    primary, replica = nodes
    targets = [primary.port]
    seed = ENTROPY.random("seed").randrange(10**6)
    print("seed", seed)
    async with (
        good_line(targets) as endpoint,
        scene(database_url, f"redis://127.0.0.1:{endpoint.port}", seed) as (_, game, ears),
    ):
        await pushed(game, ears, primary.url)
        await primary.kill()
        await played(game, ears, BURST)
        await replica.ask("REPLICAOF", "NO", "ONE")
        targets[:] = [replica.port]
        await pushed(game, ears, replica.url)
        await played(game, ears, BURST)
        assert not primary.alive

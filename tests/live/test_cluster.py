"""A Redis cluster whose slots move and nodes die, while clients miss nothing."""

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from redis.asyncio import RedisCluster

from ludarium.http.rate_limits import Rate, RateLimits
from ludarium.live import channel
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.presence import Presence, Present
from ludarium.live.redis_nodes import at
from ludarium.platform import valkey
from ludarium.platform.problems import Problem
from tests.live.cluster import NODES, Cluster, ClusterNode, cluster_in
from tests.live.house import House
from tests.live.test_following import words
from tests.support.entropy import ENTROPY
from tests.support.live_client import Client, client
from tests.support.waiting import eventually

TABLES = [f"table-{nth}" for nth in range(12)]


@pytest.fixture
async def cluster() -> AsyncIterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        Path(folder).chmod(0o711)
        async with cluster_in(Path(folder)) as nodes:
            yield nodes


@pytest.fixture
async def house(redis_url: str, cluster: Cluster) -> AsyncIterator[House]:
    """Yield a service whose tables are on another Valkey than the cluster.

    The cluster only carries messages.
    """
    async with House(redis_url, cluster.url) as house:
        yield house


@pytest.fixture
async def hub(cluster: Cluster, house: House) -> AsyncIterator[Hub]:
    async with Hub(cluster.url, house, ENTROPY) as hub:
        await eventually(lambda: hub.connected)
        yield hub


async def test_a_start_needs_one_of_the_nodes_that_the_url_names(house: House, cluster: Cluster) -> None:
    url = cluster.url.replace("://", "://127.0.0.1:1,", 1)      # where nothing listens
    client = valkey.client(url)
    try:
        assert await client.set("here", "1")
    finally:
        await client.aclose()
    async with Hub(url, house, ENTROPY) as hub:
        await eventually(lambda: hub.connected)


def node_of(cluster: Cluster, table: str) -> ClusterNode:
    return cluster.node_of(channel.of_table(table))


def other_than(cluster: Cluster, *nodes: ClusterNode) -> ClusterNode:
    return next(other for other in cluster.nodes if other not in nodes)


async def pushed_whole(house: House, ann: Client, sub: str) -> bool:
    """Check that a message at table "t" arrives through the cluster, without a read."""
    before = house.publisher.lost, house.reads
    await ann.until(sub, await house.say("t", "again"))
    return (house.publisher.lost, house.reads) == before


async def test_each_channel_is_pushed_through_its_node(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, cluster: Cluster
) -> None:
    assert len({node_of(cluster, table).port for table in TABLES}) == NODES
    for table in TABLES:
        await house.open(table, {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        subs = [await ann.subscribe(table) for table in TABLES]
        for table, sub in zip(TABLES, subs, strict=True):
            await ann.until(sub, 0)
            await house.say(table, table)
            assert words(await ann.until(sub, 1)) == ["open", table]
    for node in cluster.nodes:
        assert await node.ask("PUBSUB", "CHANNELS") == []


async def test_a_slot_that_moves_takes_its_table_along(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, cluster: Cluster
) -> None:
    await house.open("t", {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await ann.until(sub, 0)
        await house.say("t", "before")
        await ann.until(sub, 1)
        target = other_than(cluster, node_of(cluster, "t"))
        await cluster.move(channel.of_table("t"), target)
        seq = await house.say("t", "meanwhile")
        await ann.until(sub, seq)
        wires = await target.ask("PUBSUB", "SHARDNUMSUB", channel.of_table("t").decode())
        assert wires == [channel.of_table("t"), 1]
        await eventually(lambda: pushed_whole(house, ann, sub))


async def test_a_node_that_dies_takes_no_other_table_with_it(
    house: House, hub: Hub, gateway: Gateway, cluster: Cluster
) -> None:
    await house.open("t", {"ann": 0})
    dying = node_of(cluster, "t")
    safe = next(table for table in TABLES if node_of(cluster, table) is not dying)
    await house.open(safe, {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        subs = await ann.subscribe("t"), await ann.subscribe(safe)
        for sub in subs:
            await ann.until(sub, 0)
        await dying.kill()
        await ann.until(subs[0], await house.say("t", "in the dark"))
        assert not hub.connected
        reads = house.reads
        await ann.until(subs[1], await house.say(safe, "in the light"))
        assert house.reads == reads
        await dying.start()
        await eventually(lambda: hub.connected)
        await ann.until(subs[0], await house.say("t", "in the light again"))


async def test_who_comes_while_a_node_is_dead_is_served_from_the_log(
    house: House, hub: Hub, gateway: Gateway, cluster: Cluster
) -> None:
    await house.open("t", {"ann": 0})
    await node_of(cluster, "t").kill()
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe("t")
        await house.say("t", "in the dark")
        assert words(await ann.until(sub, 1)) == ["open", "in the dark"]


async def test_any_node_tells_of_the_others_when_the_named_one_is_gone(
    unpolled: None, house: House, hub: Hub, gateway: Gateway, cluster: Cluster
) -> None:
    table = next(table for table in TABLES if node_of(cluster, table) is not cluster.nodes[0])
    await house.open(table, {"ann": 0})
    async with client(gateway.port, "ann-token") as ann:
        sub = await ann.subscribe(table)
        await ann.until(sub, 0)
        await cluster.nodes[0].kill()
        target = other_than(cluster, node_of(cluster, table), cluster.nodes[0])
        await cluster.move(channel.of_table(table), target)
        await ann.until(sub, await house.say(table, "elsewhere"))


async def test_who_is_present_is_known_on_every_node(house: House, cluster: Cluster) -> None:
    for table in TABLES:
        await house.open(table, {"ann": 0})
    async with (
        Presence(cluster.url) as presence,
        Hub(cluster.url, house, ENTROPY, presence) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports) as gateway,
        client(gateway.port, "ann-token") as ann,
    ):
        for table in TABLES:
            await ann.subscribe(table)

        async def known() -> bool:
            return [await presence.of(table) for table in TABLES] == [Present([0], 0)] * len(TABLES)

        await eventually(known)


async def test_rates_are_limited_by_several_buckets_at_once(cluster: Cluster) -> None:
    async with valkey.client(cluster.url) as redis:
        assert isinstance(redis, RedisCluster)
        limits, buckets = RateLimits(redis), {name: Rate(3, 0.001) for name in TABLES}
        assert [await limits.take(buckets) for _ in range(3)] == [2, 1, 0]
        with pytest.raises(Problem):
            await limits.take(buckets)


async def test_without_the_cluster_nobody_is_refused(cluster: Cluster) -> None:
    for node in cluster.nodes:
        await node.kill()
    async with Presence(cluster.url) as presence:
        assert await presence.of("t") is None
        assert await RateLimits(valkey.client(cluster.url)).take({"a": Rate(1, 1)}) is None


@pytest.mark.parametrize(
    ("url", "host", "there"),
    [
        ("redis://a:1", b"b", "redis://b:7"),
        ("rediss://ann:secret@a:1?ssl_ca_certs=x", b"b", "rediss://ann:secret@b:7?ssl_ca_certs=x"),
        ("redis://a:1", b"", "redis://a:7"),
        ("redis://a:1", None, "redis://a:7"),
        ("redis://a:1", b"::1", "redis://[::1]:7"),
    ],
)
def test_another_node_is_reached_as_the_first_one_was(url: str, host: bytes | None, there: str) -> None:
    assert at(url, host, 7) == there

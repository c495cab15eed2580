"""Create Valkey clients from the URL of one server or of a cluster."""

from urllib.parse import urlsplit

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.connection import parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

CLUSTER = "+cluster://"
PORT = 6379
PATIENCE = 1.0
"""Seconds until a Valkey that does not answer counts as down."""
REDIRECTIONS = 3
"""How often a command is sent to another node because a cluster slot has moved."""

AWAY = (RedisError, RedisClusterException, OSError)
"""The errors that a client raises while Valkey is down."""

Client = Redis | RedisCluster


def is_cluster(url: str) -> bool:
    """Return whether the URL names nodes of a cluster.

    Such URLs begin with redis+cluster:// or rediss+cluster://.
    """
    return CLUSTER in url


def seeds(url: str) -> list[str]:
    """Return a URL for redis-py for each node that a cluster's URL names.

    An example of such a URL is redis+cluster://a:6379,b:6379.
    """
    parts = urlsplit(url.replace(CLUSTER, "://", 1))
    login, at, hosts = parts.netloc.rpartition("@")
    return [parts._replace(netloc=f"{login}{at}{host}").geturl() for host in hosts.split(",")]


def client(url: str) -> Client:
    """Return a client that connects when it is first used.

    For a cluster, one reachable node among those in the URL is enough.
    """
    if is_cluster(url):
        first, *_ = targets = seeds(url)
        nodes = [ClusterNode(node.get("host", "localhost"), node.get("port", PORT)) for node in map(parse_url, targets)]
        return RedisCluster.from_url(
            first, startup_nodes=nodes, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), REDIRECTIONS), require_full_coverage=False,
        )  # fmt: skip
    return single(url)


def single(url: str) -> Redis:
    """Return a client for one server, or for a single node of a cluster."""
    return Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0))

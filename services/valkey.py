"""Clients of Valkey, one server or a cluster, as a URL names them."""

from redis.asyncio import Redis, RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

CLUSTER = "+cluster://"
PATIENCE = 1.0
"""Seconds until a Valkey that does not answer counts as away."""
REDIRECTIONS = 3
"""How often a command follows a slot to another node of a cluster."""

AWAY = (RedisError, RedisClusterException, OSError)
"""What a client raises while Valkey is away."""

Client = Redis | RedisCluster


def is_cluster(url: str) -> bool:
    """Whether it is redis+cluster:// or rediss+cluster://: some node of a cluster, which knows the others."""
    return CLUSTER in url


def server(url: str) -> str:
    """The URL of the one server, as redis-py reads it."""
    return url.replace(CLUSTER, "://", 1)


def client(url: str) -> Client:
    """Connects when it is first used."""
    if is_cluster(url):
        return RedisCluster.from_url(
            server(url), socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE,
            retry=Retry(NoBackoff(), REDIRECTIONS), require_full_coverage=False,
        )  # fmt: skip
    return single(url)


def single(url: str) -> Redis:
    """As `client`, for one server, or one node of a cluster by itself."""
    return Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=Retry(NoBackoff(), 0))

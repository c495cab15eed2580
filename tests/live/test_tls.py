"""Valkey behind TLS with a private certificate authority.

The URLs are `rediss://` and `rediss+cluster://` with `ssl_ca_certs`. The Valkey of the wheel has no TLS, so a proxy
adds TLS.
"""

import ssl
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import trustme

from ludarium.http.rate_limits import Rate, RateLimits
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.presence import Presence, Present
from ludarium.platform import valkey
from tests.live.cluster import NODES, Cluster, ClusterNode
from tests.live.house import House
from tests.live.proxy import good_line
from tests.live.test_following import words
from tests.support.entropy import ENTROPY
from tests.support.live_client import client
from tests.support.valkey import TcpValkey
from tests.support.waiting import eventually

TABLES = [f"table-{nth}" for nth in range(6)]


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def tls(authority: trustme.CA) -> ssl.SSLContext:
    """Return a TLS context with a certificate for this machine."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
    return context


@pytest.fixture
def trusted(authority: trustme.CA, folder: Path) -> str:
    """Return the query string of a URL that names the trusted authority."""
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    return f"?ssl_ca_certs={folder / 'ca.pem'}"


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="lud-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
async def server(folder: Path, tls: ssl.SSLContext) -> AsyncIterator[str]:
    """Yield the URL of a server, without the query string for the authority."""
    async with TcpValkey(folder / "one") as node, good_line([node.port], tls) as line:
        yield f"rediss://localhost:{line.port}"


@pytest.fixture
async def cluster(folder: Path, tls: ssl.SSLContext) -> AsyncIterator[str]:
    """Yield the URL of one of the nodes, which all announce their TLS ports."""
    async with AsyncExitStack() as stack:
        nodes = []
        for nth in range(NODES):
            ports: list[int] = []
            line = await stack.enter_async_context(good_line(ports, tls))
            node = ClusterNode(folder / str(nth), cluster_announce_port=line.port)
            ports.append(node.port)
            nodes.append(await stack.enter_async_context(node))
        await Cluster(nodes).form()
        yield f"rediss+cluster://localhost:{line.port}"


async def test_a_server_carries_everything_over_tls(
    unpolled: None, server: str, trusted: str, redis_url: str
) -> None:
    await carries_everything(server + trusted, redis_url)


async def test_a_cluster_carries_everything_over_tls(
    unpolled: None, cluster: str, trusted: str, redis_url: str
) -> None:
    await carries_everything(cluster + trusted, redis_url)


async def carries_everything(url: str, log_url: str) -> None:
    """Check the events of tables on all nodes, presence, and rate limits."""
    async with (
        House(log_url, url) as house,
        Presence(url) as presence,
        Hub(url, house, ENTROPY, presence) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports) as gateway,
        client(gateway.port) as eve,
        valkey.client(url) as redis,
    ):
        await eventually(lambda: hub.connected)
        for table in TABLES:
            await house.open(table)
            sub = await eve.subscribe(table)
            await eve.until(sub, 0)
            await house.say(table, "cat")
            assert words(await eve.until(sub, 1)) == ["open", "hidden"]
        assert await RateLimits(redis).take({"a": Rate(3, 1)}) == 2

        async def known() -> bool:
            return [await presence.of(table) for table in TABLES] == [Present([], 1)] * len(TABLES)

        await eventually(known)


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted(
    server: str, redis_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        House(redis_url, redis_url) as house,
        Hub(server, house, ENTROPY) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports) as gateway,
        client(gateway.port) as eve,
    ):
        await house.open("t")
        await eve.until(await eve.subscribe("t"), await house.say("t", "cat"))
        await eventually(lambda: "CERTIFICATE_VERIFY_FAILED" in caplog.text)
        assert not hub.connected

"""The server sees the real client addresses behind nginx with `deploy/nginx.conf`.

All addresses of 127.0.0.0/8 are this machine, so a client can have another address than the proxy.
"""

import asyncio
import shutil
import ssl
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
import trustme
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from ludarium.platform.client_address import Proxies
from ludarium.platform.config import Config
from ludarium.server import running
from ludarium.sharing.imports.replaying import MAX_BYTES
from tests.live.house import House
from tests.support import ports
from tests.support.entropy import ENTROPY
from tests.support.people import Person
from tests.support.servers import stopped
from tests.support.waiting import eventually

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")
SITE = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text()
MAIN = "daemon off; master_process off; pid {0}/pid; error_log stderr error; events {{}} http {{ access_log off; {1} {2} }}"
"""The configuration around a site in Debian's /etc/nginx/nginx.conf."""
TEMPORARY = " ".join(f"{kind}_temp_path {{0}}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "scgi", "uwsgi"))
PROXIES = Proxies("127.0.0.0/24")
ADA, BEN = "127.9.0.1", "127.9.0.2"
FORGED = {"X-Forwarded-For": "6.6.6.6", "X-Forwarded-Proto": "http"}

pytestmark = pytest.mark.skipif(NGINX is None, reason="there is no nginx here: sudo apt-get install nginx-light")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def site(text: str, folder: str, authority: trustme.CA, tls: int, http: int, gateways: Iterable[int]) -> str:
    """Return the text of a site with this test's certificate and ports."""
    certificate = Path(folder) / "certificate.pem"
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
    given = {
        "/etc/ssl/certs/ludarium.pem": str(certificate), "/etc/ssl/private/ludarium.key": str(certificate),
        "listen 443": f"listen {tls}", "listen 80;": f"listen {ports.reserve()};", "127.0.0.1:8000": f"127.0.0.1:{http}",
        "server 127.0.0.1:8001;": " ".join(f"server 127.0.0.1:{port};" for port in gateways),
    }  # fmt: skip
    for old, new in given.items():
        assert old in text
        text = text.replace(old, new)
    return text


@asynccontextmanager
async def nginx(
    authority: trustme.CA, *gateways: int, http: int = 1, text: str = SITE, tls: int | None = None
) -> AsyncIterator[int]:
    """Run nginx in front of these ports.

    Args:
        tls: The port for TLS. By default, one is reserved.

    Yields:
        The port for TLS.
    """
    tls = tls or ports.reserve()
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        config = Path(folder) / "nginx.conf"
        served = site(text, folder, authority, tls, http, gateways or [1])
        config.write_text(MAIN.format(folder, TEMPORARY.format(folder), served))
        process = await asyncio.create_subprocess_exec(str(NGINX), "-c", config)
        try:
            await listens(tls, process)
            yield tls
        finally:
            await stopped(process)


async def listens(port: int, process: asyncio.subprocess.Process) -> None:
    async def answers() -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            return process.returncode is not None
        writer.close()
        await writer.wait_closed()
        return True

    await eventually(answers)
    assert process.returncode is None, "nginx has ended"


def client(port: int, source: str, trusting: ssl.SSLContext) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(local_address=source, verify=trusting)
    return httpx.AsyncClient(base_url=f"https://localhost:{port}/api/v1", transport=transport, headers=FORGED)


async def left(http: httpx.AsyncClient) -> int:
    """Return how many guests this address may still create."""
    answer = (await http.post("/guests", json={})).raise_for_status()
    return int(answer.headers["ratelimit-remaining"])


async def test_nginx_passes_the_largest_record_to_the_import(
    authority: trustme.CA, trusting: ssl.SSLContext, database_url: str, redis_url: str
) -> None:
    async with (
        running(Config(port=0, ws_port=0, trusted_proxies=PROXIES), database_url, redis_url, ENTROPY) as address,
        nginx(authority, http=int(address.http.rpartition(":")[2])) as port,
        client(port, ADA, trusting) as ada,
    ):
        person = await Person.arrive(ada)
        account = await person.post("/me/account", {"login": "ada", "password": "seven green bottles"})
        headers = {"authorization": f"Bearer {account['token']}"}
        answer = await ada.post("/imports", content=bytes(MAX_BYTES), headers=headers)
        assert answer.json()["code"] == "no-record"


async def test_requests_are_counted_by_whom_nginx_speaks_for_and_tls_is_known_of(
    authority: trustme.CA, trusting: ssl.SSLContext, database_url: str, redis_url: str
) -> None:
    async with (
        running(Config(port=0, ws_port=0, trusted_proxies=PROXIES), database_url, redis_url, ENTROPY) as address,
        nginx(authority, http=int(address.http.rpartition(":")[2])) as port,
        client(port, ADA, trusting) as ada, client(port, BEN, trusting) as ben,
    ):
        first = await left(ada)
        assert [await left(ada) for _ in range(3)][-1] < first
        assert await left(ben) >= first
        answer = await ada.get("/")
        assert answer.json()["ws_url"].startswith("wss://localhost:")
        refused = await ada.get("/nothing")
        for each in (answer, refused):
            assert each.headers.get_list("strict-transport-security") == ["max-age=31536000"]


async def test_sockets_are_counted_by_whom_nginx_speaks_for(
    authority: trustme.CA, trusting: ssl.SSLContext, hub: Hub, house: House
) -> None:
    limits = LiveLimits(per_address=1, closing=0.3)
    async with (
        Gateway("127.0.0.1", 0, hub, house.ports, limits, proxies=PROXIES) as gateway,
        nginx(authority, gateway.port) as port,
    ):
        def arrives(source: str) -> connect:
            return connect(
                f"wss://localhost:{port}/live", ssl=trusting, local_addr=(source, 0), additional_headers=FORGED
            )  # fmt: skip

        async with arrives(ADA), arrives(BEN):
            assert gateway.clients == 2
            with pytest.raises(InvalidStatus, match="503"):
                await arrives(ADA)


async def test_all_who_follow_a_table_come_to_one_gateway_and_others_to_any(
    authority: trustme.CA, trusting: ssl.SSLContext, hub: Hub, house: House
) -> None:
    def gateway() -> Gateway:
        return Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=0.3), proxies=PROXIES)

    async with gateway() as one, gateway() as other, nginx(authority, one.port, other.port) as port:
        async def shares(*queries: str) -> list[int]:
            """Return the number of connections that each gateway has."""
            async with AsyncExitStack() as lines:
                for query in queries:
                    await lines.enter_async_context(connect(f"wss://localhost:{port}/live{query}", ssl=trusting))
                return [one.clients, other.clients]

        assert sorted(await shares(*8 * ["?table=t"])) == [0, 8]
        assert all(await shares(*(f"?table=t{n}" for n in range(40))))
        assert all(await shares(*40 * [""]))

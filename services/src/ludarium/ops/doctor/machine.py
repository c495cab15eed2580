"""Checks this machine, and how clients reach it."""
from __future__ import annotations

import asyncio
import resource
import shutil
import ssl
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import msgspec

from ludarium.embedded.account import choose_account
from ludarium.embedded.errors import EmbeddedError
from ludarium.ops.doctor.findings import LOCAL, Finding, ok, warning, wrong
from ludarium.ops.readiness import Readiness
from ludarium.platform.client_address import Network
from ludarium.platform.config import Config
from ludarium.platform.sockets import host_of
from ludarium_engine.kernel.decoding import json_decoder

_readiness = json_decoder(Readiness)
TIMEOUT = 5.0
MIN_FREE, ENOUGH_FREE = 256 << 20, 2 << 30
"""Thresholds of free disk space, in bytes."""
DESCRIPTORS = 25_000
MIN_CERTIFICATE_TIME = 14 * 24 * 3600
"""Seconds for which a certificate should be valid."""
WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
MIN_PREFIX = {4: 16, 6: 32}
"""Shortest prefix of a trusted network, by IP version."""


async def check_machine(config: Config) -> AsyncIterator[Finding]:
    yield check_descriptors(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    for found in (*check_proxies(config), *check_home(config)):
        yield found
    yield await check_gateway(config)
    if config.metrics_port is not None:
        yield check_metrics(config.metrics_host)
    yield await check_server(config)


def check_descriptors(most: int) -> Finding:
    if most < DESCRIPTORS:
        return warning(
            "descriptors", f"{most} for a process: each connection is one",
            f"Let it have {DESCRIPTORS}: LimitNOFILE= of systemd, `ulimit -n`.",
        )  # fmt: skip
    return ok("descriptors", f"{most} for a process")


# --- proxies and TLS --------------------------------------------------------------------------------------------------
def check_proxies(config: Config) -> Iterator[Finding]:
    wide = [str(network) for network in config.trusted_proxies.networks if is_wide(network)]
    if wide:
        detail = f"whoever is in {', '.join(wide)} chooses the address that it is counted as"
        yield warning("proxies", detail, "Name the proxies' own addresses in LUDARIUM_TRUSTED_PROXIES.")
    elif config.ws_url and config.host not in LOCAL and all(one.is_loopback for one in config.trusted_proxies.networks):
        detail = "clients come through a proxy, and none but this machine's is trusted: everybody would share one limit"
        yield warning("proxies", detail, "Name the proxy in LUDARIUM_TRUSTED_PROXIES.")
    else:
        yield ok("proxies", f"{config.trusted_proxies} speak for their clients")


def is_wide(network: Network) -> bool:
    return network.prefixlen < MIN_PREFIX[network.version] and not network.is_loopback


async def check_gateway(config: Config) -> Finding:
    if config.ws_url is None:
        return ok("gateway", f"clients come to port {config.ws_port} of the host that they ask")
    parts = urlsplit(config.ws_url)
    host = parts.hostname or ""
    if parts.scheme not in ("ws", "wss") or not host:
        return wrong("gateway", f"{config.ws_url} is no address of a WebSocket", "Write LUDARIUM_WS_URL as wss://host/path.")
    if parts.scheme == "ws":
        if host in LOCAL:
            return ok("gateway", f"{config.ws_url}, on this machine")
        return warning("gateway", f"{config.ws_url} has no TLS: tokens travel in the open", "End TLS at a proxy; write wss://.")
    return await check_tls(host, parts.port or 443)


async def check_tls(host: str, port: int) -> Finding:
    try:
        async with asyncio.timeout(TIMEOUT):
            _, writer = await asyncio.open_connection(host, port, ssl=ssl.create_default_context())
    except ssl.SSLCertVerificationError as error:
        return wrong("gateway", f"{host}:{port}: {error.verify_message}", "Give the proxy a certificate for this name.")
    except (OSError, TimeoutError) as error:
        return wrong("gateway", f"{host}:{port}: {error or 'no answer'}", "Start the proxy; is LUDARIUM_WS_URL right?")
    certificate = writer.get_extra_info("peercert")
    writer.close()
    return check_certificate(host, ssl.cert_time_to_seconds(certificate["notAfter"]) - time.time())


def check_certificate(host: str, left: float) -> Finding:
    """Check how much longer a certificate is valid.

    Args:
        left: remaining seconds.
    """
    detail = f"{host} has a certificate for {left / 86400:.0f} days"
    return ok("gateway", detail) if left > MIN_CERTIFICATE_TIME else warning("gateway", detail, "Renew it.")


def check_metrics(host: str) -> Finding:
    if host in LOCAL:
        return ok("metrics", "for this machine alone")
    return warning("metrics", f"whoever reaches {host} reads them", "Let nobody but Prometheus reach LUDARIUM_METRICS_PORT.")


# --- the embedded servers' place --------------------------------------------------------------------------------------
def check_home(config: Config) -> Iterator[Finding]:
    """Check the data directory of the embedded servers, if there is one."""
    data = config.home / "data"
    if config.database_url or not data.exists():
        return
    yield check_disk(shutil.disk_usage(data).free, data)
    yield check_owner(data.resolve() / "postgres", config.pg_user)


def check_disk(free: int, place: Path) -> Finding:
    detail = f"{free >> 20} MiB are free in {place}"
    if free < ENOUGH_FREE:
        return (wrong if free < MIN_FREE else warning)("disk", detail, "Make room: a full disk takes no more moves.")
    return ok("disk", detail)


def check_owner(cluster: Path, user: str | None) -> Finding:
    """Check that PostgreSQL's files belong to the right account and are private."""
    try:
        account = choose_account(user)
        status = cluster.stat()
    except (EmbeddedError, OSError) as error:
        return wrong("home", str(error), "Ask as the account that starts Ludarium; LUDARIUM_HOME names another place.")
    if status.st_uid != account.uid:
        return wrong("home", f"{cluster} is not {account.name}'s", f"chown -R {account.name} {cluster}, or start as before.")
    if status.st_mode & 0o077:
        return wrong("home", f"others may enter {cluster}, where the hands of all games are", f"chmod 700 {cluster}")
    return ok("home", f"{cluster} is {account.name}'s alone")


# --- a server that runs -----------------------------------------------------------------------------------------------
async def check_server(config: Config) -> Finding:
    port = config.port if config.roles.answers_http else config.ws_port
    url = f"http://{host_of(WILDCARDS.get(config.host, config.host))}:{port}/readyz"
    try:
        async with httpx.AsyncClient(timeout=TIMEOUT, trust_env=False) as http:
            answer = await http.get(url)
    except httpx.ConnectError:
        return ok("server", f"none is running on {config.host}:{port}")
    except httpx.HTTPError as error:
        return wrong("server", f"{url}: {error or type(error).__name__}", "Look at its log: its event loop may be blocked.")
    return server_finding(url, answer)


def server_finding(url: str, answer: httpx.Response) -> Finding:
    try:
        found = _readiness(answer.content)
    except msgspec.MsgspecError:
        return warning("server", f"something else answers at {url}", "LUDARIUM_PORT names another port.")
    if answer.is_error:
        return wrong("server", f"{url}: {found.status}", "The lines about the database below say why.")
    if found.stopped:
        return wrong("server", f"stopped: {', '.join(found.stopped)}", "See docs/operations/projection-stopped.md.")
    if not found.redis:
        return wrong("server", f"{url}: it does not reach Valkey", "The lines about Valkey below say why.")
    return ok("server", f"{url}: {found.status}")

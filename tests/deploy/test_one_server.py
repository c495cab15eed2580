"""A game on one machine through the public port, with Caddy and the systemd unit."""
from __future__ import annotations

import asyncio
import random
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from ludarium_client import AsyncClient, at_random
from tests.deploy.unit import Unit
from tests.support import ports
from tests.support.servers import stopped
from tests.support.waiting import LIMIT, eventually

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "deploy" / "systemd"
CADDYFILE = (ROOT / "deploy" / "Caddyfile").read_text()
ALONE = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
"""Test settings: Caddy changes nothing on the machine, and takes no other port."""
AUTHORITY = Path("caddy/pki/authorities/local/root.crt")
CADDY, ANALYZE = shutil.which("caddy"), shutil.which("systemd-analyze")
without_caddy = pytest.mark.skipif(CADDY is None, reason="there is no caddy here: sudo apt-get install caddy")
without_systemd = pytest.mark.skipif(ANALYZE is None, reason="there is no systemd-analyze here: sudo apt-get install systemd")


@pytest.fixture
def root() -> Iterator[Path]:
    """Yield a folder with a short path, because the paths of sockets must be short."""
    with tempfile.TemporaryDirectory(prefix="lud-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@asynccontextmanager
async def caddy(folder: Path, site: str, **settings: str) -> AsyncIterator[Path]:
    """Run Caddy, and yield the certificate of its authority."""
    config = folder / "Caddyfile"
    config.write_text(ALONE + CADDYFILE)
    environment = {"LUDARIUM_SITE": site, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)} | settings
    process = await asyncio.create_subprocess_exec(
        str(CADDY), "run", "--config", config, "--adapter", "caddyfile", env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        await eventually(lambda: written(folder / AUTHORITY) or process.returncode is not None)
        assert process.returncode is None, "caddy has ended"
        yield folder / AUTHORITY
    finally:
        await stopped(process)


def written(certificate: Path) -> bool:
    """Check that the certificate is complete, since the file exists earlier."""
    return certificate.exists() and "END CERTIFICATE" in certificate.read_text()


@without_caddy
async def test_a_game_through_the_public_port_of_the_unit_and_caddy(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    http, live, public = ports.reserve(), ports.reserve(), ports.reserve()
    site = f"https://localhost:{public}"
    unit = Unit.read(SYSTEMD / "ludarium.service", root)
    unit.folders()
    process = await unit.start(
        LUDARIUM_PORT=str(http), LUDARIUM_WS_PORT=str(live), LUDARIUM_METRICS_PORT="0", LUDARIUM_ORIGIN=site,
        LUDARIUM_WS_URL=f"wss://localhost:{public}/live",
    )  # fmt: skip
    folder = root / "caddy"
    folder.mkdir()
    try:
        async with caddy(folder, site, LUDARIUM_API=f"127.0.0.1:{http}", LUDARIUM_LIVE=f"127.0.0.1:{live}") as authority:
            monkeypatch.setenv("SSL_CERT_FILE", str(authority))
            await answers(site, process)
            check_rights(process.pid, unit)
            await play(site)
    finally:
        assert await stopped(process) == 0
    assert not list((root / "run/ludarium").iterdir()), "its servers have left their sockets"


def check_rights(pid: int, unit: Unit) -> None:
    status = dict(line.split(":\t", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if ":\t" in line)
    assert status["NoNewPrivs"] == "1" and status["Umask"] == unit.service["UMask"] and "0" not in status["Uid"].split()
    (files,) = [line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if line.startswith("Max open files")]
    assert files.split()[3:5] == [str(unit.descriptors)] * 2


async def answers(site: str, process: asyncio.subprocess.Process) -> None:
    async with httpx.AsyncClient(timeout=LIMIT) as http:

        async def is_ready_or_has_ended() -> bool:
            try:
                return process.returncode is not None or (await http.get(f"{site}/readyz")).status_code == 200
            except httpx.TransportError:
                return False

        await eventually(is_ready_or_has_ended)
        assert process.returncode is None, "ludarium serve has ended"


async def play(site: str) -> None:
    """Play a game of two over WebSockets and HTTP."""
    async with AsyncClient(site) as ada, AsyncClient(site) as bea:
        for nth, person in enumerate((ada, bea)):
            await person.guest(f"Person {nth}")
        table = (await ada.create_table("game-of-kingdoms", seats=2)).id
        for person in (ada, bea):
            await person.sit(table)
        await ada.start(table)
        ends = await asyncio.gather(*(p.play(table, at_random(random.Random(n))) for n, p in enumerate((ada, bea))))
    assert [end.status for end in ends] == ["over", "over"]


@without_caddy
@pytest.mark.parametrize(("host", "wanted"), [("ludarium.localhost", ["max-age=31536000"]), ("localhost", [])])
async def test_browsers_are_told_to_use_tls_only(root: Path, host: str, wanted: list[str]) -> None:
    """At localhost, the header is not sent, as it would affect other local services."""
    public, site = ports.reserve(), await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    upstream = f"127.0.0.1:{site.sockets[0].getsockname()[1]}"
    async with site, caddy(root, f"https://{host}:{public}", LUDARIUM_API=upstream) as authority:
        trusting = ssl.create_default_context(cafile=str(authority))
        async with httpx.AsyncClient(verify=trusting, timeout=LIMIT) as http:
            headers, told = {"host": f"{host}:{public}"}, {"sni_hostname": host}

            async def answered() -> httpx.Response | None:
                try:
                    return await http.get(f"https://127.0.0.1:{public}/", headers=headers, extensions=told)
                except httpx.TransportError:
                    return None

            assert (await eventually(answered)).headers.get_list("strict-transport-security") == wanted


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    await writer.drain()
    writer.close()


@without_systemd
@pytest.mark.parametrize("name", sorted(path.name for path in SYSTEMD.iterdir()))
def test_a_unit_is_understood(name: str, tmp_path: Path) -> None:
    """Each unit is checked with the others present, and with another program."""
    for path in SYSTEMD.iterdir():
        (tmp_path / path.name).write_text(path.read_text().replace("/opt/ludarium/bin/ludarium", "/bin/true"))
    told = subprocess.run(
        [str(ANALYZE), "verify", "--man=no", str(tmp_path / name)], capture_output=True, text=True, check=False
    )
    ours = [line for line in told.stderr.splitlines() if "ludarium" in line]
    assert ours == [] and told.returncode == 0, told.stderr


@without_caddy
def test_the_caddyfile_is_understood(tmp_path: Path) -> None:
    told = subprocess.run(
        [str(CADDY), "adapt", "--config", ROOT / "deploy/Caddyfile", "--adapter", "caddyfile", "--validate"],
        capture_output=True, text=True, check=False, env={"HOME": str(tmp_path)},
    )  # fmt: skip
    assert told.returncode == 0, told.stderr

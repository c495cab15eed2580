"""Clients trust only the authority of certificates made by `deploy/certificates`.

A renewed certificate is accepted. The PostgreSQL of the wheel has no TLS, so a proxy adds TLS.
"""
from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from ludarium.ops.doctor.database import check_database
from ludarium.platform.schema_check import lacking
from tests.deploy.image import passed

SCRIPT = Path(__file__).parents[2] / "deploy" / "certificates"
ASKS_FOR_TLS = bytes([0, 0, 0, 8, 4, 210, 22, 47])
NAME = "localhost"


def made(folder: Path) -> None:
    subprocess.run([SCRIPT, folder, NAME, "30"], check=True)


def context_of(folder: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(folder / f"{NAME}.pem", folder / f"{NAME}.key")
    return context


@asynccontextmanager
async def behind_tls(database_url: str, context: ssl.SSLContext) -> AsyncIterator[int]:
    """Yield a port at which clients reach the database over TLS."""
    socket = Path(parse_qs(urlsplit(database_url).query)["host"][0]) / ".s.PGSQL.5432"

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert await reader.readexactly(len(ASKS_FOR_TLS)) == ASKS_FOR_TLS
        writer.write(b"S")
        try:
            await writer.start_tls(context)
        except (ssl.SSLError, ConnectionError):
            return writer.close()               # the client rejects the certificate
        far, to_far = await asyncio.open_unix_connection(socket)
        ways = [asyncio.create_task(passed(reader, to_far)), asyncio.create_task(passed(far, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for side in (writer, to_far):
            side.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def url_at(database_url: str, host: str, port: int, authority: Path) -> str:
    parts = urlsplit(database_url)
    user = parse_qs(parts.query).get("user", [parts.username or ""])[0]
    return f"postgresql://{user}@{host}:{port}{parts.path}?sslmode=verify-full&sslrootcert={authority}"


async def test_the_database_is_known_by_its_certificate_and_by_the_next_one(database_url: str, tmp_path: Path) -> None:
    ours, others = tmp_path / "ours", tmp_path / "others"
    made(ours)
    made(others)
    first = (ours / f"{NAME}.pem").read_bytes()
    context = context_of(ours)
    async with behind_tls(database_url, context) as port:
        known = url_at(database_url, NAME, port, ours / "authority.pem")
        assert await lacking(known) is None
        made(ours)                              # a renewed one of the same authority, loaded while connections exist
        assert (ours / f"{NAME}.pem").read_bytes() != first
        context.load_cert_chain(ours / f"{NAME}.pem", ours / f"{NAME}.key")
        assert await lacking(known) is None
        for host, authority in ((NAME, others), ("127.0.0.1", ours)):
            url = url_at(database_url, host, port, authority / "authority.pem")
            assert "certificate verify failed" in str(await lacking(url))
            (finding,) = [found async for found in check_database(url)]
            assert finding.level == "wrong" and "sslrootcert" in finding.remedy

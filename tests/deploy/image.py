"""Run the root folder of the image as a process, on a real PostgreSQL and Valkey.

`scripts/image-check` starts it as `buildah inspect --type image NAME | python -m tests.deploy.image ROOT`. It migrates,
serves, sends requests and stops, with the user, the variables and the command of the image's configuration.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from ludarium.embedded import embedded
from tests.support import ports
from tests.support.waiting import LIMIT, eventually

POSTGRES, VALKEY = ".s.PGSQL.5432", "valkey.sock"


class Image(NamedTuple):
    root: str
    config: dict[str, Any]

    async def started(self, *command: str, **settings: str) -> asyncio.subprocess.Process:
        """Start a command as a container runtime would."""
        known = dict(variable.split("=", 1) for variable in self.config["Env"] if not variable.startswith("PIP_"))
        user = f"--userspec={self.config['User']}"
        line = ["chroot", user, self.root, *self.config["Entrypoint"], *command]
        path = {"PATH": f"{known['PATH']}:{os.environ['PATH']}"}
        return await asyncio.create_subprocess_exec(*line, env=known | settings | path)


@asynccontextmanager
async def relay(path: Path) -> AsyncIterator[int]:
    """Yield a port that leads to a Unix socket outside the image's root folder."""

    async def through(near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        far, to_far = await asyncio.open_unix_connection(path)
        ways = [asyncio.create_task(passed(near, to_far)), asyncio.create_task(passed(far, to_near))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        to_near.close()
        to_far.close()

    async with await asyncio.start_server(through, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def passed(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    while data := await source.read(1 << 16):
        sink.write(data)
        await sink.drain()


async def answer(http: httpx.AsyncClient, path: str) -> httpx.Response:
    async def found() -> httpx.Response | None:
        try:
            return (await http.get(path)).raise_for_status()
        except httpx.TransportError:
            return None

    return await eventually(found)


async def serving(image: Image, settings: dict[str, str]) -> None:
    port = ports.reserve()
    process = await image.started(
        *image.config["Cmd"], **settings, LUDARIUM_PORT=str(port), LUDARIUM_WS_PORT="0"
    )
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=LIMIT) as http:
            for path in ("/healthz", "/readyz", "/", "/docs", "/api/v1/rulesets"):
                print(path, (await answer(http, path)).status_code, flush=True)
    finally:
        process.terminate()
        assert await process.wait() == 0


async def main(root: str) -> None:
    image = Image(root, json.load(sys.stdin)["Docker"]["config"])
    with tempfile.TemporaryDirectory(prefix="ludarium-image-") as home:
        Path(home).chmod(0o711)
        async with embedded(Path(home), durable=False) as servers:
            sockets = Path(servers.redis_url.removeprefix("unix://")).parent
            async with relay(sockets / POSTGRES) as postgres, relay(sockets / VALKEY) as valkey:
                settings = {
                    "LUDARIUM_DATABASE_URL": f"postgresql://ludarium@127.0.0.1:{postgres}/ludarium",
                    "LUDARIUM_REDIS_URL": f"redis://127.0.0.1:{valkey}",
                }
                assert await (await image.started("migrate", **settings)).wait() == 0
                await serving(image, settings)
    print("The image is built, migrates, serves and stops.")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

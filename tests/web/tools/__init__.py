"""What looks at the web client beside Playwright: programs for Node, with packages of their own."""

import asyncio
import tempfile
from pathlib import Path

from tests.support import node

HERE = Path(__file__).parent


class Failed(Exception):
    """A program did; with what it said."""


def require_packages() -> None:
    """Raise NotBuilt unless `make prepare-web` has run."""
    node.require(HERE / "node_modules/.packages", target="prepare-web")


async def in_node(script: str, *args: str) -> str:
    """What a program of this folder prints. Raises Failed."""
    require_packages()
    return await said("node", str(HERE / script), *args)


async def said(*command: str) -> str:
    with tempfile.TemporaryDirectory(prefix="ludarium-tools-") as profile:
        environment = node.environment() | {"TMPDIR": profile}
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            told, complaint = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode:
        raise Failed(f"{' '.join(command)}\n{(told + complaint).decode()}")
    return told.decode()

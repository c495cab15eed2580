"""Node programs that examine the web client, with their own packages."""

import asyncio
import tempfile
from pathlib import Path

from tests.support import node

HERE = Path(__file__).parent


class Failed(Exception):
    """An error for a Node program that failed, with the program's output."""


def require_packages() -> None:
    """Raise NotBuilt unless `make prepare-web` has run."""
    node.require(HERE / "node_modules/.packages", target="prepare-web")


async def in_node(script: str, *args: str) -> str:
    """Run a program of this folder and return its output.

    Raises:
        Failed: The program failed.
    """
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

"""What looks at the web client beside Playwright: programs for Node, with packages of their own."""

import asyncio
import os
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
LONGEST = 1800.0
"""Seconds for one program on a busy machine."""


class Failed(Exception):
    """A program did; with what it said."""


async def fetch() -> None:
    """The packages, unless they are there. Raises Failed."""
    await said(str(PROJECT / "scripts/web"), "tools")


async def in_node(script: str, *args: str) -> str:
    """What a program of this folder prints. Raises Failed."""
    return await said("node", str(HERE / script), *args)


async def said(*command: str) -> str:
    where = os.pathsep.join([str(PROJECT / ".venv/bin"), os.environ["PATH"]])
    with tempfile.TemporaryDirectory(prefix="ludarium-tools-") as profile:
        environment = os.environ | {"PATH": where, "TMPDIR": profile}
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        try:
            told, complaint = await asyncio.wait_for(process.communicate(), LONGEST)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode:
        raise Failed(f"{' '.join(command)}\n{(told + complaint).decode()}")
    return told.decode()

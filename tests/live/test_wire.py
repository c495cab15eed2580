"""Redis connections that are cancelled while opening leave nothing on uvloop."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import uvloop

from ludarium.live.redis_connection import connect
from tests.support.waiting import let_others_run

STEPS = 12
"""Turns of the loop after which a connection is certainly open."""


def test_a_connection_that_is_given_up_while_it_opens_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium.live.redis_connection.PING_EVERY", 0.01)
    assert uvloop.run(complaints(str(tmp_path / "redis.sock"))) == []


async def complaints(path: str) -> list[dict[str, Any]]:
    """Record errors of the event loop while connections are cancelled at every turn.

    The last connection is not cancelled, and gives up when its pings get no response.
    """
    found: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: found.append(context))
    async with await asyncio.start_unix_server(silent, path):
        for turns in range(STEPS):
            await given_up(f"unix://{path}", turns)
        with pytest.raises(ConnectionError, match="no answer to pings"):
            await connect(f"unix://{path}")
    return found


async def given_up(url: str, turns: int) -> None:
    opening = asyncio.create_task(connect(url))
    await let_others_run(turns)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening


async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Accept a connection and never send a response."""
    await reader.read()
    writer.close()
    await writer.wait_closed()

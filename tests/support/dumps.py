"""Dump a whole database as text."""
from __future__ import annotations

import asyncio
import re
from asyncio.subprocess import PIPE

from ludarium.embedded.account import own_account
from ludarium.embedded.binaries import postgres_binaries

NONCE = re.compile(r"^\\(un)?restrict .*$", re.MULTILINE)


async def dumped(dsn: str) -> str:
    """Return a dump of schema and data without the parts that always differ."""
    process = await asyncio.create_subprocess_exec(
        postgres_binaries(own_account()) / "pg_dump", dsn, stdout=PIPE, stderr=PIPE
    )
    dump, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return NONCE.sub("", dump.decode())

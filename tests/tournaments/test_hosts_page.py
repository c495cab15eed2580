"""The commands on the page for hosts run a tournament as described there."""
from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx

from ludarium.server import Address
from tests.support.people import Person

PAGE = Path(__file__).parents[2] / "docs/hosts.md"
LUDARIUM = Path(sys.executable).parent / "ludarium"
HELD = b"2 rounds paired again; 3 tables"


async def test_a_tournament_from_idea_to_final(http: httpx.AsyncClient, address: Address, tmp_path: Path) -> None:
    hana = await Person.arrive(http, "Hana")
    told = {"LOGIN": f"hana.{hana.id[-8:]}", "PASSWORD": "seven green bottles"}
    await hana.post("/me/account", {"login": told["LOGIN"], "password": told["PASSWORD"]})
    script = "".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.DOTALL))
    held = await asyncio.create_subprocess_exec(
        "bash", "-euo", "pipefail", "-c", script, cwd=tmp_path, env=os.environ | told | {"API": f"{address.http}/api/v1"},
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert await held.wait() == 0
    verified = await asyncio.create_subprocess_exec(
        LUDARIUM, "tournament", "verify", "cup.json", cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await verified.communicate()
    assert verified.returncode == 0 and HELD in said, said

"""The shell examples of the README and of docs/frontend.md work as printed."""
from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

import httpx

from tests.support.people import Person, someone_asked

PROJECT = Path(__file__).parents[2]
LUDARIUM = Path(sys.executable).parent / "ludarium"


async def test_a_game_by_curl(server: str, tmp_path: Path) -> None:
    (script,) = re.findall(r"```sh\n(.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    environment = os.environ | {"API": f"{server}/api/v1"}
    quiet = asyncio.subprocess.DEVNULL
    played = await asyncio.create_subprocess_exec("bash", "-euc", script, cwd=tmp_path, env=environment, stdout=quiet)
    assert await played.wait() == 0
    verified = await asyncio.create_subprocess_exec(
        LUDARIUM, "verify", "record.json", cwd=tmp_path, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await verified.communicate()
    assert verified.returncode == 0 and b"record.json holds" in told


async def test_tokens_by_curl_as_the_page_for_frontends_has_it(server: str, tmp_path: Path) -> None:
    page = (PROJECT / "docs/frontend.md").read_text()
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    script = "".join(each for each in blocks if "/me/tokens" in each or "/oauth/token" in each)
    environment = os.environ | {"API": f"{server}/api/v1"}
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await done.communicate()
    assert done.returncode == 0 and b'"tables":[]' in told and b'"scopes":["me:read","play"]' in told, told


async def test_lobby_and_own_games_by_push_as_the_page_for_frontends_has_it(server: str, tmp_path: Path) -> None:
    page = (PROJECT / "docs/frontend.md").read_text()
    (script,) = [block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "/me/stream" in block]
    environment = os.environ | {"API": f"{server}/api/v1"}
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, cwd=tmp_path, env=environment, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await done.communicate()
    kinds = re.findall(rb'^\{"type":"(\w+)"', told, re.MULTILINE)
    assert done.returncode == 0 and kinds == [b"tables", b"turns", b"table", b"gone"], told
    assert re.search(rb"\n\d{4}-\d\d-\d\dT[\d:.]+Z\n$", told), told


async def test_notices_as_the_page_for_frontends_has_them(server: str, tmp_path: Path) -> None:
    page = (PROJECT / "docs/frontend.md").read_text()
    (script,) = [block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "/me/notices" in block]
    done = await asyncio.create_subprocess_exec(
        "bash", "-euc", script, cwd=tmp_path, env=os.environ | {"API": f"{server}/api/v1"}, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await done.communicate()
    assert done.returncode == 0 and told.endswith(b'{"notices":[],"unread":0,"next":null}[]\n[]\n'), told
    assert (tmp_path / "notices.json").read_text().startswith('{"notices":[{"id":"')


async def test_buttons_are_drawn_as_the_page_for_frontends_has_it(http: httpx.AsyncClient, server: str) -> None:
    page = (PROJECT / "docs/frontend.md").read_text()
    (script,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "?locale=es" in block]
    ada = await Person.arrive(http)
    table = (await ada.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 2, "options": {"dealer": 1}}))["id"]
    await ada.post(f"/tables/{table}/seats")
    await ada.post(f"/tables/{table}/seats", {"bot": "simple"})
    await ada.post(f"/tables/{table}/start")
    await someone_asked([ada], table)
    environment = os.environ | {"API": f"{server}/api/v1", "TABLE": table, "TOKEN": ada.token}
    done = await asyncio.create_subprocess_exec(
        sys.executable, "-c", script, env=environment, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await done.communicate()
    spoken = (await ada.view(table, locale="es"))["choice"]
    lines = told.decode().splitlines()
    assert done.returncode == 0 and lines[0] == spoken["prompt"]["text"]
    assert {f"[{offer['label']['text']}]" for offer in spoken["offers"]} <= {*lines}

"""Whole games of two with clients that are generated with default options."""

import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import msgspec

from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from ludarium_engine.registry import titles
from tests.foreign import tools
from tests.foreign.faults import members
from tests.foreign.tools import DOCUMENT, GENERATED, HERE, NODE, run
from tests.support.entropy import ENTROPY
from tests.support.waiting import LIMIT

OURS = HERE / "clients"


class Game(NamedTuple):
    client: str
    ruleset: str
    moves: int
    events: int
    facts: int


class Unlike(Exception):
    """An error for a game in which a client saw something else than the server shows."""


def openapi_fetch() -> list[str | Path]:
    """Build the client with openapi-typescript, openapi-fetch and a strict tsc.

    Returns:
        The command that runs the client.
    """
    place = NODE / "play"                               # below its packages
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for name in ("play.ts", "tsconfig.json"):
        shutil.copy(OURS / name, place)
    run("openapi-typescript", DOCUMENT, "-o", place / "schema.ts")
    run("tsc", "--project", place)
    return ["node", place / "play.js"]


def openapi_python_client() -> list[str | Path]:
    run("openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", GENERATED / "attrs")
    return ["python", OURS / "play_attrs.py"]


def openapi_generator() -> list[str | Path]:
    run("openapi-generator-cli", "generate", "-i", DOCUMENT, "-g", "python", "-o", GENERATED / "pydantic")
    return ["python", OURS / "play_pydantic.py"]


CLIENTS: dict[str, Callable[[], list[str | Path]]] = {
    "openapi-fetch": openapi_fetch, "openapi-python-client": openapi_python_client, "openapi-generator": openapi_generator,
}  # fmt: skip
MODULES = {"PYTHONPATH": f"{GENERATED / 'attrs'}:{GENERATED / 'pydantic'}"}


def written() -> dict[str, list[str | Path]]:
    """Generate all clients, and return the commands that run them.

    The commands take SERVER, RULESET and SEED.
    """
    shutil.rmtree(GENERATED, ignore_errors=True)
    GENERATED.mkdir()
    return {name: write() for name, write in CLIENTS.items()}


async def games(database_url: str, redis_url: str, seed: int) -> AsyncIterator[Game]:
    """Let each client play each title to the end.

    Raises:
        Failed: A program failed.
        Unlike: A client saw something else than the server shows.
    """
    luck, clients = Random(seed), written()
    await migrated(database_url)
    async with running(Config(port=0, ws_port=0, rate_limits=False), database_url, redis_url, ENTROPY) as address:
        for name, command in clients.items():
            for ruleset in titles():
                told = await tools.running(*command, address.http, ruleset, str(luck.randrange(1, 2**32)), **MODULES)
                yield await checked(address.http, name, ruleset, msgspec.json.decode(told))


async def checked(server: str, client: str, ruleset: str, told: Any) -> Game:
    """Compare a game's number of events and outcome with the server's.

    Raises:
        Unlike: The games differ.
    """
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as http:
        record = (await http.get(f"/api/v1/tables/{told['table']}/record")).json()
    types, own = Counter(told["told"]), {*members("TableEvent")}
    events = sum(types[name] for name in own)
    rows = sum(row["event"]["type"] in own for row in record["rows"])
    end = next(row["event"] for row in record["rows"] if row["event"]["type"] == "game_ended")
    if (events, told["outcome"]) != (rows, end["data"]["outcome"]):
        raise Unlike(f"{client} saw {events} events of {rows} and {told['outcome']}")
    return Game(client, ruleset, told["moves"], events, types.total() - events)

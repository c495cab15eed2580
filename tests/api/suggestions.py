"""Run schemathesis in each role.

It makes requests that the OpenAPI document suggests, and requests that it forbids.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import httpx

from ludarium.accounts.access import SCOPES, scopes_allowed
from ludarium.platform.config import Config
from ludarium.platform.schema_check import migrated
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.people import Person, open_game
from tests.support.waiting import LIMIT

SCHEMATHESIS = Path(sys.executable).parent / "schemathesis"
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,negative_data_rejection,ignored_auth,unsupported_method"
)

OF_GUESTS = [scope for scope in SCOPES if scope in scopes_allowed("guest", "player")]
HOOKS = Path(__file__).with_name("patience.py")
APPS = ("me:read", "tables", "play", "chat")
REFUSED = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429]
"""Statuses allowed for invalid requests.

These are schemathesis' own list, and 413, because its requests can be large.
"""
PATIENCE = 60
"""Seconds to wait for an answer, enough for a busy machine."""


class Role(NamedTuple):
    """A kind of caller.

    Attributes:
        table: the table at which the caller has this role.
        player: the id that requests name.
        edges: whether to request the edge cases of each schema too; only for callers whose scopes suffice.
    """

    name: str
    token: str | None
    table: str
    player: str
    edges: bool = False

    @property
    def phases(self) -> str:
        return "examples,coverage,fuzzing" if self.edges else "examples,fuzzing"


class Report(NamedTuple):
    cases: int
    failed: bool
    text: str


@asynccontextmanager
async def busy_server(database_url: str, redis_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Run a server without rate limits, and yield a client of it."""
    await migrated(database_url)
    config = Config(port=0, ws_port=0, rate_limits=False)
    async with (
        running(config, database_url, redis_url, ENTROPY) as address,
        httpx.AsyncClient(base_url=f"{address.http}/api/v1", timeout=LIMIT) as http,
    ):
        yield http


async def seated(http: httpx.AsyncClient) -> Role:
    ada = await Person.arrive(http)
    return Role("seated", ada.token, await open_game([ada], bots=("simple",)), ada.id, edges=True)


async def roles(http: httpx.AsyncClient) -> list[Role]:
    """Return all roles that the API distinguishes.

    Each is at a running game, but the creator at an open table.
    """
    host, guest, bob = [await Person.arrive(http, name) for name in ("Ada", "Gus", "Bob")]
    table = await open_game([host, bob])
    open_one = (await host.post("/tables", {"ruleset": "game-of-kingdoms", "seats": 3}))["id"]
    return [
        Role("nobody", None, table, host.id, edges=True),
        Role("somebody with a wrong token", "lud_wrong", table, host.id),
        Role("guest", guest.token, table, host.id),
        Role("seated", bob.token, table, bob.id, edges=True),
        Role("creator", host.token, open_one, host.id, edges=True),
        Role("account", await account(http), table, host.id, edges=True),
        Role("app", await token_with(bob, *APPS), table, bob.id),
        *[Role(f"only {scope}", await token_with(bob, scope), table, bob.id) for scope in OF_GUESTS],
    ]


async def account(http: httpx.AsyncClient) -> str:
    person = await Person.arrive(http, "Dan")
    return str((await person.post("/me/account", {"login": "dan", "password": "seven green bottles"}))["token"])


async def token_with(person: Person, *scopes: str) -> str:
    made = await person.post("/me/tokens", {"name": " ".join(scopes), "scopes": scopes})
    return str(made["secret"])


async def asked_as(
    role: Role, http: httpx.AsyncClient, folder: Path, examples: int, seed: int, operations: Collection[str] = ()
) -> Report:
    """Run schemathesis in a role.

    Args:
        examples: the most examples of each operation.
        operations: ids of operations; empty for all.
    """
    known = {"table_id": role.table, "player_id": role.player, "ruleset_id": "game-of-kingdoms", "locale": "en"}
    lines = [f'hooks = "{HOOKS}"', "[parameters]", *(f'{name} = "{value}"' for name, value in known.items())]
    lines += ["[checks.negative_data_rejection]", f"expected-statuses = {REFUSED}"]
    (folder / "schemathesis.toml").write_text("\n".join(lines))
    token = ["--header", f"Authorization: Bearer {role.token}"] if role.token else []
    process = await asyncio.create_subprocess_exec(
        SCHEMATHESIS, "run", f"{http.base_url}openapi.json", *token, "--max-examples", str(examples),
        "--phases", role.phases, "--checks", CHECKS, "--exclude-path-regex", "/stream$",  # has no end
        "--exclude-operation-id", "sign_out",                       # would revoke the token
        *(argument for name in operations for argument in ("--include-operation-id", name)),
        "--request-timeout", str(PATIENCE), "--wait-for-schema", str(PATIENCE),
        "--seed", str(seed), "--generation-database", "none", "--suppress-health-check", "all", "--no-color",
        cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    text = said.decode()
    made = re.search(r"(\d+) generated", text)
    return Report(int(made[1]) if made else 0, process.returncode != 0, text)

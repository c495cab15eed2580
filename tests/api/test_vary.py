"""Every answer that depends on a request header names it in `Vary`."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from ludarium.platform.config import Config
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.operations import operations
from tests.support.people import NOBODYS, Person, last, open_game, someone_asked
from tests.support.waiting import LIMIT

Json = dict[str, Any]
VARIANTS: list[tuple[str, dict[str, str]]] = [
    ("accept-language", {"accept-language": "es"}),
    ("accept", {"accept": "text/plain"}),
    ("accept", {"accept": "text/event-stream"}),
    ("accept", {"accept": "text/html"}),
    ("accept-encoding", {"accept-encoding": "gzip"}),
    ("accept-encoding", {"accept-encoding": "br"}),
    ("prefer", {"prefer": "return=minimal"}),
    ("authorization", {"authorization": "none"}),
    ("origin", {"origin": "https://elsewhere.example"}),
    ("origin", {"origin": "https://elsewhere.example", "cookie": "a=b"}),
]
"""Variants of the plain request: the header that differs, and what is sent.

`authorization` means the same request without the token.
"""
TOLD = (
    "content-type", "content-encoding", "content-language", "preference-applied", "access-control-allow-origin",
    "access-control-expose-headers", "access-control-allow-headers",
)  # fmt: skip
PLAIN = {"accept-encoding": "identity", "accept": "*/*"}
PAGES = ["/", "/docs", "/about", "/no-such-page", "/api/v1/no-such-path", "/robots.txt", "/favicon.ico", "/api/v1/openapi.json"]


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    """Run a server without rate limits, because each operation is requested often."""
    async with running(Config(port=0, ws_port=0, rate_limits=False), module_database_url, module_redis_url, ENTROPY) as where:
        yield where


@pytest.fixture
async def client(server: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        client.headers.clear()
        yield client


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


class Told:
    """An answer: what can depend on request headers, and the headers in its `Vary`."""

    def __init__(self, answer: httpx.Response, body: bytes) -> None:
        self.content = answer.status_code, body, *(answer.headers.get(name) for name in TOLD)
        self.vary = {name.strip().lower() for name in answer.headers.get("vary", "").split(",")}


async def told(client: httpx.AsyncClient, method: str, path: str, headers: dict[str, str]) -> Told:
    async with client.stream(method, path, headers=headers) as answer:
        return Told(answer, b"" if is_stream(path) else await answer.aread())


def is_stream(path: str) -> bool:
    return path.endswith(("/stream", "/rows"))


async def unnamed(client: httpx.AsyncClient, method: str, path: str, token: str) -> list[tuple[str, str, str]]:
    """Return the headers that change the answer, but are missing from `Vary`."""
    own = PLAIN | {"authorization": f"Bearer {token}"}
    plain, again = [await told(client, method, path, own) for _ in range(2)]
    steady = plain.content == again.content
    found = []
    for name, change in VARIANTS:
        headers = PLAIN if name == "authorization" else own | change
        other = await told(client, method, path, headers)
        differs = other.content != plain.content if steady else other.content[2:] != plain.content[2:]
        if differs and name not in plain.vary & other.vary:
            found.append((method, path, name))
    return found


async def test_what_is_read_names_every_header_that_it_depends_on(client: httpx.AsyncClient, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    known = {"table_id": table, "player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0", **NOBODYS}
    paths = [path.format(**known) for method, path, _ in operations() if method == "get"] + PAGES
    assert [each for path in paths for each in await unnamed(client, "GET", path, ada.token)] == []


async def test_what_is_refused_names_every_header_that_it_depends_on(client: httpx.AsyncClient, ada: Person) -> None:
    """Operations that change something are requested with an invalid token."""
    known = {"table_id": "0" * 26, "player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0", **NOBODYS}
    changing = sorted((each for each in operations() if each[0] != "get"), key=last)
    asked = [(method.upper(), path.format(**known)) for method, path, _ in changing]
    assert [each for method, path in asked for each in await unnamed(client, method, path, "lud_x")] == []


async def test_a_command_names_the_wish_that_it_fulfils(http: httpx.AsyncClient, ada: Person) -> None:
    table = await open_game([ada], bots=("simple",))
    for slash, headers in (("", {}), ("/", {}), ("", {"prefer": "return=minimal"}), ("/", {"prefer": "return=minimal"})):
        _, view = await someone_asked([ada], table)
        action = {"id": view["choice"]["offers"][0]["id"]}
        answer = await ada.ask(
            "POST", f"/tables/{table}/commands{slash}", headers=headers, json={"expected_seq": view["seq"], "action": action}
        )
        assert {"prefer", "authorization"} <= {name.strip().lower() for name in answer.headers["vary"].split(",")}


async def test_an_unchanged_answer_names_the_same_headers(client: httpx.AsyncClient, ada: Person) -> None:
    """RFC 9110, section 15.4.5: a 304 has the `Vary` that the 200 would have."""
    table = await open_game([ada], bots=("simple",))
    known = {"table_id": table, "player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0", **NOBODYS}
    own = PLAIN | {"authorization": f"Bearer {ada.token}"}
    checked = 0
    for method, path, _ in operations():
        if method != "get" or is_stream(path):
            continue
        first = await client.get(path.format(**known), headers=own)
        if first.status_code == 200 and "etag" in first.headers:
            again = await client.get(path.format(**known), headers=own | {"if-none-match": first.headers["etag"]})
            assert (again.status_code, again.headers["vary"]) == (304, first.headers["vary"]), path
            checked += 1
    assert checked >= 10


@pytest.mark.parametrize("path", ["/tables/{}/stream", "/tournaments/{}/rows"])
async def test_a_stream_names_the_header_by_which_it_goes_on(http: httpx.AsyncClient, ada: Person, path: str) -> None:
    table = await open_game([ada], bots=("simple",))
    async with http.stream("GET", path.format(table)) as answer:
        assert "Last-Event-ID" in answer.headers["vary"] and "Authorization" in answer.headers["vary"]

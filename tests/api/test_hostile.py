"""Hostile input gets a documented problem, and has no other effect."""

import asyncio
import itertools
import json
import logging
import random
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
import pytest
from websockets.asyncio.client import connect

from ludarium.api.problem_responses import CODES
from ludarium.platform.config import Config
from ludarium.server import Address, running
from tests.support.entropy import ENTROPY
from tests.support.operations import operations
from tests.support.people import NOBODYS, Person, open_game, play_on, someone_asked
from tests.support.waiting import LIMIT, eventually, in_time

DEEP = "[" * 5000 + "]" * 5000
HOSTILE = [
    "\0", "a\0b", "-1", "99999999999", str(2**63), "9" * 400, "1e999", "x' or 1=1; --", "../../etc/passwd",
    "\u202e\u0663\U0001f600", "x" * 4000, "null", "[" * 2000, "%", " ",
]  # fmt: skip
HOSTILE_TEXTS = ["a\0b", "\u202e\u0663\U0001f600", "x" * 4000, " "]
HOSTILE_HEADERS = [
    b"", b"-1", b"99999999999", b"9" * 400, b"1e999", b"x' or 1=1; --", b"\xff\xfe", b"x" * 4000, b"null", b"[" * 2000,
    b"a,b;c=\"", b"*", b"gzip;q=x", b"W/",
]  # fmt: skip
ANYWHERE = ["Authorization", "Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "Origin", "X-Request-Id"]
"""Headers that common code reads on every route."""
EACH = 5
"""Hostile common headers per route.

Over all routes, each header and value occurs about ten times.
"""


SIGN_OUT = "/api/v1/me/token"
"""The route that revokes the token, so it is requested last."""


class Case(NamedTuple):
    """A request for an operation, with a hostile value in one place."""

    what: str
    operation: dict[str, Any]
    method: str
    path: str
    given: dict[str, Any]


@pytest.fixture(scope="module")
async def address(module_database_url: str, module_redis_url: str) -> AsyncIterator[Address]:
    """Run a server without rate limits, because there are many requests."""
    config = Config(port=0, ws_port=0, rate_limits=False)
    async with running(config, module_database_url, module_redis_url, ENTROPY) as where:
        yield where


def cases(real: dict[str, str], seed: int) -> Iterator[Case]:
    """Yield the cases of a run.

    Each parameter gets half of the hostile values, chosen by the seed.

    Args:
        real: valid values for the parameters of paths.
    """
    luck, headers = random.Random(seed), [*itertools.product(ANYWHERE, HOSTILE_HEADERS)]
    luck.shuffle(headers)
    anywhere = itertools.cycle(headers)
    for method, path, operation in sorted(operations(), key=lambda each: each[1] == SIGN_OUT):
        body = body_of(operation)
        for parameter in operation.get("parameters", []):
            values: list[Any] = HOSTILE_HEADERS if parameter["in"] == "header" else HOSTILE
            for value in luck.sample(values, len(values) // 2):
                yield asked(path, method, operation, body, real, parameter["name"], parameter["in"], value)
        for name, value in itertools.islice(anywhere, EACH):
            yield asked(path, method, operation, body, real, name, "header", value)
        for name in (name for name, value in json.loads(body or b"{}").items() if isinstance(value, str)):
            for value in HOSTILE_TEXTS:
                changed = json.dumps(json.loads(body) | {name: value}).encode()
                yield asked(path, method, operation, changed, real, name, "body", value)


def body_of(operation: dict[str, Any]) -> bytes:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    return json.dumps(content.get("example", {})).encode() if content else b""


def asked(
    path: str, method: str, operation: dict[str, Any], body: bytes, real: dict[str, str], name: str, place: str,
    value: str | bytes,
) -> Case:  # fmt: skip
    given: dict[str, Any] = {"content": body}
    if place == "body":
        given["headers"] = {"content-type": "application/json"}
    elif place == "header":
        given["headers"] = {name.encode(): value}
    elif place == "query":
        given["params"] = {name: value}
    else:
        real = real | {name: quote(value, safe="")}
    return Case(f"{method} {path}, {name}: {value[:40]!r}", operation, method, path.format(**real), given)


async def test_every_parameter_and_text_of_every_route_withstands_what_is_hostile(
    http: httpx.AsyncClient, server: str, seed: int
) -> None:
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("simple",))
    await play_on([ada], table, 1000, random.Random(1))
    real = {"table_id": table, "player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0"}
    real |= NOBODYS
    async with httpx.AsyncClient(base_url=server, headers=ada.headers, timeout=LIMIT) as client:
        wrong = [fault for case in cases(real, seed) if (fault := await fault_of(client, case))]
    assert not wrong, "\n".join(wrong)


async def fault_of(client: httpx.AsyncClient, case: Case) -> str | None:
    """Send a request; return what is wrong with the answer, or None."""
    async with client.stream(case.method, case.path, **case.given) as answer:
        announced = case.operation["responses"].get(str(answer.status_code))
        if announced is None or answer.status_code >= 500:
            return f"{case.what}: {answer.status_code} is not announced"
        if answer.status_code < 400:
            return None
        told, kind = json.loads(await answer.aread()), answer.headers["content-type"]
        if kind == "application/json" and "application/json" in announced["content"]:       # errors of RFC 6749
            return None if "error" in told else f"{case.what}: {told}"
        if told["code"] not in case.operation[CODES]:
            return f"{case.what}: {told['code']} is not announced"
    return None


@pytest.mark.parametrize("depth", [65, 300, 900, 5000])
async def test_a_deep_body_is_refused(http: httpx.AsyncClient, depth: int) -> None:
    ada = await Person.arrive(http)
    wanted = '{"ruleset": "kemet", "seats": 2, "options": {"a": %s}}'
    answer = await ada.ask("POST", "/tables", content=wanted % ("[" * depth + "]" * depth))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-request")


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
async def test_a_byte_order_mark_before_json_is_passed_over(http: httpx.AsyncClient, cut: int) -> None:
    """The body arrives whole, or in chunks that split the mark."""
    body = b"\xef\xbb\xbf" + json.dumps({"name": "Ada"}).encode()

    async def chunks() -> AsyncIterator[bytes]:
        yield body[:cut]
        yield body[cut:]

    answer = await http.post("/guests", content=chunks() if cut else body, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["player"]["name"]) == (201, "Ada")


async def test_a_command_and_a_socket_pass_over_a_byte_order_mark_too(http: httpx.AsyncClient, address: Address) -> None:
    ada = await Person.arrive(http)
    table = await open_game([ada], bots=("simple",))
    view = (await someone_asked([ada], table))[1]
    command = {"expected_seq": view["seq"], "action": {"id": view["choice"]["offers"][0]["id"]}}
    marked = b"\xef\xbb\xbf" + json.dumps(command).encode()
    refused = await ada.ask("POST", f"/tables/{table}/commands", content=marked.replace(b"action", b"acted"))
    assert refused.json()["code"] == "invalid-request"
    async with connect(address.ws) as socket:
        await socket.send('\ufeff{"id": 1, "type": "hello"}')
        assert json.loads(await in_time(socket.recv()))["ok"]
        await socket.send('\ufeff{"id": 2, "type": "no-such-type"}')
        assert json.loads(await in_time(socket.recv()))["id"] == 2


async def test_brackets_in_a_text_are_no_depth(http: httpx.AsyncClient) -> None:
    name = '[{"\\' * 8
    assert (await http.post("/guests", json={"name": name})).json()["player"]["name"] == name


@pytest.mark.parametrize(
    ("route", "given"),
    [
        ("/sessions", {"content": rb'{"login": "a\\\u0000", "password": "seven green bottles"}'}),
        ("/guests", {"json": {"name": "a\0"}}),
        ("/oauth/token", {"data": {"grant_type": "refresh_token", "client_id": "a\0", "refresh_token": "b"}}),
        ("/guests?%00=1", {"json": {}}),
    ],
)
async def test_no_text_holds_a_nul(http: httpx.AsyncClient, route: str, given: dict[str, Any]) -> None:
    answer = await http.post(route, **given)
    assert answer.status_code == 400
    assert "U+0000" in answer.text


async def test_a_backslash_before_u0000_is_no_nul(http: httpx.AsyncClient) -> None:
    name = "\\u0000"
    assert (await http.post("/guests", json={"name": name})).json()["player"]["name"] == name


async def test_deep_messages_of_a_socket_are_refused_one_by_one(address: Address) -> None:
    async with connect(address.ws, compression=None) as line:
        await line.send('{"id": 1, "type": "hello"}')
        assert json.loads(await line.recv())["ok"] is True
        for text in ('{"id": 2, "x": %s}', '{"id": 2, "type": "ping", "x": %s}', "%s"):
            await line.send(text % DEEP)
            answer = json.loads(await line.recv())
            assert (answer["ok"], answer["problem"]["code"]) == (False, "invalid-request")
        await line.send('{"id": 3, "type": "ping"}')
        assert json.loads(await line.recv()) == {"id": 3, "ok": True}


EXPECT = "expect: 100-continue\r\n"
"""A header that makes the server report when it begins to read the body."""


async def break_off(target: httpx.URL, begun: str) -> None:
    """Send the beginning of a request, and disconnect when the server waits for more."""
    reader, writer = await asyncio.open_connection(target.host, target.port)
    writer.write(begun.encode())
    assert (await in_time(reader.readline())).startswith(b"HTTP/1.1 100 ")
    writer.transport.abort()


@pytest.mark.parametrize("path", ["/api/v1/guests", "/api/v1/tables/x/commands"])
async def test_who_goes_in_the_middle_of_a_body_is_no_fault_of_ours(
    server: str, http: httpx.AsyncClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    ada, target = await Person.arrive(http), httpx.URL(server)
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 20\r\nauthorization: Bearer {ada.token}\r\n{EXPECT}\r\n{{"
    with caplog.at_level(logging.DEBUG, "ludarium"):
        for _ in range(5):
            await break_off(target, head)
        await eventually(lambda: sum("the client is gone" in message for message in caplog.messages) == 5)
        await Person.arrive(http)               # logged after the five
    assert not [record for record in caplog.records if record.levelno > logging.INFO or record.exc_info]

"""The published documents and the root are true, complete and up to date."""

import asyncio
import re
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from devtools import generated_files
from ludarium.api import openapi
from ludarium.api.docs import MEDIA_TYPES
from ludarium.api.features import ALWAYS
from ludarium.api.problem_responses import CODES
from ludarium.live import asyncapi
from ludarium.platform.config import Config
from ludarium.platform.problems import KINDS
from ludarium.platform.signing_keys import new_secret
from ludarium.platform.value_sets import OPEN
from ludarium.server import running
from tests.support.entropy import ENTROPY
from tests.support.mailbox import Box
from tests.support.operations import operations
from tests.support.people import Person
from tests.support.waiting import LIMIT, eventually, in_time

PROJECT = Path(__file__).parents[2]


def references(part: Any) -> Iterator[str]:
    match part:
        case {"$ref": str(ref)}:
            yield ref
        case dict():
            for value in part.values():
                yield from references(value)
        case list():
            for value in part:
                yield from references(value)


def test_the_files_made_from_the_code_are_up_to_date() -> None:
    assert generated_files.outdated(PROJECT) == []


def test_every_reference_leads_somewhere() -> None:
    document = openapi.document()
    for reference in references(document):
        part: Any = document
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]


def test_the_document_is_small_enough_to_read_at_once() -> None:
    assert len(openapi.encoded()) <= openapi.MOST_BYTES


def test_every_operation_lists_the_codes_of_its_problems() -> None:
    """A problem with one of these codes has one of the announced statuses, and nothing else is announced."""
    for _, path, operation in operations():
        codes, announced = operation[CODES], {status for status in operation["responses"] if status >= "400"}
        assert codes == [*dict.fromkeys(codes)] and {str(KINDS[code].status) for code in codes} == announced, path
        for code in codes:
            problem = operation["responses"][str(KINDS[code].status)]["content"]["application/problem+json"]
            assert code in problem["examples"], path


def test_every_code_is_explained() -> None:
    explained = openapi.document()["components"]["examples"]
    assert {code: each["summary"] for code, each in explained.items()} == {code: KINDS[code].when for code in explained}
    assert {code for _, _, operation in operations() for code in operation[CODES]} == explained.keys()


def test_constraints_and_strictness_survive() -> None:
    schemas = openapi.document()["components"]["schemas"]
    assert schemas["NewGuest"]["additionalProperties"] is False
    name = {"type": "string", "minLength": 1, "maxLength": 32, "examples": ["Ada"]}
    assert name in schemas["NewGuest"]["properties"]["name"]["anyOf"]
    subset = schemas["ActionBody"]["properties"]["subset"]
    assert subset["items"] == {"type": "integer", "minimum": -(2**31), "exclusiveMaximum": 2**31}
    assert subset["maxItems"] == 256


def test_every_operation_says_what_it_does_and_what_can_go_wrong() -> None:
    for _, path, operation in operations():
        assert operation["summary"].endswith("."), path
        assert {"429", "500", "503"} <= operation["responses"].keys(), path


PYTHON = re.compile(
    r"(?<!-)\bNone\b(?!-| but| where)|\bTrue\b|\bFalse\b|[`(]\(|\{'|(?<!JSON)\(\)"
    r"|Request fulfilled|nothing follows"
)


@pytest.mark.parametrize("document", [openapi.document(), asyncapi.document()], ids=["openapi", "asyncapi"])
def test_no_text_of_the_documents_is_written_in_python(document: Any) -> None:
    assert [text for text in descriptions(document) if PYTHON.search(text)] == []


def descriptions(part: Any) -> Iterator[str]:
    match part:
        case dict():
            if isinstance(text := part.get("description"), str):
                yield text
            for each in part.values():
                yield from descriptions(each)
        case list():
            for each in part:
                yield from descriptions(each)


def test_bounds_of_parameters_survive() -> None:
    of_events = [parameter for path, method, parameter in parameters() if path.endswith("/{table_id}/events")]
    (limit,) = [parameter for parameter in of_events if parameter["name"] == "limit"]
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}


def schema_of(parameter: Any) -> Any:
    schema = parameter["schema"]
    return openapi.document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def parameters() -> Iterator[tuple[str, str, Any]]:
    """Yield each parameter of the document, with its path and method."""
    for method, path, operation in operations():
        yield from ((path, method, parameter) for parameter in operation.get("parameters", []))


def test_every_parameter_has_bounds() -> None:
    bounds = ({"enum"}, {OPEN}, {"pattern"}, {"maxLength"}, {"minimum", "maximum"})
    for path, _, parameter in parameters():
        schema = schema_of(parameter)
        assert schema.get("type") == "boolean" or any(schema.keys() >= each for each in bounds), (path, parameter)


OPEN_SETS = [(path, parameter["name"]) for path, method, parameter in parameters() if OPEN in schema_of(parameter)]


@pytest.mark.parametrize(("path", "name"), OPEN_SETS)
async def test_a_set_that_is_open_in_answers_is_closed_in_parameters(ada: Person, path: str, name: str) -> None:
    """`x-extensible-enum` lists their values, but does not restrict them by itself."""
    address = re.sub(r"\{\w+\}", "kemet" if "ruleset" in path else "AAAAAAAAAAA", path.removeprefix("/api/v1"))
    answer = await ada.ask("GET", address, params={name: "unheard-of"})
    assert answer.status_code == 400 and answer.json()["code"] == "invalid-request"
    assert [error["pointer"] for error in answer.json()["errors"]] == [name]


@pytest.mark.parametrize("path", ["/docs", *(f"/docs/{asset}" for asset in MEDIA_TYPES)])
async def test_the_docs_come_from_this_server(server: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        answer = await client.get(path)
    assert answer.status_code == 200
    assert "://" not in answer.text.partition("<body>")[0] or path != "/docs"


async def test_the_document_is_served(http: httpx.AsyncClient) -> None:
    answer = await http.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == openapi.document()


async def test_the_document_of_the_socket_is_served(http: httpx.AsyncClient) -> None:
    root = (await http.get("")).json()
    answer = await http.get(root["asyncapi"].removeprefix("/api/v1"))
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == asyncapi.document()


async def test_crawlers_are_told_to_leave_tables_and_the_api_alone(server: str) -> None:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        answer = await client.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    allowed = {path: rules.can_fetch("anybody", path) for path in ("/", "/rules/kemet", "/t/x", "/api/v1/tables", "/embed/t/x")}
    assert allowed == {"/": True, "/rules/kemet": True, "/t/x": False, "/api/v1/tables": False, "/embed/t/x": False}


async def test_the_favicon_is_an_icon(server: str) -> None:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        answer = await client.get("/favicon.ico")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/vnd.microsoft.icon")
    assert answer.content[:4] == b"\0\0\1\0" and b"\x89PNG" in answer.content


async def test_the_document_is_made_beside_the_loop(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Making the document takes a second; other requests must not wait for it."""
    encoded, begun, may_end = openapi.encoded, threading.Event(), threading.Event()

    def slowly_encoded() -> bytes:
        begun.set()
        assert may_end.wait(LIMIT)
        return encoded()

    monkeypatch.setattr(openapi, "encoded", slowly_encoded)
    asking = asyncio.create_task(http.get("/openapi.json"))
    await eventually(begun.is_set)
    assert (await http.get("/rulesets")).status_code == 200
    assert not asking.done()
    may_end.set()
    assert (await in_time(asking)).status_code == 200


async def test_health(server: str) -> None:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {
            "status": "ready", "database": True, "writable": True, "redis": True, "stopped": {},
        }  # fmt: skip


async def test_the_door_says_where_the_socket_is(http: httpx.AsyncClient) -> None:
    root = (await http.get("")).json()
    assert root["ws_url"].startswith("ws://127.0.0.1:")
    assert root["docs"] == "/docs"


async def test_the_root_lists_the_features_that_are_on(http: httpx.AsyncClient) -> None:
    """docs/frontend.md describes each feature.

    This server has none that its operator must set up.
    """
    listed = (await http.get("")).json()["features"]
    assert listed == sorted(ALWAYS)
    page = (PROJECT / "docs/frontend.md").read_text()
    described = re.findall(r"^\| `([a-z-]+)` \|", page.partition("### Features")[2].partition("\n## ")[0], re.MULTILINE)
    assert sorted(described) == sorted([*ALWAYS, "mail", "signatures"])


async def test_features_that_the_operator_sets_up_are_listed(
    module_database_url: str, module_redis_url: str, smtp: tuple[Box, str]
) -> None:
    config = Config(port=0, ws_port=0, smtp_url=smtp[1], signing_key=new_secret())
    async with (
        running(config, module_database_url, module_redis_url, ENTROPY) as where,
        httpx.AsyncClient(base_url=where.http, timeout=LIMIT) as client,
    ):
        assert {"mail", "signatures"} <= set((await client.get("/api/v1")).json()["features"])


async def test_the_root_and_the_openapi_document_name_the_version(http: httpx.AsyncClient) -> None:
    root = (await http.get("")).json()
    document = (await http.get(root["openapi"].removeprefix("/api/v1"))).json()
    assert root["version"] == document["info"]["version"] == version("ludarium")

"""What the service says about itself is true, complete and up to date."""

import asyncio
import threading
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest

from devtools import generated_files
from ludarium.api import openapi
from ludarium.api.docs import MEDIA_TYPES
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


def test_constraints_and_strictness_survive() -> None:
    schemas = openapi.document()["components"]["schemas"]
    assert schemas["NewGuest"]["additionalProperties"] is False
    name = {"type": "string", "minLength": 1, "maxLength": 32, "examples": ["Ada"]}
    assert name in schemas["NewGuest"]["properties"]["name"]["anyOf"]
    subset = schemas["ActionBody"]["properties"]["subset"]
    assert subset["items"] == {"type": "integer", "minimum": -(2**31), "exclusiveMaximum": 2**31}
    assert subset["maxItems"] == 256


def test_every_operation_says_what_it_does_and_what_can_go_wrong() -> None:
    for path, methods in openapi.document()["paths"].items():
        for operation in methods.values():
            assert operation["summary"].endswith("."), path
            assert {"429", "500", "503"} <= operation["responses"].keys(), path


def test_bounds_of_parameters_survive() -> None:
    parameters = openapi.document()["paths"]["/api/v1/tables/{table_id}/events"]["get"]["parameters"]
    limit = next(parameter for parameter in parameters if parameter["name"] == "limit")
    assert limit["schema"] == {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}


def test_every_parameter_has_bounds() -> None:
    bounds = ({"enum"}, {"pattern"}, {"maxLength"}, {"minimum", "maximum"})
    for path, methods in openapi.document()["paths"].items():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                schema = parameter["schema"]
                assert schema.get("type") == "boolean" or any(schema.keys() >= each for each in bounds), (path, parameter)


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


async def test_the_document_is_made_beside_the_loop(http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers another request while it makes the document, which takes a second."""
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


async def test_the_root_and_the_openapi_document_name_the_version(http: httpx.AsyncClient) -> None:
    root = (await http.get("")).json()
    document = (await http.get(root["openapi"].removeprefix("/api/v1"))).json()
    assert root["version"] == document["info"]["version"] == version("ludarium")

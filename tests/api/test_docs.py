"""What the service says about itself is true, complete and up to date."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.api import artefacts, openapi
from services.api.docs import ASSETS

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
    assert artefacts.stale(PROJECT) == []


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


@pytest.mark.parametrize("path", ["/docs", *(f"/docs/{asset}" for asset in ASSETS)])
async def test_the_docs_come_from_this_server(server: str, path: str) -> None:
    async with httpx.AsyncClient(base_url=server) as client:
        answer = await client.get(path)
    assert answer.status_code == 200
    assert "://" not in answer.text.partition("<body>")[0] or path != "/docs"


async def test_the_document_is_served(http: httpx.AsyncClient) -> None:
    answer = await http.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == openapi.document()


async def test_health(server: str) -> None:
    async with httpx.AsyncClient(base_url=server) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/readyz")).json() == {"status": "ready", "database": True, "redis": True}


async def test_the_door_says_where_the_socket_is(http: httpx.AsyncClient) -> None:
    root = (await http.get("")).json()
    assert root["ws_url"].startswith("ws://127.0.0.1:")
    assert root["docs"] == "/docs"

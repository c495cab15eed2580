"""Collect the committed files that are generated from the code.

They are the API schemas, parts of the Python client, and pages of the docs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from devtools import blocking_client, client_types, example_games
from ludarium.api import openapi, play_document
from ludarium.live import asyncapi
from ludarium.platform.problems import KINDS
from ludarium.records.reading import ReadRecord
from ludarium_engine.kernel import Title
from ludarium_engine.kernel.published import schemas
from ludarium_engine.registry import titles

ERRORS = """# Problems

Every error is `application/problem+json` (RFC 9457) with a stable `code`; its `type` is `urn:ludarium:problem:` and the
code. The WebSocket uses the same codes. A problem has changed nothing. On HTTP the title follows Accept-Language
(English, Spanish, Hungarian). This page is made from `services/src/ludarium/platform/problems.py` by `make schema`.

| code | status | title | when |
|---|---|---|---|
"""
PROJECT = Path(__file__).parents[1]
CLIENT = "clients/python/ludarium_client"


def generated_files() -> dict[str, bytes]:
    """Return the content of each generated file, by its path in the project."""
    rulesets = {f"api-schema/rulesets/{title.id}.json": pretty(sorted_schemas(title)) for title in titles().values()}
    return {
        "api-schema/openapi.json": openapi.encoded() + b"\n",
        "api-schema/openapi-play.json": play_document.encoded() + b"\n",
        "api-schema/asyncapi.json": asyncapi.encoded(),
        "api-schema/record.json": pretty(record_schema()),
        f"{CLIENT}/bodies.py": client_types.module("What HTTP carries", "openapi.json", schemas_in(openapi.document())),
        f"{CLIENT}/messages.py": client_types.module(
            "What the socket carries", "asyncapi.json", schemas_in(asyncapi.document())
        ),
        **blocking_client.blocking_modules(PROJECT, CLIENT),
        "docs/errors.md": (ERRORS + "".join(error_rows())).encode(),
        **rulesets,
        **example_games.example_games(),
    }


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema of the record files that docs/record.md describes.

    The readable part of an event can be any object.
    """
    (schema,), parts = msgspec.json.schema_components([ReadRecord], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "ludarium-record/2", **schema,
        "$defs": dict(sorted(parts.items())),
    }  # fmt: skip


def schemas_in(document: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = document["components"]["schemas"]
    return found


def sorted_schemas(title: Title[Any, Any]) -> dict[str, Any]:
    """Return the schemas of a title with their definitions sorted.

    msgspec returns the definitions in no particular order.
    """
    found = schemas(title)
    return {**found, "$defs": dict(sorted(found["$defs"].items()))}


def pretty(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def error_rows() -> Iterator[str]:
    for code, kind in KINDS.items():
        yield f"| `{code}` | {kind.status} | {kind.title} | {kind.when} |\n"


def write(project: Path) -> list[str]:
    """Write the outdated files and return their paths."""
    files, paths = generated_files(), outdated(project)
    for path in paths:
        target = project / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[path])
    return paths


def outdated(project: Path) -> list[str]:
    """Return the paths of files that differ from what the code generates."""
    return [path for path, content in generated_files().items() if read(project / path) != content]


def read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None

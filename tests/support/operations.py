"""The operations of the OpenAPI document."""

from collections.abc import Iterator
from typing import Any

from ludarium.api import openapi

Json = dict[str, Any]


def operations() -> Iterator[tuple[str, str, Json]]:
    """Yield the method, path and description of each operation.

    Shared parameters and responses are in place of the references to them.
    """
    document = openapi.document()
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            parameters = [resolved(document, each) for each in operation.get("parameters", [])]
            responses = {status: resolved(document, each) for status, each in operation["responses"].items()}
            yield method, path, {**operation, "responses": responses} | ({"parameters": parameters} if parameters else {})


def resolved(document: Json, part: Json) -> Json:
    """Return the part, or the component that it refers to."""
    if "$ref" not in part:
        return part
    for step in part["$ref"].removeprefix("#/").split("/"):
        document = document[step]
    return document

"""The document has real examples of answers, which fit their schemas."""

from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from ludarium.api import openapi, play_document
from tests.support.operations import operations

Json = dict[str, Any]
DOCUMENT = openapi.document()


def answers() -> Iterator[tuple[str, Json]]:
    """Yield each operation that answers in JSON, with the description of the answer."""
    for _, _, operation in operations():
        for status, response in operation["responses"].items():
            if status < "300" and "application/json" in response.get("content", {}):
                yield operation["operationId"], response["content"]["application/json"]


WITHOUT = {"returnToGame", "claimTimeout", "setReady"}
"""Operations that answer as `postCommand`, after waits that are too long for a recording."""
EXAMPLES = {name: content for name, content in answers() if "example" in content}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_fits_the_schema_of_its_answer(name: str) -> None:
    schema = {**EXAMPLES[name]["schema"], "components": DOCUMENT["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(EXAMPLES[name]["example"])


def test_every_answer_that_a_player_needs_has_an_example() -> None:
    needed = {name for name, _ in answers()} & {*play_document.OPERATIONS}
    assert needed - EXAMPLES.keys() == WITHOUT


def test_every_recorded_answer_is_used() -> None:
    assert openapi.answers().keys() == EXAMPLES.keys()

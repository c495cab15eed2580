"""The AsyncAPI document describes exactly what the gateway accepts and sends."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from ludarium.live import asyncapi
from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from tests.live.house import House
from tests.live.test_protocol import INVALID
from tests.support.live_client import client

DOCUMENT = asyncapi.document()
FILE = Path(__file__).parents[2] / "api-schema/asyncapi.json"
SAID = sorted({name for names in asyncapi.ANSWERS.values() for name in names})
ASKED = ["Hello", "Subscribe", "Unsubscribe", "Ping", "CommandRequest"]


def test_the_file_is_what_the_code_says() -> None:
    assert FILE.read_bytes() == asyncapi.encoded()


def test_each_reference_leads_somewhere() -> None:
    references = list(_references(DOCUMENT))
    assert len(references) > 50
    for reference in references:
        target: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"]
        part = list(part.values())
    if isinstance(part, list):
        for member in part:
            yield from _references(member)


def test_each_message_is_explained() -> None:
    for name, message in DOCUMENT["components"]["messages"].items():
        assert message["summary"], name


def test_each_request_says_which_scope_it_needs() -> None:
    told = {name: asked["description"] for name, asked in DOCUMENT["operations"].items()}
    assert "the scope `play`" in told["commandRequest"] and "the scope `me:read`" in told["me"]
    assert "scope" not in told["hello"] + told["ping"]


def test_the_page_names_the_opaque_fields() -> None:
    page = (FILE.parents[1] / "docs/live.md").read_text()
    assert f"(`{'`, `'.join(asyncapi.OPAQUE)}`)" in page


EXAMPLES = re.findall(r"^(?:→ |← |(?=\{\"sub\"))(\{.*\})$", (FILE.parents[1] / "docs/live.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_of_the_page_fits_its_schema(example: str) -> None:
    """Parts that an example abbreviates by dots are removed."""
    message = json.loads(example.replace(",…", "").replace("{…}", "{}"))
    kinds = ASKED if "sub" not in message and "ok" not in message else [*asyncapi.PUSHES, *SAID]
    assert _fitting(message, *kinds) != []


def test_the_page_has_examples_of_requests_answers_and_pushes() -> None:
    assert len(EXAMPLES) >= 11


def _fitting(message: object, *names: str) -> list[str]:
    """Return those of the named schemas that the message fits."""
    schemas = {"components": DOCUMENT["components"]}
    return [
        name
        for name in names
        if jsonschema_rs.is_valid({"$ref": f"#/components/schemas/{name}"} | schemas, message)
    ]


@pytest.mark.parametrize("members, pointer, told", INVALID)
def test_what_the_gateway_refuses_the_schema_refuses(members: dict[str, object], pointer: str, told: str) -> None:
    assert _fitting({"id": "mine"} | members, *ASKED) == []


async def test_what_the_gateway_takes_and_says_fits_the_schema(house: House, hub: Hub) -> None:
    await house.open("t", {"ann": 0})
    requests: list[tuple[str, dict[str, object], str]] = [
        ("ping", {}, "ProblemAnswer"),
        ("hello", {"token": "ann-token"}, "Greeted"),
        ("subscribe", {"table": "t", "after": -1}, "Subscribed"),
        ("command", {"table": "t", "expected_seq": 0, "action": {"id": "cat", "subset": []}, "key": "k"}, "CommandAnswer"),
        ("subscribe", {"table": "t", "after": -1, "as": "spectator"}, "Subscribed"),
        ("unsubscribe", {"sub": "t:0"}, "Done"),
        ("command", {"table": "t", "expected_seq": 0, "action": {"id": "cat"}}, "ProblemAnswer"),
        ("subscribe", {"table": "t", "after": "x"}, "ProblemAnswer"),
        ("ping", {}, "Done"),
    ]
    gateway = Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(closing=1))
    async with gateway, client(gateway.port, hello=False) as ann:
        for number, (type, members, answered) in enumerate(requests):
            name = "CommandRequest" if type == "command" else type.capitalize()
            answer = await ann.answer_to(number, type=type, **members)
            assert answered in _fitting(answer, *asyncapi.ANSWERS[name])
            asked = _fitting({"id": number, "type": type} | members, *ASKED)
            assert asked == ([name] if members.get("after") != "x" else [])
        await ann.until("t:spectator", 1)
        await gateway.__aexit__()
        await ann.until_closed()
        pushes = [message for message in ann.heard if "ok" not in message]
        assert {"EventPush", "GoingAway"} == {name for push in pushes for name in _only(push)}


def _only(push: dict[str, object]) -> list[str]:
    fitting = _fitting(push, "EventPush", "Lagging", "GoingAway")
    assert len(fitting) == 1, push
    return fitting


def test_the_document_is_json_that_people_can_read() -> None:
    assert msgspec.json.decode(asyncapi.encoded()) == DOCUMENT
    assert b'\n  "info": {' in asyncapi.encoded()

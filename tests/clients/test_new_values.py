"""Clients can still decode if a later release adds values to an open set."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec
import pytest

from ludarium.api import openapi
from ludarium.live import asyncapi
from ludarium.live.messages import ServerMessage
from ludarium.platform.value_sets import OPEN, reachable, sets_in
from ludarium_client import bodies, messages
from ludarium_client.decoding import decode
from tests.support.operations import operations

Json = dict[str, Any]
LATER = "a-value-of-a-later-release"
HTTP, SOCKET = openapi.document(), asyncapi.document()
ANSWERS = [operation["responses"] for _, _, operation in operations()]
SENT = [operation.get("reply", operation)["messages"] for operation in SOCKET["operations"].values()]
"""What the socket carries to clients: the answers to their requests, and pushes."""


def schemas_of(document: Json) -> dict[str, Json]:
    found: dict[str, Json] = document["components"]["schemas"]
    return found


def sample(schema: Json, schemas: Mapping[str, Json], depth: int = 0) -> Any:
    """Return a value that fits the schema, with a later value in each open set."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return sample(schemas[name], schemas, depth + 1)
    if OPEN in schema:
        return LATER
    if "enum" in schema:
        return schema["enum"][0]
    if kinds := schema.get("anyOf") or schema.get("oneOf"):
        return sample(preferred(kinds, depth), schemas, depth)
    match schema.get("type"):
        case "object" if "properties" in schema:
            return {name: sample(each, schemas, depth) for name, each in schema["properties"].items()}
        case "array":
            least = schema.get("minItems", 0 if depth > 6 else 1)
            return [sample(schema["items"], schemas, depth + 1) for _ in range(least)]
        case kind:
            plain: Json = {"object": {}, "string": "", "integer": 0, "number": 0, "boolean": True, "null": None}
            return plain[kind] if kind else {}


def preferred(kinds: list[Json], depth: int) -> Json:
    """Return the first schema that is not null, or null if the value is deep enough."""
    told = [kind for kind in kinds if kind.get("type") != "null"]
    return told[0] if depth < 8 or len(told) == len(kinds) else {"type": "null"}


def answers(document: Json, roots: list[Any]) -> Iterator[tuple[str, Json]]:
    schemas = schemas_of(document)
    for name in sorted(reachable(schemas, roots)):
        if "properties" in schemas[name]:
            yield name, sample(schemas[name], schemas)


@pytest.mark.parametrize(("name", "value"), [*answers(HTTP, ANSWERS)])
def test_the_python_client_decodes_an_answer_with_new_values(name: str, value: Json) -> None:
    decode(msgspec.json.encode(value), getattr(bodies, name))


@pytest.mark.parametrize(("name", "value"), [*answers(SOCKET, SENT)])
def test_the_python_client_decodes_a_message_with_new_values(name: str, value: Json) -> None:
    decode(msgspec.json.encode(value), getattr(messages, name))


@pytest.mark.parametrize(("document", "roots"), [(HTTP, ANSWERS), (SOCKET, SENT)])
def test_no_set_that_is_sent_is_closed(document: Json, roots: list[Any]) -> None:
    schemas = schemas_of(document)
    closed = {name: [*sets_in(schemas[name])] for name in reachable(schemas, roots)} | {"": [*sets_in(roots)]}
    assert {name: sets for name, sets in closed.items() if sets} == {}


class Later(msgspec.Struct, tag="later"):
    """A message of a later release."""

    mood: Literal["calm", "tense"]


def test_a_set_is_open_in_a_message_and_closed_in_a_request() -> None:
    schemas = schemas_of(asyncapi.document(ServerMessage | Later))
    assert schemas["Later"]["properties"]["mood"][OPEN] == ["calm", "tense"]
    assert [*sets_in(schemas["Later"])] == [] and [*sets_in(schemas["Subscribe"])] == [{"changes", "full"}]


def test_every_message_of_the_socket_is_examined() -> None:
    names = {kind.__name__ for kind in get_args(ServerMessage)}
    assert names - reachable(schemas_of(SOCKET), SENT) == set()


@pytest.mark.parametrize(("document", "roots"), [(HTTP, ANSWERS), (SOCKET, SENT)])
def test_nothing_that_is_sent_refuses_new_fields(document: Json, roots: list[Any]) -> None:
    """Some generators refuse a whole response for a field that a closed schema lacks."""
    schemas = schemas_of(document)
    assert [name for name in reachable(schemas, roots) if schemas[name].get("additionalProperties") is False] == []


def test_a_set_has_one_name_wherever_it_is() -> None:
    """If a set were inlined in several places, generators would make several types."""
    found = [*inlined(HTTP["paths"]), *inlined(schemas_of(HTTP))]
    assert sorted(set(found)) == sorted(found)


def inlined(part: Any) -> Iterator[tuple[str, ...]]:
    match part:
        case dict():
            values = part.get(OPEN, part.get("enum", []))
            if isinstance(values, list) and len(values) > 1:
                yield tuple(sorted(map(str, values)))
            for each in part.values():
                yield from inlined(each)
        case list():
            for each in part:
                yield from inlined(each)

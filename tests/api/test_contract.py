"""The OpenAPI document agrees with the server and suits code generators."""

import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import msgspec
import pytest

from ludarium.api import openapi
from tests.api.reserved_words import is_reserved
from tests.support.operations import operations
from tests.support.people import NOBODYS, Person, last, open_game
from tests.support.waiting import LIMIT

Json = dict[str, Any]
OF_HTTP = {
    "access-control-allow-origin", "access-control-expose-headers",
    "cache-control", "content-encoding", "content-length", "content-type", "date", "server", "transfer-encoding", "vary",
    "x-accel-buffering", "x-content-type-options",
}  # fmt: skip
"""Standard headers, which the document does not describe."""


def parts(schema: Any) -> Iterator[Json]:
    """Yield all objects of a JSON value, with itself."""
    if isinstance(schema, dict):
        yield schema
    for each in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts(each)


@pytest.fixture
async def ada(http: httpx.AsyncClient) -> Person:
    return await Person.arrive(http)


@pytest.fixture
async def client(server: str) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=server, timeout=LIMIT) as client:
        yield client


@pytest.fixture
async def known(ada: Person) -> dict[str, str]:
    """Return values for the parameters of paths."""
    table = await open_game([ada], bots=("simple",))
    return {"table_id": table, "player_id": ada.id, "ruleset_id": "kemet", "locale": "en", "seat": "0", **NOBODYS}


async def asked(
    client: httpx.AsyncClient, method: str, path: str, operation: Json, token: str | None
) -> tuple[httpx.Response, Json]:
    """Send a request; return the answer, and its JSON if it is a problem.

    Other bodies are not read, because a stream has no end.
    """
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with client.stream(method, path, json=body, headers=headers) as answer:
        problem = answer.headers.get("content-type", "").startswith("application/problem")
        return answer, msgspec.json.decode(await answer.aread()) if problem else {}


async def test_who_needs_a_token_is_declared_as_it_is(client: httpx.AsyncClient, known: dict[str, str]) -> None:
    """Each operation is requested without a token and with a wrong one."""
    told = {(True, True): ["needed"], (False, True): ["may be", "needed"], (False, False): []}
    declared: Json = {}
    found: Json = {}
    for method, path, operation in operations():
        problems = [(await asked(client, method, path.format(**known), operation, given))[1] for given in (None, "lud_x")]
        codes = [problem.get("code") for problem in problems]
        declared[operation["operationId"]] = ["needed" if each else "may be" for each in operation["security"]]
        found[operation["operationId"]] = told[codes[0] == "unauthenticated", codes[1] == "invalid-token"]
    assert declared == found


async def test_every_header_of_an_answer_is_described(client: httpx.AsyncClient, ada: Person, known: dict[str, str]) -> None:
    components = openapi.document()["components"]["headers"]
    for method, path, operation in sorted(operations(), key=last):
        for token in (None, "lud_x", ada.token):
            answer, _ = await asked(client, method, path.format(**known), operation, token)
            headers = operation["responses"][str(answer.status_code)].get("headers", {})
            described = {name.lower(): components[each["$ref"].rpartition("/")[2]] for name, each in headers.items()}
            assert answer.headers.keys() - OF_HTTP <= described.keys(), (method, path, answer.status_code)
            always = {name for name, header in described.items() if header.get("required")}
            assert always <= answer.headers.keys(), (method, path, answer.status_code)


def test_every_union_of_structs_has_a_name_and_tells_its_members_apart() -> None:
    schemas = openapi.document()["components"]["schemas"]
    unions = {name: schema for name, schema in schemas.items() if "oneOf" in schema}
    assert unions.keys() == {"TableClock", "TableEvent", "Fact"}
    for schema in unions.values():
        assert list(schema["discriminator"]["mapping"].values()) == [each["$ref"] for each in schema["oneOf"]]
        assert schema["discriminator"]["propertyName"] == "type"
    assert schemas["ActedData"]["properties"]["facts"]["items"] == {"$ref": "#/components/schemas/Fact"}
    assert schemas["ProblemDetails"]["properties"]["events"]["items"] == {"$ref": "#/components/schemas/TableEvent"}
    nameless = [part for part in parts(schemas) if sum("$ref" in each for each in part.get("anyOf", [])) > 1]
    assert nameless == []


def test_nothing_is_said_of_objects_that_generators_take_for_none() -> None:
    """Generators misread some schemas.

    They take an object without declared properties for empty, and a field with a default for required.
    """
    document = openapi.document()
    free = {"type": "object", "additionalProperties": True}
    schemas = document["components"]["schemas"]
    assert schemas["ViewBody"]["properties"]["zones"] == free
    objects = [part for part in parts(document) if part.get("type") == "object"]
    assert all({"properties", "additionalProperties"} & part.keys() for part in objects)
    assert [part for part in parts(schemas) if "default" in part] == []
    assert schemas["NewTable"]["required"] == ["ruleset", "seats"]
    assert schemas["PoliciesBody"]["properties"]["join"]["description"] == "By default `anybody`."


def test_answers_have_every_field_that_is_always_there() -> None:
    schemas = openapi.document()["components"]["schemas"]
    assert schemas["Message"]["required"] == ["id", "params"]
    assert schemas["SlotBody"]["required"] == ["zone"]
    assert schemas["SlotBody"]["properties"]["index"] == {"type": "integer"}
    assert not [kind for kind in structs(msgspec.Struct) if kind.__name__ in schemas and kind.__struct_config__.omit_defaults]


def structs(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for each in kind.__subclasses__():
        yield each
        yield from structs(each)


def test_every_operation_is_named_by_a_verb_and_a_noun() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert [name for name in names if not VERB_AND_NOUN.fullmatch(name)] == []


VERBS = (
    "accept", "act", "add", "adjudicate", "analyse", "answer", "block", "cancel", "change", "check", "claim", "close", "create",
    "decline", "delete", "dispute", "download", "draft", "end", "enter", "explain", "export", "feature", "find", "follow",
    "forbid", "get", "give", "hand", "hide", "import", "inspect", "invite", "issue", "join", "leave", "list", "look", "mark",
    "open",
    "pause", "penalize", "post", "prepare", "publish", "recut", "redeem", "register", "remove", "rename", "renew", "replace",
    "replay", "request", "reset", "resign", "rest", "resume", "return", "revoke", "rule", "sanction", "search", "seed", "send",
    "set", "sign", "sit", "start", "stream", "take", "unblock", "undo", "unfollow", "verify", "void", "withdraw",
)  # fmt: skip
VERB_AND_NOUN = re.compile(f"({'|'.join(VERBS)})([A-Z][a-z0-9]+)+")


def test_no_two_names_differ_only_by_case_or_by_where_they_are_joined() -> None:
    """Generators build names of types by joining other names.

    They join the operation and the parameter, or the schema and the field.
    """
    schemas = openapi.document()["components"]["schemas"]
    named = Counter(joined(name) for name in (*schemas, *[operation["operationId"] for _, _, operation in operations()]))
    assert [name for name, count in named.items() if count > 1] == []
    parameters = {
        joined(operation["operationId"], parameter["name"])
        for _, _, operation in operations() for parameter in operation.get("parameters", []) if "enum" in parameter["schema"]
    }  # fmt: skip
    fields = {joined(name, field) for name, schema in schemas.items() for field in schema.get("properties", {})}
    assert not parameters & (fields | {joined(name) for name in schemas})


def test_no_language_reserves_the_name_of_a_schema() -> None:
    assert [name for name in openapi.document()["components"]["schemas"] if is_reserved(name)] == []


def joined(*names: str) -> str:
    return "".join(names).replace("_", "").replace("-", "").lower().replace("who", "")


FILE = {"$ref": "#/components/schemas/GameRecord"}
"""The schema of a whole game, which is too long for an example."""


def test_every_example_is_used_and_every_body_has_one() -> None:
    document = openapi.document()
    references = {part["$ref"] for part in parts(document) if isinstance(part.get("$ref"), str)}
    assert {f"#/components/examples/{code}" for code in document["components"]["examples"]} <= references
    assert {f"#/components/headers/{name}" for name in document["components"]["headers"]} <= references
    for _, path, operation in operations():
        if "requestBody" in operation:
            kinds = operation["requestBody"]["content"].values()
            assert all("example" in kind or kind["schema"] == FILE for kind in kinds), path


def test_tags_and_operations_are_described() -> None:
    document = openapi.document()
    tags = {tag["name"] for tag in document["tags"] if tag["description"].endswith(".")}
    assert tags == {tag for _, _, operation in operations() for tag in operation["tags"]}
    assert [path for _, path, operation in operations() if not operation.get("description", "").endswith(".")] == []

"""The plain OpenAPI document has what a client needs to play, and no unions."""

import random
from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema_rs

from ludarium.api import openapi, play_document
from ludarium_engine.kernel.decoding import from_json
from tests.support.blind_client import random_action
from tests.support.people import Person, open_game, someone_asked

Json = dict[str, Any]
PLAIN: Json = from_json(play_document.encoded())


def parts(part: Any) -> Iterator[Json]:
    """Yield all objects of a JSON value, with itself."""
    if isinstance(part, dict):
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from parts(each)


def operations_of(document: Json) -> dict[tuple[str, str], str]:
    return {
        (method, path): operation["operationId"]
        for path, methods in document["paths"].items() for method, operation in methods.items()
    }  # fmt: skip


def test_it_has_no_unions() -> None:
    assert [part for part in parts(PLAIN) if {"oneOf", "anyOf", "allOf"} & part.keys()] == []


def test_each_of_its_operations_is_in_the_full_document() -> None:
    found = operations_of(PLAIN)
    assert sorted(found.values()) == sorted(play_document.OPERATIONS)
    assert found.items() <= operations_of(openapi.document()).items()


def test_every_reference_leads_somewhere_and_every_schema_is_used() -> None:
    references = {part["$ref"] for part in parts(PLAIN) if isinstance(part.get("$ref"), str)}
    components = {f"#/components/{section}/{name}" for section, each in PLAIN["components"].items() for name in each}
    assert references <= components
    schemas = {f"#/components/schemas/{name}" for name in PLAIN["components"]["schemas"]}
    assert schemas <= references


async def test_it_is_served(http: httpx.AsyncClient) -> None:
    answer = await http.get("/openapi-play.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == PLAIN


def without_nulls(value: Any) -> Any:
    match value:
        case dict():
            return {name: without_nulls(each) for name, each in value.items() if each is not None}
        case list():
            return [without_nulls(each) for each in value]
        case _:
            return value


def check(schema: str, answer: Any) -> None:
    """Check an answer as a generated client reads it, which takes null as left out."""
    reference = {"$ref": f"#/components/schemas/{schema}", "components": PLAIN["components"]}
    jsonschema_rs.Draft202012Validator(reference).validate(without_nulls(answer))


async def test_answers_of_a_game_fit_it(http: httpx.AsyncClient, seed: int) -> None:
    luck, people = random.Random(seed), [await Person.arrive(http), await Person.arrive(http)]
    table = await open_game(people)
    check("Ruleset", await people[0].get("/rulesets/game-of-kingdoms"))
    check("TableBody", await people[0].get(f"/tables/{table}"))
    for _ in range(10):
        person, view = await someone_asked(people, table)
        check("TableView", view)
        answer = await person.command(table, view, random_action(view["choice"], luck))
        check("Accepted", answer.json())
    check("ProblemDetails", await people[0].refused("POST", f"/tables/{table}/commands", {"expected_seq": 1}))

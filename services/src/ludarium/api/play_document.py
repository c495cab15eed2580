"""A second, plain OpenAPI document: what a client needs to play, without unions.

Generators for mobile clients (Swift, Kotlin, Dart) make types of unions that are hard to use or wrong. The document follows
from the full one (docs/decisions/136): a union becomes a free object, and a field that may be null becomes optional.
"""

from functools import cache
from typing import Any

from ludarium.api import openapi
from ludarium.platform.value_sets import references

OPERATIONS = (
    "getRoot", "createGuest", "redeemRejoinCode", "getMe", "changeName", "endSession",
    "listRulesets", "getRuleset", "getRulesetTexts",
    "listTables", "listOwnTables", "createTable", "getTable", "cancelTable", "takeSeat", "leaveSeat", "setReady", "startGame",
    "createLink", "acceptInvitation", "joinQueue", "getTicket", "leaveQueue",
    "getView", "postCommand", "undoCommand", "createProposal", "answerProposal", "claimTimeout", "returnToGame", "resignGame",
    "createRematch", "listPhrases", "listMessages", "sendMessage",
)  # fmt: skip
FREE: openapi.Document = {"type": "object", "additionalProperties": True}
DESCRIPTION = """Play tabletop games: the operations that a client needs, without unions, for generators of mobile clients.

Events and clocks are free objects here, and fields that are not required may be null. `openapi.json` has every operation and
type."""


@cache
def encoded() -> bytes:
    return openapi.in_lines(plain_document(openapi.document()), openapi.LEVELS)


def plain_document(full: openapi.Document) -> openapi.Document:
    """Return the plain document of the full one."""
    components = full["components"]
    unions = {name for name, schema in components["schemas"].items() if "oneOf" in schema}
    schemas = {name: plain(each, unions) for name, each in components["schemas"].items() if name not in unions}
    sections = {**plain({name: each for name, each in components.items() if name != "schemas"}, unions), "schemas": schemas}
    paths = plain(paths_to_play(full["paths"]), unions)
    return {
        **full, "info": {**full["info"], "description": DESCRIPTION}, "paths": paths, "tags": tags_of(full, paths),
        "components": used(sections, paths),
    }  # fmt: skip


def paths_to_play(paths: openapi.Document) -> openapi.Document:
    chosen = {
        path: {method: each for method, each in methods.items() if each["operationId"] in OPERATIONS}
        for path, methods in paths.items()
    }  # fmt: skip
    return {path: methods for path, methods in chosen.items() if methods}


def tags_of(full: openapi.Document, paths: openapi.Document) -> list[openapi.Document]:
    named = {tag for operation in openapi.all_operations(paths) for tag in operation["tags"]}
    return [tag for tag in full["tags"] if tag["name"] in named]


def plain(part: Any, unions: set[str]) -> Any:
    """Replace unions, in references and in place."""
    match part:
        case {"$ref": str(reference), **rest} if reference.rpartition("/")[2] in unions and "/schemas/" in reference:
            return {**FREE, **rest}
        case {"anyOf": list(kinds), **rest}:
            return {**plain(one_of(kinds), unions), **rest}
        case {"properties": dict(properties)}:
            needed = [name for name in part.get("required", []) if not may_be_null(properties[name])]
            others = {name: each for name, each in part.items() if name not in ("properties", "required")}
            fields = {name: plain(each, unions) for name, each in properties.items()}
            return {**others, "properties": fields} | ({"required": needed} if needed else {})
        case dict():
            return {name: plain(each, unions) for name, each in part.items()}
        case list():
            return [plain(each, unions) for each in part]
        case _:
            return part


def may_be_null(schema: openapi.Document) -> bool:
    return {"type": "null"} in schema.get("anyOf", [])


def one_of(kinds: list[openapi.Document]) -> openapi.Document:
    """Return the kind of a value that may be null, or a value of any kind for several."""
    others = [kind for kind in kinds if kind != {"type": "null"}]
    return others[0] if len(others) == 1 else {}


def used(sections: openapi.Document, paths: openapi.Document) -> openapi.Document:
    """Return the components that these paths need, directly or not."""
    found: set[str] = set()
    ahead = [paths]
    while ahead:
        new = {*references(ahead.pop())} - found
        found |= new
        ahead += [each for section in sections.values() for name, each in section.items() if name in new]
    kept = {section: {name: each for name, each in parts.items() if name in found} for section, parts in sections.items()}
    return {**kept, "securitySchemes": sections["securitySchemes"]}

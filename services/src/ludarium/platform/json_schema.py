"""JSON Schemas of what comes in and goes out, written so that generators of clients read in them what we mean.

What msgspec says is true, but generators make less of it. A union without a name becomes its last member, an object that
says nothing of its properties may have none, and a default makes a field compulsory for whoever sends it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

REF = "#/components/schemas/{name}"
Schema = dict[str, Any]


def components(types: Iterable[Any], unions: Mapping[str, Any]) -> dict[str, Schema]:
    """The schemas of these types and of all that they are made of, by name.

    unions: of Structs that are told apart by their `type`, by the names that they are to have.
    """
    asked = [*types]
    found, structs = msgspec.json.schema_components([*asked, *unions.values()], ref_template=REF)
    named = dict(zip(unions, found[len(asked) :], strict=True))
    schemas = {name: for_generators(struct(schema), named) for name, schema in structs.items()}
    return dict(sorted((schemas | {name: union(name, schema) for name, schema in named.items()}).items()))


def union(name: str, schema: Schema) -> Schema:
    """Each of its members has another `type`, so never more than one fits."""
    text = f"One {name.lower()}, told by its `type`. More types may come: skip those that you do not know."
    return {"description": text, "oneOf": schema["anyOf"], "discriminator": schema["discriminator"]}


def struct(schema: Schema) -> Schema:
    """Requests are strict and may leave out what has a default; an answer has every field that has one."""
    if "properties" not in schema:
        return schema
    if schema.get("additionalProperties") is False:
        return {**schema, "properties": {name: optional(each) for name, each in schema["properties"].items()}}
    required = schema.get("required", [])
    always = [name for name, each in schema["properties"].items() if name in required or "default" in each]
    properties = {name: without_default(each) for name, each in schema["properties"].items()}
    return {**schema, "properties": properties} | ({"required": always} if always else {})


def optional(field: Schema) -> Schema:
    """The default in words: as `default` it would make the field compulsory (openapi-typescript)."""
    default = field.get("default")
    if default is None:
        return without_default(field)
    said = default if isinstance(default, str) else msgspec.json.encode(default).decode()
    told = "empty" if said in ("", "[]", "{}") else f"`{said}`"
    text = " ".join(filter(None, [field.get("description"), f"By default {told}."]))
    return {**without_default(field), "description": text}


def without_default(field: Schema) -> Schema:
    return {name: value for name, value in field.items() if name != "default"}


def for_generators(part: Any, unions: Mapping[str, Schema]) -> Any:
    """With names in place of unions, and with any properties where nothing is said of them."""
    for name, schema in unions.items():
        if part == schema:
            return {"$ref": REF.format(name=name)}
    match part:
        case dict():
            free = {"additionalProperties": True} if is_free(part) else {}
            return {name: for_generators(each, unions) for name, each in part.items()} | free
        case list():
            return [for_generators(each, unions) for each in part]
        case _:
            return part


def is_free(part: Schema) -> bool:
    return part.get("type") == "object" and not {"properties", "additionalProperties"} & part.keys()

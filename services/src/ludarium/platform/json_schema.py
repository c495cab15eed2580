"""JSON Schemas of requests and responses, in a form that suits code generators.

msgspec's schemas are correct, but generators misread some of them: they take a union without a name for its last member,
an object without declared properties for an empty one, and a field with a default for a required field of requests.
"""

import re
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any

import msgspec

REF = "#/components/schemas/{name}"
Schema = dict[str, Any]


def components(types: Iterable[Any], unions: Mapping[str, Any]) -> dict[str, Schema]:
    """Return the schemas, by name, of these types and of all types that they contain.

    Args:
        unions: the unions of structs that differ in `type`, by the name that each union should have.
    """
    asked = [*types]
    found, structs = msgspec.json.schema_components([*asked, *unions.values()], ref_template=REF)
    named = dict(zip(unions, found[len(asked) :], strict=True))
    schemas = {name: for_generators(struct(unindented(schema)), named) for name, schema in structs.items()}
    return dict(sorted((schemas | {name: union(name, schema) for name, schema in named.items()}).items()))


def union(name: str, schema: Schema) -> Schema:
    """Return the schema of a union whose members are distinguished by `type`."""
    words = re.sub("(?<!^)(?=[A-Z])", " ", name).lower()
    text = f"One of several kinds of {words}. `type` tells which. Skip types that you do not know, since more may come."
    return {"description": text, "oneOf": schema["anyOf"], "discriminator": schema["discriminator"]}


def unindented(schema: Schema) -> Schema:
    """Remove the indentation that a docstring has in the code, which Markdown would take for a block of code."""
    return schema | {"description": cleandoc(schema["description"])} if "description" in schema else schema


def struct(schema: Schema) -> Schema:
    """Adapt the schema of an object.

    Requests may leave out fields with a default. Responses always contain these fields.
    """
    if "properties" not in schema:
        return schema
    if schema.get("additionalProperties") is False:
        return {**schema, "properties": {name: optional(each) for name, each in schema["properties"].items()}}
    required = schema.get("required", [])
    always = [name for name, each in schema["properties"].items() if name in required or "default" in each]
    properties = {name: without_default(each) for name, each in schema["properties"].items()}
    return {**schema, "properties": properties} | ({"required": always} if always else {})


def optional(field: Schema) -> Schema:
    """Move a field's default from `default` into the description.

    Otherwise openapi-typescript would declare the field as required.
    """
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
    """Replace unions with references, and allow all properties where none is declared."""
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

"""Generate the Python client's types from the OpenAPI and AsyncAPI documents.

The generator reads the part of JSON Schema that msgspec writes. It leaves out bounds, because the server checks them and may
widen them.
"""

import inspect
import keyword
import textwrap
from typing import Any

from ludarium.platform.value_sets import OPEN

Schema = dict[str, Any]

HEAD = '''"""{title}, made from `api-schema/{source}` by `make schema`: not to be edited by hand."""
from __future__ import annotations

from typing import Any, Literal

from msgspec import {names}
'''
PARTIAL = {"Change"}
"""Structs in which a missing field differs from null."""
NAMES = {"UNSET": " = UNSET\n", "Struct": "(Struct,", "UnsetType": " | UnsetType", "field": " = field("}
"""Each import from msgspec -> a text that the generated module contains only if it uses the import."""
UNKNOWN = '''

class Unknown(Struct, frozen=True, kw_only=True, tag="?"):
    """Something of a type that the server has and this client does not know yet, as it came."""

    seq: int = -1
    was: dict[str, Any]
'''
WIDTH = 120


def module(title: str, source: str, schemas: dict[str, Schema]) -> bytes:
    """Return the source of a module with a Struct for each schema, and their unions.

    Args:
        title: the first words of the module's docstring.
        source: the file in `api-schema/` that has the schemas.
        schemas: JSON Schemas by name.
    """
    unions = {name: schema for name, schema in schemas.items() if "oneOf" in schema}
    sets = {name: schema for name, schema in schemas.items() if OPEN in schema or "enum" in schema}
    parts = [*map(alias, sets, sets.values())]
    parts += [struct(name, schema) for name, schema in schemas.items() if name not in unions | sets]
    if unions:
        parts += [UNKNOWN, *map(union, unions, unions.values())]
    body = "".join(parts)
    names = ", ".join(name for name, mark in NAMES.items() if mark in body)
    return (HEAD.format(title=title, source=source, names=names) + body).encode()


def alias(name: str, schema: Schema) -> str:
    """Return the source of a type for a set of values.

    An open set becomes `str`, with its known values in a docstring, because the server may add values.
    """
    known = f'"""One of: {", ".join(schema[OPEN])}. {schema["description"]}"""\n' if OPEN in schema else ""
    lines = textwrap.wrap(f"{name} = {annotation(schema)}", WIDTH)
    return "\n" + "\n    ".join(lines) + "\n" + "\n".join(textwrap.wrap(known, WIDTH)) + ("\n" if known else "")


def struct(name: str, schema: Schema) -> str:
    properties = dict(schema["properties"])
    tag = tag_of(properties)
    if tag:
        del properties["type"]
    options = f'Struct, frozen=True, kw_only=True, tag="{tag}"' if tag else "Struct, frozen=True, kw_only=True"
    required = schema.get("required", [])
    attributes = [attribute(key, each, key in required, name in PARTIAL) for key, each in properties.items()]
    body = "\n".join([*docstring(schema), *attributes]) or "pass"
    return f"\n\nclass {name}({options}):\n{textwrap.indent(body, '    ')}\n"


def tag_of(properties: dict[str, Schema]) -> str | None:
    values = properties.get("type", {}).get("enum", [])
    return values[0] if len(values) == 1 else None


def docstring(schema: Schema) -> list[str]:
    text = schema.get("description")
    if not text:
        return []
    lines = inspect.cleandoc(text).splitlines()
    return [f'"""{lines[0]}"""', ""] if len(lines) == 1 else [f'"""{lines[0]}', *lines[1:], '"""', ""]


def attribute(name: str, schema: Schema, required: bool, partial: bool) -> str:
    kind, default = annotation(schema), None
    if not required and not partial and kind.endswith(" | None"):
        default = "None"
    elif not required:
        known = kind.removesuffix(" | None")
        kind, default = known + " | UnsetType" + kind.removeprefix(known), "UNSET"
    if not keyword.iskeyword(name):
        return f"{name}: {kind}" + (f" = {default}" if default else "")
    return f'{name}_: {kind} = field(name="{name}"' + (f", default={default})" if default else ")")


def annotation(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " | ".join(sorted(map(annotation, schema["anyOf"]), key="None".__eq__))
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    return plain(schema)


def plain(schema: Schema) -> str:
    match schema.get("type"):
        case "array":
            return f"list[{annotation(schema['items'])}]"
        case "object":
            values = schema["additionalProperties"]
            return f"dict[str, {'Any' if values is True else annotation(values)}]"
        case "string":
            return "bytes" if schema.get("contentEncoding") else "str"
        case kind:
            return {"integer": "int", "number": "float", "boolean": "bool", "null": "None", None: "Any"}[kind]


def union(name: str, schema: Schema) -> str:
    members = [*map(annotation, schema["oneOf"]), "Unknown"]
    lines = textwrap.wrap(" | ".join(members), WIDTH - 4, break_on_hyphens=False)
    return f"\n\n{name} = (\n" + "".join(f"    {line}\n" for line in lines) + ")\n"

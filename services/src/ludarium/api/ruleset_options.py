"""The options of a ruleset: their JSON Schema, and the seats that they allow."""

from typing import Any

import msgspec

from ludarium_engine.kernel import Illegal, Title, checked_options

AnyTitle = Title[Any, Any]


def option_schema(title: AnyTitle) -> dict[str, Any]:
    (_,), components = msgspec.json.schema_components([title.options], ref_template="#/{name}")
    schema: dict[str, Any] = components[title.options.__name__]
    return schema


def option_seats(title: AnyTitle) -> dict[str, dict[str, list[int]]]:
    """Return the numbers of seats that each value of an option allows.

    The other options have their defaults, or those of a variant of the title. Values are written as in JSON without
    quotes: `base`, `true`.
    """
    values = {name: values_of(schema) for name, schema in option_schema(title)["properties"].items()}
    return {
        name: {text_of(value): [seats for seats in title.seats if is_allowed(title, name, value, seats)] for value in of}
        for name, of in values.items()
        if of
    }


def values_of(schema: dict[str, Any]) -> list[Any]:
    """Return the values of an option that has a fixed set of them, else none."""
    if schema.get("type") == "boolean":
        return [False, True]
    return [*schema.get("enum", []), *(value for each in schema.get("anyOf", []) for value in each.get("enum", []))]


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def is_allowed(title: AnyTitle, name: str, value: Any, seats: int) -> bool:
    """Return whether a table with this many seats can have this value.

    The other options have their defaults, or those of a variant of the title.
    """
    return any(fits(title, {**raw, name: value}, seats) for raw in ({}, *title.variants))


def fits(title: AnyTitle, raw: dict[str, Any], seats: int) -> bool:
    try:
        checked_options(title, raw, seats)
    except Illegal:
        return False
    return True

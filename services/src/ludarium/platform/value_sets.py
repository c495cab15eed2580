"""Describe sets of text values in OpenAPI and AsyncAPI.

A set of values that the server sends is open, that is, it may grow in a later release. If it were an `enum`, generated
clients would reject whole responses with a new value, so it is a string with `x-extensible-enum`. A set that only occurs
in requests is an `enum`, and so is a single value.

See docs/decisions/126.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ludarium.platform.json_schema import REF, Schema

OPEN = "x-extensible-enum"
MORE = "More values may come: treat those that you do not know as a default."
Values = frozenset[str]


def marked(schemas: Mapping[str, Schema], answers: Iterable[Any], named: Mapping[str, Values]) -> dict[str, Schema]:
    """Return the schemas with open sets marked, and with references to named sets.

    Objects that the server sends may have further properties, even if the same objects in requests may not.

    Args:
        schemas: all schemas, by name.
        answers: parts of the document that describe what the server sends.
        named: the values of each set that has its own schema, by name.
    """
    sent = reachable(schemas, answers)
    opened = {values for name in sent for values in sets_in(schemas[name])}
    names = {values: name for name, values in named.items()}
    found = {
        name: replaced(without_bounds(schema), opened, names) if name in sent else replaced(schema, set(), names)
        for name, schema in schemas.items()
    }  # fmt: skip
    return dict(sorted((found | {name: of_values(values, values in opened) for name, values in named.items()}).items()))


def without_bounds(schema: Schema) -> Schema:
    """Allow further properties of an object, since a later release may send them."""
    return {name: each for name, each in schema.items() if (name, each) != ("additionalProperties", False)}


def of_values(values: Values, is_open: bool) -> Schema:
    return {"type": "string", OPEN: sorted(values), "description": MORE} if is_open else {"enum": sorted(values)}


def replaced(part: Any, opened: set[Values], names: Mapping[Values, str]) -> Any:
    """Replace named sets of values with references, and mark the other open sets."""
    match part:
        case {"enum": [str(), str(), *_] as values}:
            known = frozenset(values)
            rest = {name: each for name, each in part.items() if name not in ("enum", "type")}
            if known in names:
                return {"$ref": REF.format(name=names[known]), **rest}
            return {"type": "string", OPEN: values, **rest} if known in opened else part
        case dict():
            return {name: replaced(each, opened, names) for name, each in part.items()}
        case list():
            return [replaced(each, opened, names) for each in part]
        case _:
            return part


def sets_in(part: Any) -> Iterator[Values]:
    match part:
        case {"enum": [str(), str(), *_] as values}:
            yield frozenset(values)
        case dict():
            for each in part.values():
                yield from sets_in(each)
        case list():
            for each in part:
                yield from sets_in(each)


def reachable(schemas: Mapping[str, Schema], answers: Iterable[Any]) -> set[str]:
    """Return the names of all schemas that responses contain."""
    found: set[str] = set()
    ahead = [*answers]
    while ahead:
        new = {name for name in references(ahead.pop()) if name in schemas} - found
        found |= new
        ahead += [schemas[name] for name in new]
    return found


def references(part: Any) -> Iterator[str]:
    match part:
        case dict():
            if isinstance(reference := part.get("$ref"), str):
                yield reference.rpartition("/")[2]
            for each in part.values():
                yield from references(each)
        case list():
            for each in part:
                yield from references(each)

"""Make components of the parameters that several operations share."""

from collections import Counter
from typing import Any

import msgspec

from ludarium_engine.kernel.decoding import from_json

Document = dict[str, Any]
OFTEN = 2
"""A parameter of so many operations is shared."""


def share_parameters(paths: Document) -> Document:
    """Replace frequent parameters with references, in place, and return them by name.

    If parameters with the same name differ, the most frequent one is shared.
    """
    operations = [operation for path in paths.values() for operation in path.values() if "parameters" in operation]
    counted = Counter(msgspec.json.encode(parameter) for operation in operations for parameter in operation["parameters"])
    shared: Document = {}
    for text, count in counted.most_common():
        parameter = from_json(text)
        if count >= OFTEN:
            shared.setdefault(component_name(parameter["name"]), parameter)
    for operation in operations:
        operation["parameters"] = [reference_or_self(parameter, shared) for parameter in operation["parameters"]]
    return dict(sorted(shared.items()))


def component_name(parameter: str) -> str:
    """Return a parameter's name in upper camel case."""
    return "".join(word[:1].upper() + word[1:] for word in parameter.replace("-", "_").split("_"))


def reference_or_self(parameter: Document, shared: Document) -> Document:
    name = component_name(parameter["name"])
    return {"$ref": f"#/components/parameters/{name}"} if shared.get(name) == parameter else parameter


def without_false(part: Any) -> Any:
    """Remove `deprecated` and `required` where they are false, as by default."""
    match part:
        case dict():
            return {name: without_false(each) for name, each in part.items() if not is_default(name, each)}
        case list():
            return [without_false(each) for each in part]
        case _:
            return part


def is_default(name: str, value: Any) -> bool:
    return name in ("deprecated", "required") and value is False

"""Typed decoding of JSON from the server.

Fields that a newer server has added are skipped; objects of unknown types become Unknown.
"""

from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, TypeVar

import msgspec

from ludarium_client import bodies
from ludarium_client.problems import Garbled

T = TypeVar("T")

TAGS = {
    kind.__struct_config__.tag
    for kind in vars(bodies).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.tag
} | {"reset"}
_one_thread = Lock()
encode: Callable[[Any], bytes] = msgspec.json.Encoder().encode


def decode(content: bytes | str, kind: Any) -> Any:
    """Decode JSON as a value of this type.

    Raises:
        Garbled: it is not JSON of this type, or nested too deeply.
    """
    try:
        return strictly(content, kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Garbled(f"what came is not Ludarium's: {error}") from error


def strictly(content: bytes | str, kind: Any) -> Any:
    try:
        return decoder(kind).decode(content)
    except msgspec.ValidationError:
        return msgspec.convert(softened(msgspec.json.decode(content)), kind)


@cache
def decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a type.

    Only one thread at a time makes one: msgspec may crash if two threads inspect the same type for the first time.
    """
    with _one_thread:
        return msgspec.json.Decoder(kind)


def softened(value: Any) -> Any:
    """Return the value with every object of an unknown type wrapped as Unknown."""
    match value:
        case {"type": str(tag)} if tag not in TAGS and not tag.startswith("urn:"):
            return {"type": "?", "seq": value.get("seq", -1), "was": value}
        case dict():
            return {name: softened(each) for name, each in value.items()}
        case list():
            return [softened(each) for each in value]
        case _:
            return value

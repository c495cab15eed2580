"""JSON from the server, typed. What a newer server has added is skipped, or stands as Unknown."""

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
    """Raises Garbled if it is not JSON of this kind, or nested as no server of ours would."""
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
    """Make it while no other thread does: two that describe the same type to msgspec for the first time may crash."""
    with _one_thread:
        return msgspec.json.Decoder(kind)


def softened(value: Any) -> Any:
    """The same, with every object of a type that we do not know wrapped as Unknown."""
    match value:
        case {"type": str(tag)} if tag not in TAGS and not tag.startswith("urn:"):
            return {"type": "?", "seq": value.get("seq", -1), "was": value}
        case dict():
            return {name: softened(each) for name, each in value.items()}
        case list():
            return [softened(each) for each in value]
        case _:
            return value

"""Decode bytes and plain values to types. Nothing else in Ludarium calls msgspec for this; the linter checks it.

msgspec describes a type in tables, which it fills when the type is first decoded. If a second thread decodes the type at
that moment, it reads tables that are half filled, and the interpreter crashes. A decoder made here has full tables, those of
nested types included. One thread at a time fills tables, so titles that are loaded late are safe as well.

Make decoders at the top of a module. Modules are imported by the main thread before any other thread starts.

See docs/decisions/087.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from threading import Lock
from typing import Any, TypeVar, overload

import msgspec

T = TypeVar("T")
_FILLING = Lock()
_PREPARED: dict[Any, None] = {}


@overload
def json_decoder(kind: type[T]) -> Callable[[bytes | str | msgspec.Raw], T]: ...
@overload
def json_decoder(kind: Any) -> Callable[[bytes | str | msgspec.Raw], Any]: ...
def json_decoder(kind: Any) -> Callable[[bytes | str | msgspec.Raw], Any]:
    """Return the function that decodes JSON to the type. It raises msgspec.DecodeError."""
    return _json_decoder(kind)


@overload
def msgpack_decoder(kind: type[T]) -> Callable[[bytes | msgspec.Raw], T]: ...
@overload
def msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]: ...
def msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]:
    """Return the function that decodes MessagePack to the type. It raises msgspec.DecodeError."""
    return _msgpack_decoder(kind)


def converter(kind: type[T], **settings: Any) -> Callable[[Any], T]:
    """Return the function that converts plain values to the type. It raises msgspec.ValidationError.

    Args:
        kind: the type.
        settings: those of `msgspec.convert`, for example `strict=False`.
    """
    msgpack_decoder(kind)
    return partial(msgspec.convert, type=kind, **settings)


def from_json(data: bytes | str) -> Any:
    """Decode JSON to dicts, lists, strings, numbers and None. Raises msgspec.DecodeError."""
    return msgspec.json.decode(data)


def from_msgpack(data: bytes) -> Any:
    """Decode MessagePack to dicts, lists, strings, bytes, numbers and None. Raises msgspec.DecodeError."""
    return msgspec.msgpack.decode(data)


def prepared_types() -> list[Any]:
    """Return the types that have decoders, in the order in which these were made."""
    return [*_PREPARED]


@cache
def _json_decoder(kind: Any) -> Callable[[bytes | str | msgspec.Raw], Any]:
    _msgpack_decoder(kind)
    return msgspec.json.Decoder(kind).decode


@cache
def _msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]:
    """Fill the type's tables, which all formats share."""
    with _FILLING:
        decode = msgspec.msgpack.Decoder(kind).decode
        _PREPARED[kind] = None
    return decode

"""Decode bytes and plain values to types.

No other module may call msgspec for this; the linter checks it.

msgspec fills internal tables about a type when it first decodes the type. If a second thread decodes the type at that moment,
it reads incomplete tables and the interpreter crashes. Decoders created here have complete tables, including those of nested
types. A lock lets one thread at a time fill tables, so titles that are loaded late are safe as well.

Create decoders at the top of a module: the main thread imports modules before it starts other threads.

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
    """Return a function that decodes JSON to the type.

    It raises msgspec.DecodeError for invalid input.
    """
    return _json_decoder(kind)


@overload
def msgpack_decoder(kind: type[T]) -> Callable[[bytes | msgspec.Raw], T]: ...
@overload
def msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]: ...
def msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]:
    """Return a function that decodes MessagePack to the type.

    It raises msgspec.DecodeError for invalid input.
    """
    return _msgpack_decoder(kind)


def converter(kind: type[T], **settings: Any) -> Callable[[Any], T]:
    """Return a function that converts plain values to the type.

    It raises msgspec.ValidationError for invalid input.

    Args:
        kind: the type.
        settings: keyword arguments of `msgspec.convert`, for example `strict=False`.
    """
    msgpack_decoder(kind)
    return partial(msgspec.convert, type=kind, **settings)


def from_json(data: bytes | str) -> Any:
    """Decode JSON to plain Python values.

    Raises:
        msgspec.DecodeError: the input is not JSON.
    """
    return msgspec.json.decode(data)


def from_msgpack(data: bytes) -> Any:
    """Decode MessagePack to plain Python values.

    Raises:
        msgspec.DecodeError: the input is not MessagePack.
    """
    return msgspec.msgpack.decode(data)


def prepared_types() -> list[Any]:
    """Return the types that have decoders, in order of creation."""
    return [*_PREPARED]


@cache
def _json_decoder(kind: Any) -> Callable[[bytes | str | msgspec.Raw], Any]:
    _msgpack_decoder(kind)
    return msgspec.json.Decoder(kind).decode


@cache
def _msgpack_decoder(kind: Any) -> Callable[[bytes | msgspec.Raw], Any]:
    """Create a decoder under the lock.

    This fills the type's tables, which all formats share.
    """
    with _FILLING:
        decode = msgspec.msgpack.Decoder(kind).decode
        _PREPARED[kind] = None
    return decode

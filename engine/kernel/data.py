"""The data file of a title, and what is wrong with one that shall replace it.

A title's modules keep their tables of cards at the top, made from the file when they are imported; `engine.install` and
`engine.provide` import them once more for another file.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.resources import files
from typing import Any, TypeVar

import msgspec

from engine.kernel.title import Flaw, Options, Ruling

D = TypeVar("D")
_instead: ContextVar[bytes | None] = ContextVar("instead", default=None)


def data_of(package: str) -> bytes:
    """What the title is made from: its own file, or the one that replaces it while it is imported again."""
    instead = _instead.get()
    return shipped(package) if instead is None else instead


def shipped(package: str) -> bytes:
    return (files(package) / "data.json").read_bytes()


@contextmanager
def replaced_by(data: bytes) -> Iterator[None]:
    """Titles that are imported within are made from these data."""
    token = _instead.set(data)
    try:
        yield
    finally:
        _instead.reset(token)


# --- what is wrong ------------------------------------------------------------------------------------------------------
def flaws(data: bytes, kind: type[D], wrong: Callable[[D], Iterable[Flaw]]) -> list[Flaw]:
    """Everything that is wrong with a data file of this kind; nothing if it can be played."""
    try:
        found = msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        return [located("", error)]
    return [*wrong(found)]


def located(at: str, error: Exception) -> Flaw:
    """msgspec ends its messages with ` - at `$.spaces[3].x``; a pointer is /spaces/3/x."""
    detail, _, path = str(error).partition(" - at `$")
    return Flaw(at + path.rstrip("`").replace("[", "/").replace("]", "").replace(".", "/"), detail)


def repeated(at: str, ids: Sequence[str]) -> Iterator[Flaw]:
    """Ids of rows under `at` that stand there more than once."""
    seen = Counter(ids)
    for i, name in enumerate(ids):
        if seen[name] > 1:
            yield Flaw(f"{at}/{i}/id", f"{name} stands here {seen[name]} times")


def nameless(at: str, *names: Mapping[str, str]) -> Iterator[Flaw]:
    """at: where the rows stand whose names these are; empty for the title's own name."""
    for i, name in enumerate(names):
        if not name.get("en"):
            yield Flaw(f"{at}/{i}/name" if at else "/name", "there is no English name")


def rulings_wrong(rulings: Sequence[Ruling], options: type[Options]) -> Iterator[Flaw]:
    yield from repeated("/rulings", [ruling.id for ruling in rulings])
    for i, ruling in enumerate(rulings):
        if ruling.option is not None and ruling.option not in options.__struct_fields__:
            yield Flaw(f"/rulings/{i}/option", f"there is no option {ruling.option}")


def unlike(at: str, row: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[Flaw]:
    """Where a row has not the fields, of the same types, that the rules read in ours."""
    for key in sorted(ours.keys() - row.keys()):
        yield Flaw(at, f"{key} is missing")
    for key, value in row.items():
        if key not in ours:
            yield Flaw(f"{at}/{key}", "the rules know no such field")
        elif type(value) is not type(ours[key]):
            yield Flaw(f"{at}/{key}", f"is {kind_of(value)}, not {kind_of(ours[key])}")


def kind_of(value: Any) -> str:
    """Of a JSON value."""
    names = {bool: "a truth value", int: "a whole number", float: "a number", str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "nothing")

"""The titles: those that are shipped, and the same with other data."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ludarium_engine.data_errors import data_problems
from ludarium_engine.kernel.folder import import_with_data
from ludarium_engine.kernel.published import document_hash
from ludarium_engine.kernel.title import DataProblem, Title
from ludarium_engine.title_packages import title_packages

AnyTitle = Title[Any, Any]


def titles() -> Mapping[str, AnyTitle]:
    """Every title by its id, with the data that new games start with."""
    return MappingProxyType(current())


def title_of(title_id: str, data_hash: bytes) -> AnyTitle:
    """The title with the data of this hash; with those of new games where nobody has provided these."""
    return known().get((title_id, data_hash), current()[title_id])


def provided(title_id: str, data_hash: bytes) -> bool:
    return (title_id, data_hash) in known()


def provide(title_id: str, data: bytes) -> AnyTitle:
    """Have the title with these data as well: games that began with them go on. Raises Unfit."""
    key = title_id, document_hash(data)
    if key not in known():
        known()[key] = made_from(title_id, data)
    return known()[key]


def made_from(title_id: str, data: bytes) -> AnyTitle:
    """The title with these data. Raises Unfit."""
    title = shipped_titles()[title_id]
    if unfit := [flaw for flaw in data_problems(title, data) if not flaw.remark]:
        raise Unfit(unfit)
    try:
        made: AnyTitle = import_with_data(title.package, data).TITLE
    except Exception as error:                  # the rules make of data what they like: each error speaks of the data
        raise Unfit([DataProblem("", f"{type(error).__name__}: {error}")]) from error
    return made


class Unfit(Exception):
    """There is no title with these data."""

    def __init__(self, flaws: Sequence[DataProblem]) -> None:
        super().__init__(f"{flaws[0].pointer or 'the file'}: {flaws[0].detail}")
        self.problems = flaws


def install(title_id: str, data: bytes) -> None:
    """New games start with these data. Raises Unfit."""
    current()[title_id] = provide(title_id, data)


@cache
def shipped_titles() -> Mapping[str, AnyTitle]:
    """Return the TITLE of every package by its id."""
    return {title_id: import_module(package).TITLE for title_id, package in title_packages().items()}


@cache
def current() -> dict[str, AnyTitle]:
    return {**shipped_titles()}


@cache
def known() -> dict[tuple[str, bytes], AnyTitle]:
    """By the hash of their data."""
    return {(title.id, title.data_hash): title for title in shipped_titles().values()}

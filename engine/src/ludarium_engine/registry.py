"""Find the installed titles, and provide them with other data files."""
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
    """Return all titles, keyed by id, each with the data file that new games use."""
    return MappingProxyType(current())


def title_of(title_id: str, data_hash: bytes) -> AnyTitle:
    """Return the title whose data file has this hash.

    If the registry has no such title, return the one for new games.
    """
    return known().get((title_id, data_hash), current()[title_id])


def provided(title_id: str, data_hash: bytes) -> bool:
    """Return whether the registry has the title with this data file hash."""
    return (title_id, data_hash) in known()


def provide(title_id: str, data: bytes) -> AnyTitle:
    """Add a title with another data file, so that games started with it can continue.

    Raises:
        Unfit: the data file has errors.
    """
    key = title_id, document_hash(data)
    if key not in known():
        known()[key] = made_from(title_id, data)
    return known()[key]


def made_from(title_id: str, data: bytes) -> AnyTitle:
    """Create a title from a data file.

    Raises:
        Unfit: the data file has errors.
    """
    title = shipped_titles()[title_id]
    if unfit := [flaw for flaw in data_problems(title, data) if not flaw.remark]:
        raise Unfit(unfit)
    try:
        made: AnyTitle = import_with_data(title.package, data).TITLE
    except Exception as error:                  # a title's modules may fail in any way on bad data
        raise Unfit([DataProblem("", f"{type(error).__name__}: {error}")]) from error
    return made


class Unfit(Exception):
    """A data file is invalid, so no title can be created from it."""

    def __init__(self, flaws: Sequence[DataProblem]) -> None:
        """Create the exception with a message about the first error."""
        super().__init__(f"{flaws[0].pointer or 'the file'}: {flaws[0].detail}")
        self.problems = flaws


def install(title_id: str, data: bytes) -> None:
    """Use a data file for new games.

    Raises:
        Unfit: the data file has errors.
    """
    current()[title_id] = provide(title_id, data)


@cache
def shipped_titles() -> Mapping[str, AnyTitle]:
    """Return the installed titles with their own data files, keyed by id."""
    return {title_id: import_module(package).TITLE for title_id, package in title_packages().items()}


@cache
def current() -> dict[str, AnyTitle]:
    """Return the titles for new games, keyed by id; `install` changes this dict."""
    return {**shipped_titles()}


@cache
def known() -> dict[tuple[str, bytes], AnyTitle]:
    """Return all titles, keyed by id and data file hash; `provide` changes this dict."""
    return {(title.id, title.data_hash): title for title in shipped_titles().values()}

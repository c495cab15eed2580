"""Documents that events name by hash.

Documents are a title's data, a title's layout, and a game's initial zones. A process loads each document once, before
it folds an event that names the document. If a document is missing or altered, only the tables whose events name it
cannot be read.
"""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from ludarium.tables.model import data
from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, is_command
from ludarium.tables.model.events import AnyTitle, GameStarted, NamesRules, TableOpened
from ludarium_engine import registry
from ludarium_engine.kernel import State
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.published import document_hash, migrate_agenda, read_layout, zones_document

Document = Callable[[bytes], Awaitable[bytes | None]]
T = TypeVar("T")
_layouts: dict[bytes, tuple[bytes, Layout]] = {}
_zones: dict[bytes, bytes] = {}


class NoDocument(Exception):
    """A document that an event names is missing."""


# --- documents of stored events ---------------------------------------------------------------------------------------
def layout(hash_: bytes) -> Layout:
    """Return the layout with this hash. Raises NoDocument."""
    return found(_layouts.get(hash_), "layout", hash_)[1]


def layout_document(hash_: bytes) -> bytes:
    """Return the bytes of the layout with this hash. Raises NoDocument."""
    return found(_layouts.get(hash_), "layout", hash_)[0]


def zones(hash_: bytes) -> bytes:
    """Return the initial zones with this hash, as bytes. Raises NoDocument."""
    return found(_zones.get(hash_), "zones", hash_)


def found(document: T | None, what: str, hash_: bytes) -> T:
    if document is None:
        raise NoDocument(f"the {what} document {hash_.hex()[:8]}, which it names, is missing or altered")
    return document


async def provide(document: Document, ruleset: str, events: Iterable[AnyEvent | UnreadEvent]) -> None:
    """Load those documents of these events that exist."""
    for event in events:
        if isinstance(event, NamesRules):
            await data.provide(document, ruleset, event.data)
            await load(document, _layouts, event.layout, kept_layout)
        if isinstance(event, GameStarted):
            await load(document, _zones, event.zones, bytes)


async def provide_for(document: Document, events: Sequence[AnyEvent | UnreadEvent]) -> None:
    """Load the documents of a whole log."""
    opened = events[0] if events else None
    if isinstance(opened, TableOpened) and opened.ruleset in registry.titles():
        await provide(document, opened.ruleset, events)


async def provide_layouts(document: Document, hashes: Iterable[bytes]) -> None:
    for hash_ in hashes:
        await load(document, _layouts, hash_, kept_layout)


async def load(document: Document, known: dict[bytes, T], hash_: bytes, read: Callable[[bytes], T]) -> None:
    """Load a document, unless it is loaded already.

    An unreadable document is skipped; folding an event that names it then raises an error.
    """
    if hash_ in known:
        return
    stored = await document(hash_)
    if stored is not None and document_hash(stored) == hash_:
        try:
            known[hash_] = read(stored)
        except (msgspec.MsgspecError, LookupError):
            return


def kept_layout(document: bytes) -> tuple[bytes, Layout]:
    return document, read_layout(document)


def keep(layouts: Iterable[bytes], zones: Iterable[bytes]) -> None:
    """Add the documents of a record.

    Since documents are identified by their hashes, none is replaced.
    """
    for document in layouts:
        with suppress(msgspec.MsgspecError, LookupError):
            known(_layouts, document, kept_layout)
    for document in zones:
        known(_zones, document, bytes)


# --- documents of new games -------------------------------------------------------------------------------------------
def of_game(title: AnyTitle, blank: State) -> tuple[bytes, bytes, bytes]:
    """Return the hashes of a new game's data, layout and initial zones."""
    return *of_rules(title), known(_zones, zones_document(blank), bytes)


def of_rules(title: AnyTitle) -> tuple[bytes, bytes]:
    """Return the hashes of a title's data and layout."""
    return title.data_hash, known(_layouts, title.layout_document, kept_layout)


def known(cache: dict[bytes, T], document: bytes, read: Callable[[bytes], T]) -> bytes:
    hash_ = document_hash(document)
    if hash_ not in cache:
        cache[hash_] = read(document)
    return hash_


def named_by(title: AnyTitle, event: AnyEvent) -> Iterator[bytes]:
    """Yield the documents that must be stored before the event is appended."""
    if is_command(event):
        return
    if isinstance(event, NamesRules):
        yield from (title.data, title.layout_document)
    if isinstance(event, GameStarted):
        yield zones(event.zones)


# --- layouts of tables ------------------------------------------------------------------------------------------------
def under_layout(title: AnyTitle, state: State, before: bytes, after: bytes) -> State:
    """Convert a state from one layout, by its hash, to another.

    Raises LookupError, NoDocument.
    """
    if before == after:
        return state
    old, new = (layout_of(title, hash_) for hash_ in (before, after))
    return replace(state, agenda=migrate_agenda(state.agenda, old, new))


def layout_of(title: AnyTitle, hash_: bytes) -> Layout:
    """Return the title's or a document's layout. Raises NoDocument."""
    return title.layout if hash_ == title.layout_hash else layout(hash_)


@lru_cache(maxsize=256)
def stricter_layout(title: AnyTitle, hash_: bytes) -> Layout:
    """Return the title's layout, without what the layout of this hash hides.

    Raises NoDocument.
    """
    return title.layout if hash_ == title.layout_hash else title.layout.intersection(layout(hash_))

"""Make, check and fold the hash chain of a tournament's stream."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import Damaged, EventHeader, NewerRelease, commitment, link
from ludarium.tournaments.event_types import TOURNAMENT_NUMBERS, AnyTournamentEvent, decode, encode
from ludarium.tournaments.events import TournamentOpened
from ludarium.tournaments.fold import apply_event
from ludarium.tournaments.state import SALT, TournamentState
from ludarium_eventstore import NewEvent, StoredEvent, chain


def chain_events(state: TournamentState, rows: Sequence[AnyTournamentEvent], at: datetime) -> list[NewEvent]:
    made: list[NewEvent] = []
    prev = state.hash
    for version, row in enumerate(rows, state.version + 1):
        data, place = encode(row), EventHeader(version, *TOURNAMENT_NUMBERS[type(row)], at)
        root = root_of(version, data)
        prev = link(SALT, prev, place, chain.NO_LAYOUT, data, root)
        made.append(NewEvent(place.type, place.schema, at, data, root, prev))
    return made


def as_stored(stream: UUID, version: int, event: NewEvent) -> StoredEvent:
    return StoredEvent(
        position=0, stream=stream, version=version, type=event.type, schema=event.schema, at=event.at, data=event.data,
        root=event.root, hash=event.hash, secret=None,
    )  # fmt: skip


def root_of(version: int, data: bytes) -> bytes:
    return chain.root([chain.salted_leaf(SALT, version, chain.SPECTATORS, data)])


def fold_events(stream: UUID, rows: Sequence[StoredEvent]) -> TournamentState:
    """Fold a tournament as far as this release can read it.

    Raises Damaged, NewerRelease.
    """
    state = initial_state(stream, rows[0])
    for row in rows:
        apply_stored(state, row)
    return state


def initial_state(stream: UUID, first: StoredEvent, *, keyed: bool = True) -> TournamentState:
    """Return the state before the first event.

    Args:
        keyed: whether its key is available.

    Raises:
        Damaged, NewerRelease
    """
    row, key = decode(first.type, first.schema, first.data), first.secret or b""
    if isinstance(row, UnreadEvent):
        raise NewerRelease(f"tournament {stream}: {row.why}")
    if not isinstance(row, TournamentOpened) or (keyed and commitment(key) != row.commitment):
        raise Damaged(stream, 0, "it does not open a tournament with the key that it is committed to")
    try:
        return TournamentState(stream, row, key)
    except msgspec.ValidationError as error:
        raise NewerRelease(f"tournament {stream}: {error}") from error


def apply_stored(state: TournamentState, event: StoredEvent) -> None:
    """Apply an event. Raises Damaged if it does not follow."""
    if state.newer is not None:
        return
    root = root_of(event.version, event.data)
    if event.root != root or link(SALT, state.hash, event, chain.NO_LAYOUT, event.data, root) != event.hash:
        raise Damaged(state.stream, event.version, "it does not fit its hash")
    apply_event(state, event, decode(event.type, event.schema, event.data))

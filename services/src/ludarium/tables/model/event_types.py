"""Type and schema numbers of a table's events, and their encoding."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard, TypeVar, cast

import msgspec
from msgspec.structs import astuple

from ludarium.tables.model.events import (
    NOTES,
    Acted,
    AnyTitle,
    BranchStarted,
    GameStarted,
    Left,
    LogCut,
    OpenedFor,
    RatingVoided,
    RulesChanged,
    Seated,
    SeatedBot,
    SeatedBy,
    SeedsRevealed,
    TableEnded,
    TableEvent,
    TableOpened,
    TimedAct,
    TimedOut,
    TimedStart,
    TimedUndo,
    Undone,
)
from ludarium.tables.model.lifecycle_events import (
    AllPoliciesSet,
    Arrived,
    Consent,
    HandedOver,
    LatestPoliciesSet,
    PoliciesSet,
    Ready,
    Replaced,
    Reserved,
    Retired,
    Returned,
    StoodIn,
    TakenOver,
    TimeGiven,
)
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_engine.kernel.layout import Layout

E = TypeVar("E")


class UnreadEvent(msgspec.Struct, frozen=True):
    """An event that this release cannot read.

    It is a note of an unknown type, an event of a newer release, or damaged. This struct is never written.
    """

    type: int
    schema: int
    why: str
    layout: bytes | None = None                 # the layout it names; every schema of such an event has it in the third field

    @property
    def is_note(self) -> bool:
        return self.type >= NOTES

    def seen(self, layout: Layout, audience: int) -> UnreadEvent:
        return self

    def under(self, before: bytes) -> bytes:
        return before if self.layout is None else self.layout

    def is_ahead(self, title: AnyTitle) -> bool:
        return not self.is_note


AnyEvent = (
    TableOpened | OpenedFor | Seated | SeatedBy | SeatedBot | Left | GameStarted | TimedStart | BranchStarted | Acted | TimedAct
    | Undone | TimedUndo | TableEnded | RulesChanged | SeedsRevealed | PoliciesSet | AllPoliciesSet | LatestPoliciesSet
    | HandedOver | Reserved | Ready | Retired | StoodIn | Returned | Replaced | Consent | TimeGiven | TimedOut | TakenOver
    | Arrived | LogCut | RatingVoided
)  # fmt: skip
KINDS: dict[tuple[int, int], type[AnyEvent]] = {
    (1, 1): TableOpened,
    (1, 2): OpenedFor,
    (2, 1): Seated,
    (2, 2): SeatedBy,
    (2, 3): SeatedBot,
    (3, 1): Left,
    (4, 1): GameStarted,
    (4, 2): TimedStart,
    (4, 3): BranchStarted,
    (5, 1): Acted,
    (5, 2): TimedAct,
    (6, 1): Undone,
    (6, 2): TimedUndo,
    (7, 2): TableEnded,
    (8, 1): RulesChanged,
    (10, 1): SeedsRevealed,
    (11, 1): PoliciesSet,
    (11, 2): AllPoliciesSet,
    (11, 3): LatestPoliciesSet,
    (12, 1): HandedOver,
    (13, 1): Reserved,
    (14, 1): Ready,
    (15, 1): Retired,
    (16, 1): StoodIn,
    (17, 1): Returned,
    (18, 1): Consent,
    (19, 1): TimeGiven,
    (21, 1): TimedOut,
    (22, 1): Replaced,
    (23, 1): TakenOver,
    (24, 1): Arrived,
    (128, 1): LogCut,
    (129, 1): RatingVoided,
}
"""Every struct that the log can contain, by type and schema number."""
NUMBERS = {kind: numbers for numbers, kind in KINDS.items()}
"""Type and schema number by struct."""
NAMES = {
    1: "table_opened",
    2: "seated",
    3: "left",
    4: "game_started",
    5: "acted",
    6: "undone",
    7: "game_ended",
    8: "rules_changed",
    10: "seeds_revealed",
    11: "policies",
    12: "handed_over",
    13: "reserved",
    14: "ready",
    15: "retired",
    16: "stood_in",
    17: "returned",
    18: "consent",
    19: "time_given",
    21: "timed_out",
    22: "replaced",
    23: "taken_over",
    24: "arrived",
    128: "log_cut",
    129: "rating_voided",
}
TABLE = frozenset(NAMES)
"""The type numbers of tables' events; other kinds of streams use different numbers. Every table begins with table_opened."""
_encode = msgspec.msgpack.Encoder().encode
_fields = msgpack_decoder(list[Any])
DECODERS = {numbers: msgpack_decoder(kind) for numbers, kind in KINDS.items()}


def kinds_of(*wanted: type[TableEvent]) -> frozenset[type[TableEvent]]:
    """Return these kinds of events and all their subclasses.

    The result allows `type(event) in kinds`; `isinstance` is several times slower for a struct that does not match.
    """
    return frozenset(kind for kind in KINDS.values() if issubclass(kind, wanted))


COMMANDS, UNDOS = kinds_of(Acted), kinds_of(Undone)


MovesClocks = TableEnded | StoodIn | Returned | Replaced | Consent | TimeGiven
MOVE_CLOCKS = kinds_of(TableEnded, StoodIn, Returned, Replaced, Consent, TimeGiven)
"""Kinds of events that change a table's clocks but have no tick. The last field of each is `outage`."""


def encode(event: AnyEvent | UnreadEvent) -> bytes:
    """Encode an event, leaving out an `outage` of 0."""
    if type(event) in MOVE_CLOCKS and not cast(MovesClocks, event).outage:
        return _encode(astuple(event)[:-1])
    return _encode(event)


def is_command(event: object) -> TypeGuard[Acted]:
    return type(event) in COMMANDS


def type_of(kind: type[AnyEvent]) -> int:
    """Return the type number of a kind."""
    return NUMBERS[kind][0]


NAMING = (type_of(GameStarted), type_of(RulesChanged))
"""The types of events that name a version of the rules and the documents that belong to it."""


def decode(type_: int, schema: int, data: bytes) -> AnyEvent | UnreadEvent:
    """Decode an event of a table."""
    return decode_by(DECODERS, type_, schema, data)


def decode_by(
    decoders: Mapping[tuple[int, int], Callable[[bytes], E]], type_: int, schema: int, data: bytes
) -> E | UnreadEvent:
    """Decode a stored event of any kind of stream.

    Args:
        decoders: the decoders of the stream's events, by type and schema number.

    Returns:
        UnreadEvent if this release cannot decode the event. The event's hash shows whether it is damaged or comes from
            a newer release.
    """
    decode_event = decoders.get((type_, schema))
    if decode_event is None:
        return UnreadEvent(type_, schema, "its type or schema is not known here", layout_in(type_, data))
    try:
        return decode_event(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return UnreadEvent(type_, schema, str(error), layout_in(type_, data))


def layout_in(type_: int, data: bytes) -> bytes | None:
    """Return the hash of the layout that an unreadable event names.

    Returns:
        None for types of events that name no layout.
    """
    if type_ not in NAMING:
        return None
    try:
        found = _fields(data)[2]
    except (msgspec.MsgspecError, UnicodeDecodeError, IndexError):
        return b""                              # fits no link
    return found if isinstance(found, bytes) else b""

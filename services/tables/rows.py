"""The rows of a table's stream: what each kind stores, and what of it each audience may see.

A row is stored whole, as a msgpack array. Type numbers and the order of fields are a published format: numbers are
never used again, fields are only appended, a change of meaning takes a new schema number and an upcaster in `decode`.
"""
from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from engine.kernel import NOT_YOURS, SPECTATOR, UNKNOWN, Action, Event, Title, facts_for
from engine.kernel.facts import AnyFact

SCHEMA = 1
AnyTitle = Title[Any, Any]
SEALED = b""                                    # stands for bytes that the audience may not know
Visibility = Literal["public", "private"]
UndoPolicy = Literal["free", "none"]


class Row(msgspec.Struct, array_like=True, frozen=True):
    """Seen by everybody as it is, unless a kind says otherwise."""

    def seen(self, title: AnyTitle, audience: int) -> AnyRow:
        return self  # type: ignore[return-value]


class TableOpened(Row, frozen=True):
    """The first row. commitment is BLAKE2b-256 of the secret seed, which game_ended reveals."""

    ruleset: str
    options: dict[str, Any]
    seats: int
    visibility: Visibility
    undo: UndoPolicy
    creator: str
    commitment: bytes
    seed: bytes

    def seen(self, title: AnyTitle, audience: int) -> AnyRow:
        return replace(self, seed=SEALED)


class Seated(Row, frozen=True):
    """A player or a bot takes a seat; nonce is what the seat adds to the chance of the game."""

    seat: int
    player: str | None
    bot: str | None
    nonce: bytes = b""


class Left(Row, frozen=True):
    seat: int


class GameStarted(Row, frozen=True):
    """version: of the rules; data: the hash of the title's data, which is stored once by it."""

    version: str
    data: bytes
    facts: list[AnyFact]

    def seen(self, title: AnyTitle, audience: int) -> AnyRow:
        return replace(self, facts=facts_for(title, self.event, audience).facts)

    @property
    def event(self) -> Event:
        return Event(SPECTATOR, Action("new"), self.facts)


class Acted(Row, frozen=True):
    """One accepted command of a seat, whole: what follows by itself is facts of the same row."""

    seat: int
    action: Action
    facts: list[AnyFact]

    def seen(self, title: AnyTitle, audience: int) -> AnyRow:
        event = facts_for(title, self.event, audience)
        return Acted(event.seat, event.action, event.facts)

    @property
    def event(self) -> Event:
        return Event(self.seat, self.action, self.facts)

    @property
    def hidden(self) -> bool:
        """Whether this, as some audience sees it, shows nothing at all."""
        return self.seat == UNKNOWN and self.action == NOT_YOURS and not self.facts


class Undone(Row, frozen=True):
    """A seat took back its latest commands: the game stands again as after version `to`."""

    seat: int
    to: int


class GameEnded(Row, frozen=True):
    """outcome: the place of each seat, None if the game was given up; seed: the reveal."""

    reason: Literal["finished"]
    outcome: list[int]
    seed: bytes


class RulesChanged(Row, frozen=True):
    """The game goes on under another version of the rules."""

    version: str
    data: bytes


class SpectatorsDelayed(Row, frozen=True):
    """Spectators see the game so many events and seconds late, whichever is more. Comes right behind the opening."""

    events: int
    seconds: int


AnyRow = (
    TableOpened | Seated | Left | GameStarted | Acted | Undone | GameEnded | RulesChanged | SpectatorsDelayed
)
TYPES: dict[int, type[AnyRow]] = {
    1: TableOpened,
    2: Seated,
    3: Left,
    4: GameStarted,
    5: Acted,
    6: Undone,
    7: GameEnded,
    8: RulesChanged,
    9: SpectatorsDelayed,
}
NUMBERS = {kind: number for number, kind in TYPES.items()}
NAMES = {
    1: "table_opened",
    2: "seated",
    3: "left",
    4: "game_started",
    5: "acted",
    6: "undone",
    7: "game_ended",
    8: "rules_changed",
    9: "spectators_delayed",
}
encode = msgspec.msgpack.Encoder().encode
DECODERS = {number: msgspec.msgpack.Decoder(kind) for number, kind in TYPES.items()}


class UnknownRow(Exception):
    """A type, schema or payload that this version of the code does not know."""


def decode(type_: int, schema: int, data: bytes) -> AnyRow:
    """Raises UnknownRow."""
    if type_ not in DECODERS or schema != SCHEMA:
        raise UnknownRow(f"type {type_}, schema {schema}")
    try:
        return DECODERS[type_].decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnknownRow(str(error)) from error

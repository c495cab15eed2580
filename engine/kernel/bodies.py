"""What the API sends of a game: views, choices and facts in words. Plain Structs, so JSON and JSON Schema follow."""
from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType


class Piece(msgspec.Struct, frozen=True):
    """Something that an action touches or a sentence names.

    kind says what value is: a card's id, a seat, a number, a message id, (of a slot) an index into `zone`, or the ids of
    cards, of which each that the viewer does not see is -1.
    """

    kind: Literal["card", "seat", "number", "text", "slot", "cards"]
    value: int | str | list[int]
    zone: str | UnsetType = UNSET


class Message(msgspec.Struct, frozen=True):
    """A message id of the ruleset's texts, and what stands for {0}, {1}, ..."""

    id: str
    params: list[Piece] = []


class Subset(msgspec.Struct, frozen=True):
    """Choose distinct pieces of pool whose worth (1 each if worth is empty) adds up to least..most."""

    kind: str
    pool: list[int]
    worth: list[int]
    least: int
    most: int


class OfferBody(msgspec.Struct, frozen=True):
    """One thing that the seat may do; it is sent back by its id, with a subset where there is one."""

    id: str
    verb: str
    args: list[int]
    label: Message
    touches: list[Piece]
    subset: Subset | None = None


class ChoiceBody(msgspec.Struct, frozen=True):
    """What a seat is asked.

    passes: of a window, the names under which it may always be passed: `window`, `window:<kind>` for cards of the kind that
    it is about, and each with `@turn` at the end if only until the turn passes.
    """

    prompt: Message
    offers: list[OfferBody]
    passes: list[str] = []


class FrameBody(msgspec.Struct, frozen=True):
    """A script that is under way, the last one on top; only picks that everybody may see.

    asked: who owes an answer. answered: who has given one that shows when all have.
    """

    script: str
    seat: int
    asked: list[int]
    picks: dict[str, int]
    answered: list[int] = []


class Side(msgspec.Struct, frozen=True):
    """One of two that meet: a seat, how many (units, cards) stand for it, and its cards that everybody sees."""

    seat: int
    number: int
    cards: tuple[int, ...]


class Focus(msgspec.Struct, frozen=True):
    """What a question is about: pieces to bring before the eye, the foremost first.

    sides: of a battle, the attacker first.
    """

    pieces: list[Piece]
    sides: list[Side] = []


class ViewBody(msgspec.Struct, frozen=True):
    """A game as an audience sees it. In zones, -1 is a card or number that the audience may not know.

    scores: when the game is over and points decided it, by seat: message ids and the points that each brought.
    focus: what is asked now is about this; null where it is about nothing in particular.
    """

    turn: int
    outcome: list[int] | None
    asked: list[int]
    agenda: list[FrameBody]
    zones: dict[str, Any]
    always_passes: list[str] = []
    scores: list[dict[str, int]] = []
    focus: Focus | None = None


class SlotBody(msgspec.Struct, frozen=True):
    """index: of its entry, where a zone has several."""

    zone: str
    index: int | UnsetType = UNSET


class MovedBody(msgspec.Struct, frozen=True, tag="moved"):
    cards: list[int]
    src: SlotBody
    dst: SlotBody


class UncoveredBody(msgspec.Struct, frozen=True, tag="uncovered"):
    card: int
    slot: SlotBody


class CountedBody(msgspec.Struct, frozen=True, tag="counted"):
    slot: SlotBody
    by: int


class BecameBody(msgspec.Struct, frozen=True, tag="became"):
    slot: SlotBody
    value: int | bool | list[int]


class RolledBody(msgspec.Struct, frozen=True, tag="rolled"):
    slot: SlotBody
    value: int
    among: list[int]


class ShuffledBody(msgspec.Struct, frozen=True, tag="shuffled"):
    slot: SlotBody


class RevealedBody(msgspec.Struct, frozen=True, tag="revealed"):
    cards: list[int]
    slot: SlotBody
    to: list[int] | None


class ToldBody(msgspec.Struct, frozen=True, tag="told"):
    message: Message
    to: list[int] | None


class UnsealedBody(msgspec.Struct, frozen=True, tag="unsealed"):
    seats: list[int]


class TurnPassedBody(msgspec.Struct, frozen=True, tag="turn_passed"):
    seat: int


class EndedBody(msgspec.Struct, frozen=True, tag="ended"):
    outcome: list[int]


class PreferredBody(msgspec.Struct, frozen=True, tag="preferred"):
    window: str
    on: bool


class AdmittedBody(msgspec.Struct, frozen=True, tag="admitted"):
    """What the rules had to admit of a secret, in words. answer: 1 or 0; of a comparison 1, 0 or -1."""

    message: Message
    answer: int
    to: list[int] | None


FactBody = (
    MovedBody | UncoveredBody | CountedBody | BecameBody | RolledBody | ShuffledBody | RevealedBody | ToldBody
    | UnsealedBody | TurnPassedBody | EndedBody | PreferredBody | AdmittedBody
)

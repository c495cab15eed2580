"""What the API says of moves that are tried beside a game."""
from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ludarium.platform import ids
from ludarium.tables.schemas import ActionBody, Seat, Seq
from ludarium_engine.kernel.bodies import FactBody, Message, OfferBody, ViewBody
from ludarium_engine.kernel.describe import OfferGroup
from ludarium_engine.story.lines import LineBody

MOST_MOVES = 200
LAST_DEAL = 9999


class TriedMove(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a seat that is asked answers: one of the offers of the position before, as in a command."""

    seat: Seat
    action: ActionBody


class NewAnalysis(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Moves to be tried one after the other behind the event `at`.

    seat: whose; by default the caller's own, else the first. eyes: from which seat all positions are looked at; by default
    from that one, or where it is not asked from the first that is. since: how many moves were made before the first position
    that is told. deal: of a running game, which of the deals that are dealt from what the seat knows; the same number is the
    same deal again.
    """

    table: Annotated[str, Meta(pattern=ids.PATTERN)]
    at: Seq
    moves: Annotated[list[TriedMove], Meta(max_length=MOST_MOVES)] = []
    seat: Seat | None = None
    eyes: Seat | None = None
    since: Annotated[int, Meta(ge=0, le=MOST_MOVES)] = 0
    deal: Annotated[int, Meta(ge=0, le=LAST_DEAL)] = 0


class SeatChoice(msgspec.Struct, frozen=True):
    """What a seat is asked; groups, passes: as of a choice."""

    seat: int
    prompt: Message
    offers: list[OfferBody]
    groups: list[OfferGroup] = []
    passes: list[str] = []


class TriedPosition(msgspec.Struct, frozen=True):
    """The game after so many moves, as the seat `eyes` sees it. facts, story: of the last of them, as of a replay's step.

    choices: of all seats that are asked.
    """

    moves: int
    eyes: int
    view: ViewBody
    choices: list[SeatChoice]
    facts: list[FactBody] | UnsetType = UNSET
    story: list[LineBody] | UnsetType = UNSET


class Analysis(msgspec.Struct, frozen=True):
    """viewer: the seat from whose knowledge the cards were dealt anew; null of a finished game, where they lie as they lay."""

    table: str
    at: int
    viewer: int | None
    positions: list[TriedPosition]
